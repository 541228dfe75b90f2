// SPDX-License-Identifier: Apache-2.0
// Saves and restores by microcode (docs/hardware/timing.md 7.6), under a policy that knows no turns: two thread blocks
// of a warp each are taken off the only SM and come back.
#include "tests/tlm/one_job_bench.h"

namespace tessera::tlm_model::test {
namespace {

using testing::ElementsAre;

// 256 bytes of registers and 512 of shared memory each, which move at 8 bytes a cycle: 192 cycles.
const Kernel kVictim{0, 2, {1000}, 2, 0, 64, 0, 0, {}, 512};
constexpr Cycle kTransfer = 2 * (256 + 512) / 8;
// 2 warps x 7 ns + 1 KiB x 5.5 ns / 2 warps = 16.75; back 2 x 3 + 1 x 2.5 / 2 = 7.25. A cycle is a nanosecond.
constexpr Cycle kSaveCode = 17;
constexpr Cycle kRestoreCode = 8;

spec::Spec microcode_machine(spec::Engine engine, spec::ChannelSharing sharing) {
  spec::Spec spec = engine == spec::Engine::kIdeal ? machine(1, 2, spec::PolicyKind::kPpq)
                                                   : one_job_machine(1, 2, spec::PolicyKind::kPpq);
  spec.channel_sharing = sharing;
  spec.gpu.framework.gpu_switch.model = spec::SaveModel::kMicrocode;
  spec.gpu.framework.gpu_switch.microcode = {7000, 3000, 5500, 2500, 8'000'000'000};
  return spec;
}

class MicrocodeEngines : public testing::TestWithParam<std::tuple<spec::Engine, spec::ChannelSharing>> {
 protected:
  spec::Spec machine() const { return microcode_machine(std::get<0>(GetParam()), std::get<1>(GetParam())); }
};

INSTANTIATE_TEST_SUITE_P(Engines, MicrocodeEngines,
                         testing::Combine(testing::Values(spec::Engine::kIdeal, spec::Engine::kSerialised),
                                          testing::Values(spec::ChannelSharing::kStatic, spec::ChannelSharing::kFair)));

Cycle first(const CoreBench& bench, Kind kind) { return bench.sm(kind, 0).at(0); }

TEST_P(MicrocodeEngines, PassesBeforeTheBytesOfASaveMoveAndAfterThoseOfARestoreHave) {
  spec::Spec plain = machine();
  plain.gpu.framework.gpu_switch = {};
  Cycle entered = 0;  // without microcode a save starts right after the trap was entered
  {
    OneJobBench bench(plain);
    bench.launch(1, kVictim);
    bench.launch(301, {1, 1, {500}, 1, 1});
    bench.run();
    entered = first(bench, Kind::kSaveStarted) - first(bench, Kind::kPreemptionRequested);
  }
  OneJobBench bench(machine());
  const auto victim = bench.launch(1, kVictim);
  bench.launch(301, {1, 1, {500}, 1, 1});
  bench.run();
  const Cycle saving = first(bench, Kind::kSaveStarted);
  EXPECT_EQ(saving, first(bench, Kind::kPreemptionRequested) + entered + kSaveCode);
  // The serialised engine takes *preempted* in the cycle in which the save ends, and hands over 10 cycles later.
  const Cycle handing_over = std::get<0>(GetParam()) == spec::Engine::kIdeal ? 0 : 10;
  EXPECT_EQ(first(bench, Kind::kPreemptionDone), saving + kTransfer + handing_over);
  const Cycle restored = first(bench, Kind::kRestoreStarted) + kTransfer + kRestoreCode;
  EXPECT_THAT(bench.tb(Kind::kTbRestored, victim, 0), ElementsAre(restored));
  EXPECT_THAT(bench.tb(Kind::kTbRestored, victim, 1), ElementsAre(restored));
  EXPECT_EQ(bench.records(Kind::kRestoreDone)[0].cycles, kTransfer + kRestoreCode);
}

TEST_P(MicrocodeEngines, ThatCostsNothingMovesBytesAtItsOwnBandwidth) {
  spec::Spec spec = machine();
  spec.gpu.framework.gpu_switch.microcode = {0, 0, 0, 0, 8'000'000'000};
  OneJobBench bench(spec);
  const auto victim = bench.launch(1, kVictim);
  bench.launch(301, {1, 1, {500}, 1, 1});
  bench.run();
  EXPECT_THAT(bench.tb(Kind::kTbRestored, victim, 0), ElementsAre(first(bench, Kind::kRestoreStarted) + kTransfer));
}

// The same work with half of the warps: each copies twice as much shared memory.
TEST(Microcode, FewerWarpsCopySharedMemoryLonger) {
  const spec::Spec spec = microcode_machine(spec::Engine::kIdeal, spec::ChannelSharing::kStatic);
  const Microcode microcode(spec.gpu);
  ContextMove move;
  move.is_save = true;
  move.warps = 4;
  move.shared_memory_bytes = 64 * 1024;
  EXPECT_EQ(microcode.cycles(move), 4U * 7 + 64 * 5500 / 4 / 1000);  // 88
  move.warps = 2;
  EXPECT_EQ(microcode.cycles(move), 2U * 7 + 64 * 5500 / 2 / 1000);  // 176
  move.warps = 1;
  move.shared_memory_bytes = 0;
  EXPECT_EQ(microcode.cycles(move), 7U);
  move.shared_memory_bytes = 1;  // part of a cycle is a whole one
  EXPECT_EQ(microcode.cycles(move), 8U);
}

}  // namespace
}  // namespace tessera::tlm_model::test
