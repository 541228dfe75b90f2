// SPDX-License-Identifier: Apache-2.0
// The context check against corruption from outside: bytes of a saved context change in device memory, through the
// GPU's memory window, between the save and its restore.
#include <optional>

#include "platform/machine.h"
#include "tests/platform/machine_bench.h"
#include "tlm/driver/address_map.h"

namespace tessera::platform::test {
namespace {

using testing::HasSubstr;
using tlm_model::ContextTag;

// A victim with one TB and a large context, and a guest that takes its SM once.
spec::Spec one_preemption(bool is_checked) {
  spec::Spec spec = tiny_platform(1);
  spec.scheduler.policy = spec::PolicyKind::kPpq;
  spec.scheduler.technique = spec::TechniqueKind::kContextSwitch;
  spec.checks.enable_context_check = is_checked;
  spec::KernelSpec victim = kernel_of("victim", 1, 300'000);
  victim.regs_per_tb = 4096;
  add_process(spec, {victim}, {launch(0)});
  spec::ProcessSpec& guest = add_process(spec, {kernel_of("guest", 1, 20'000)}, {launch(0), cpu(1'000'000)});
  guest.is_background = true;
  guest.priority = 1;
  guest.start = 100'000 * kCyclePs;
  return spec;
}

// Another initiator of the bus, as far as a debug access goes: flips a bit of every context that is saved.
class Saboteur : public record::ISink {
 public:
  explicit Saboteur(std::uint64_t byte) : byte_(byte) {}
  Machine* machine = nullptr;

  bool wants_per_tb() const override { return true; }
  void consume(const Record& record) override {
    // The record comes once the next cycle begins; the restore is far away.
    if (record.kind != Kind::kTbSaved) return;
    const tlm_model::SmArray& array =
        dynamic_cast<tlm_model::ExecutionCore&>(machine->gpu().execution_engine().core()).array();
    ASSERT_EQ(static_cast<std::uint32_t>(array.kernel(KsrId(0)).id), record.launch);
    const std::uint64_t address = tlm_model::address_map::kDeviceMemory + array.context_address(KsrId(0), 0) + byte_;
    std::uint8_t data = 0;
    ASSERT_EQ(access(::tlm::TLM_READ_COMMAND, address, data), 1U);
    data ^= 0x10;
    ASSERT_EQ(access(::tlm::TLM_WRITE_COMMAND, address, data), 1U);
    ++flipped_;
  }
  int flipped() const { return flipped_; }

 private:
  unsigned access(::tlm::tlm_command command, std::uint64_t address, std::uint8_t& data) {
    ::tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(&data);
    payload.set_data_length(1);
    payload.set_streaming_width(1);
    return machine->gpu_port().bus_isock->transport_dbg(payload);
  }

  std::uint64_t byte_;
  int flipped_ = 0;
};

// The verdict on context_intact; all other invariants hold. Once in a test: the simulation runs in this process.
std::string verdict_with(const spec::Spec& spec, std::optional<std::uint64_t> flipped_byte) {
  throw_on_systemc_reports();
  record::RecordLog log;
  record::MemorySink sink;
  Saboteur saboteur(flipped_byte.value_or(0));
  log.add_sink(&sink);
  if (flipped_byte) log.add_sink(&saboteur);
  const workload::KernelTimes times(spec);
  Machine machine("machine", spec, times, log);
  saboteur.machine = &machine;
  machine.run(never_interrupted);
  EXPECT_EQ(saboteur.flipped(), flipped_byte ? 1 : 0);
  std::string found;
  for (const auto& [name, verdict] : machine.gpu().execution_engine().core().monitor().verdicts()) {
    if (name == to_string(record::Invariant::kContextIntact)) {
      found = verdict;
    } else {
      EXPECT_EQ(verdict, "ok") << name;
    }
  }
  const auto& records = sink.records();
  EXPECT_EQ(std::count_if(records.begin(), records.end(), [](const Record& r) { return r.kind == Kind::kTbRestored; }),
            1);
  return found;
}

TEST(ContextCheck, IsSilentWhenNobodyTouchesTheContexts) {
  EXPECT_EQ(verdict_with(one_preemption(true), std::nullopt), "ok");
}

TEST(ContextCheck, CatchesTheFirstByteOfAContextThatChanged) {
  EXPECT_THAT(verdict_with(one_preemption(true), sizeof(ContextTag)), HasSubstr("came back changed at byte 0"));
}

TEST(ContextCheck, CatchesTheLastByteOfAContextThatChanged) {
  constexpr std::uint64_t kContextBytes = 4 * 4096;
  EXPECT_THAT(verdict_with(one_preemption(true), sizeof(ContextTag) + kContextBytes - 1),
              HasSubstr("came back changed at byte 16383 of 16384"));
}

TEST(ContextCheck, CatchesAForeignContext) {
  EXPECT_THAT(verdict_with(one_preemption(true), offsetof(ContextTag, context)),
              HasSubstr("context of TB 0 of launch 0 (context 0) came back as TB 0 of launch 0 (context 16)"));
}

TEST(ContextCheck, SeesNothingBeyondTheContext) {
  constexpr std::uint64_t kContextBytes = 4 * 4096;
  EXPECT_EQ(verdict_with(one_preemption(true), sizeof(ContextTag) + kContextBytes), "ok");
}

TEST(ContextCheck, MovesNoBytesWhenItIsOff) {
  EXPECT_EQ(verdict_with(one_preemption(false), sizeof(ContextTag)), "ok");
}

}  // namespace
}  // namespace tessera::platform::test
