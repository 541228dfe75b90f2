// SPDX-License-Identifier: Apache-2.0
// The context check: bytes that were changed between save and restore are found, whoever changed them.
#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {
namespace {

using record::Invariant;
using testing::AllOf;
using testing::HasSubstr;

// Two TBs of a low kernel are saved for a high one (cycles 301 to about 430) and wait until it ends.
class CoreContextCheck : public testing::Test {
 protected:
  static constexpr Cycle kAllSaved = 600;
  static constexpr std::uint64_t kTagBytes = sizeof(ContextTag);

  static spec::Spec machine() {
    spec::Spec spec = tiny_machine(1, 2);
    spec.scheduler.policy = spec::PolicyKind::kPpq;
    spec.checks.enable_context_check = true;
    return spec;
  }
  CoreContextCheck() {
    bench.launch(1, kernel);
    bench.launch(301, {1, 1, {2000}, 1, 1});
    bench.run_before(kAllSaved);
    EXPECT_EQ(bench.core().ptbq(KsrId{0}).size(), 2U);
  }
  std::uint64_t address(std::uint32_t stack_pointer) {
    return bench.core().array().context_address(KsrId{0}, stack_pointer);
  }
  std::vector<std::uint8_t> context(std::uint32_t stack_pointer) {
    std::vector<std::uint8_t> bytes(kTagBytes + kernel.context_bytes());
    memory.read(address(stack_pointer), bytes.data(), bytes.size());
    return bytes;
  }
  void write(std::uint32_t stack_pointer, const std::vector<std::uint8_t>& bytes) {
    memory.write(address(stack_pointer), bytes.data(), bytes.size());
  }
  // Changes one byte of the saved state, its tag not counted.
  void corrupt(std::uint32_t stack_pointer, std::uint64_t at) {
    std::vector<std::uint8_t> bytes = context(stack_pointer);
    bytes.at(kTagBytes + at) ^= 1;
    write(stack_pointer, bytes);
  }
  std::string verdict() {
    bench.run();
    for (const auto& [name, text] : bench.core().monitor().verdicts()) {
      if (name == to_string(Invariant::kContextIntact)) return text;
    }
    return "";
  }

  const Kernel kernel{0, 2, {1000}, 2, 0};
  PagedMemory memory;
  CoreBench bench{machine(), &memory};
};

TEST_F(CoreContextCheck, AContextThatIsLeftAloneComesBackIntact) { EXPECT_EQ(verdict(), "ok"); }

TEST_F(CoreContextCheck, SavedContextsDiffer) { EXPECT_NE(context(0), context(1)); }

TEST_F(CoreContextCheck, AChangedFirstByteIsFound) {
  corrupt(0, 0);
  bench.expect_violation(Invariant::kContextIntact);
  EXPECT_THAT(verdict(), HasSubstr("context of TB 0 of launch 0 (context 0) came back changed at byte 0 of 256"));
}

TEST_F(CoreContextCheck, AChangedLastByteIsFound) {
  corrupt(1, kernel.context_bytes() - 1);
  bench.expect_violation(Invariant::kContextIntact);
  EXPECT_THAT(verdict(), HasSubstr("context of TB 1 of launch 0 (context 0) came back changed at byte 255 of 256"));
}

TEST_F(CoreContextCheck, SwappedContextsAreFound) {
  const std::vector<std::uint8_t> first = context(0);
  write(0, context(1));
  write(1, first);
  bench.expect_violation(Invariant::kContextIntact);
  EXPECT_THAT(verdict(), HasSubstr("context of TB 0 of launch 0 (context 0) came back as TB 1 of launch 0"));
}

TEST_F(CoreContextCheck, ADoubledContextIsFound) {
  write(1, context(0));
  bench.expect_violation(Invariant::kContextIntact);
  EXPECT_THAT(verdict(), HasSubstr("context of TB 1 of launch 0 (context 0) came back as TB 0 of launch 0"));
}

TEST_F(CoreContextCheck, ALostContextIsFound) {
  write(0, std::vector<std::uint8_t>(kTagBytes + kernel.context_bytes(), 0));
  bench.expect_violation(Invariant::kContextIntact);
  EXPECT_NE(verdict(), "ok");
}

// The bytes of another process, whole and with a sound tag of their own.
TEST_F(CoreContextCheck, AForeignContextIsFound) {
  PagedMemory other_memory;
  ContextMemory other(1, 1, kernel.context_bytes(), 0, &other_memory);
  const std::uint32_t stack_pointer = other.save(KsrId{0}, {1, 1, 0, 500}, kernel.context_bytes());
  std::vector<std::uint8_t> foreign(kTagBytes + kernel.context_bytes());
  other_memory.read(other.address_of(KsrId{0}, stack_pointer), foreign.data(), foreign.size());
  write(0, foreign);
  bench.expect_violation(Invariant::kContextIntact);
  EXPECT_THAT(verdict(), AllOf(HasSubstr("context of TB 0 of launch 0 (context 0)"),
                               HasSubstr("came back as TB 0 of launch 1 (context 1)")));
}

// An older state of the same TB has the right name and the wrong progress.
TEST_F(CoreContextCheck, AStaleContextIsFound) {
  PagedMemory other_memory;
  ContextMemory other(1, 1, kernel.context_bytes(), 0, &other_memory);
  other.save(KsrId{0}, {0, 0, 0, 999}, kernel.context_bytes());
  std::vector<std::uint8_t> stale(kTagBytes + kernel.context_bytes());
  other_memory.read(other.address_of(KsrId{0}, 0), stale.data(), stale.size());
  write(0, stale);
  bench.expect_violation(Invariant::kContextIntact);
  EXPECT_NE(verdict(), "ok");
}

}  // namespace
}  // namespace tessera::tlm_model::test
