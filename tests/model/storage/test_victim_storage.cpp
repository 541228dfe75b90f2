// SPDX-License-Identifier: Apache-2.0
// What victim selection stores ([S16] 3.4.5), and the leaner layout.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "model/spec/gpu_spec.h"
#include "model/spec/loader.h"
#include "model/storage/victim_storage.h"

namespace tessera::storage {
namespace {

spec::GpuSpec gtx480() { return spec::load_gpu(TESSERA_SOURCE_DIR "/configs/gpus/gtx480.yaml"); }

double component_bytes(const std::vector<VictimField>& fields, const std::string& component) {
  double bytes = 0;
  for (const VictimField& field : fields) {
    if (field.component == component) bytes += field.bytes();
  }
  return bytes;
}

TEST(VictimStorage, Table31AddsUpToFiveHundredSixteenAndAHalfBytes) {
  const std::vector<VictimField> fields = printed_layout(VictimSizes::printed());
  EXPECT_EQ(per_sm_bytes(fields), 516.5);
  EXPECT_EQ(shared_bytes(fields), 120);
  EXPECT_EQ(component_bytes(fields, "Preempting Kernel Allocation Positions"), 2 * 128 + 20.0 / 8);
  EXPECT_EQ(component_bytes(fields, "Candidate Victim Sets"), 128);
  EXPECT_EQ(component_bytes(fields, "Running TB Status"), 130) << "[S16] 3.4.5 adds these up itself";
}

TEST(VictimStorage, Table31IsMoreOfAnSmThanTheTextSays) {
  const double percent = 100 * per_sm_bytes(printed_layout(VictimSizes::printed())) / sm_capacity_bytes(gtx480());
  EXPECT_NEAR(percent, 0.287, 0.0005);
  EXPECT_GT(percent, 0.2);
}

TEST(VictimStorage, PrintedLayoutFollowsTheMachine) {
  const spec::GpuSpec gpu = gtx480();
  const std::vector<VictimField> fields = printed_layout(VictimSizes::of(gpu));
  EXPECT_LT(per_sm_bytes(fields), per_sm_bytes(printed_layout(VictimSizes::printed())));
  EXPECT_EQ(component_bytes(fields, "Running TB Status"), gpu.max_tbs_per_sm * (32 + 32 + 1) / 8.0);
  spec::GpuSpec twice = gpu;
  twice.num_sms *= 2;
  EXPECT_EQ(shared_bytes(printed_layout(VictimSizes::of(twice))), 2 * shared_bytes(fields));
  EXPECT_EQ(per_sm_bytes(printed_layout(VictimSizes::of(twice))), per_sm_bytes(fields));
}

TEST(VictimStorage, LeanLayoutKeepsSetsAsABitASlotAndNoPositions) {
  const spec::GpuSpec gpu = gtx480();
  const std::vector<VictimField> lean = lean_layout(gpu);
  EXPECT_EQ(component_bytes(lean, "Candidate Victim Sets"), gpu.max_tbs_per_sm * gpu.max_tbs_per_sm / 8.0);
  EXPECT_EQ(shared_bytes(lean), 0) << "it grows with the SMs, and they have it";
  EXPECT_LT(per_sm_bytes(lean), per_sm_bytes(printed_layout(VictimSizes::of(gpu))) / 3);
}

TEST(VictimStorage, LayoutsKeepTheSameComponents) {
  const auto components = [](const std::vector<VictimField>& fields) {
    std::set<std::string> names;
    for (const VictimField& field : fields) names.insert(field.component);
    return names;
  };
  EXPECT_EQ(components(lean_layout(gtx480())), components(printed_layout(VictimSizes::printed())));
}

// The largest guest's needs fit, and one more would not.
TEST(VictimStorage, LeanNumbersHoldAWholeSmsRegistersAndSharedMemory) {
  spec::GpuSpec gpu = gtx480();
  for (const std::uint32_t registers : {32767U, 32768U, 65535U, 65536U}) {
    gpu.registers_per_sm = registers;
    for (const VictimField& field : lean_layout(gpu)) {
      if (std::string(field.contents) != "Registers of a Guest's TB") continue;
      EXPECT_GT(std::uint64_t{1} << field.bits, registers);
      EXPECT_LE(std::uint64_t{1} << (field.bits - 1), registers);
    }
  }
}

}  // namespace
}  // namespace tessera::storage
