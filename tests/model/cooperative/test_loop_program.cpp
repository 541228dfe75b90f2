// SPDX-License-Identifier: Apache-2.0
// Where callbacks end, by arithmetic and by going through them one by one.
#include <gtest/gtest.h>

#include <optional>

#include "model/cooperative/loop_program.h"

namespace tessera::cooperative {
namespace {

constexpr std::uint64_t kOne = workload::kMillion;

Step callback(Cycle cycles) { return {cycles, {}, {}, 0}; }
Step io(std::uint64_t bytes) { return {0, spec::IoDirection::kRead, spec::IoMedium::kCache, bytes}; }

// One callback after the other, as the loop itself goes.
Stretch by_steps(const LoopProgram& program, Position from, Cycle elapsed, std::uint64_t factor) {
  Stretch reached{from, 0};
  while (reached.cycles < elapsed && reached.end < program.end() && program.step(reached.end).is_callback()) {
    reached.cycles += LoopProgram::cycles_of(program.step(reached.end++), factor);
  }
  return reached;
}

TEST(LoopProgram, ABoundaryIsTheEndOfTheCallbackThatIsUnderWay) {
  const LoopProgram program(10, {callback(100)});
  const auto ends_at = [&](Cycle elapsed) { return program.boundary(0, elapsed, kOne).cycles; };
  EXPECT_EQ(ends_at(99), 100U);
  EXPECT_EQ(ends_at(100), 100U);
  EXPECT_EQ(ends_at(101), 200U);
  EXPECT_EQ(ends_at(5000), 1000U) << "the end of the program";
  EXPECT_EQ(program.boundary(3, 150, kOne).end, 5U);
}

TEST(LoopProgram, AStretchEndsAtTheNextIoOrTheEnd) {
  const LoopProgram program(2, {callback(10), callback(20), io(1), callback(40)});
  EXPECT_EQ(program.stretch(0, kOne).end, 2U);
  EXPECT_EQ(program.stretch(0, kOne).cycles, 30U);
  EXPECT_EQ(program.stretch(2, kOne).cycles, 0U) << "it is there already";
  EXPECT_EQ(program.stretch(3, kOne).end, 6U) << "through the next round";
  EXPECT_EQ(program.stretch(3, kOne).cycles, 70U);
  EXPECT_EQ(program.stretch(7, kOne).end, program.end());
}

TEST(LoopProgram, DivisionFindsWhatStepsFind) {
  const LoopProgram programs[] = {{7, {callback(3), callback(5), callback(11)}},
                                  {4, {callback(3), io(1), callback(5), callback(11), io(2)}},
                                  {1000, {callback(1)}},
                                  {3, {io(5)}}};
  for (const LoopProgram& program : programs) {
    for (const std::uint64_t factor : {kOne, kOne / 3, 2 * kOne}) {
      for (Position from = 0; from < program.end(); from += 1 + from / 16) {
        for (Cycle elapsed = 0; elapsed < 150; ++elapsed) {
          const Stretch found = program.boundary(from, elapsed, factor);
          const Stretch wanted = by_steps(program, from, elapsed, factor);
          ASSERT_EQ(found.end, wanted.end) << from << ", " << elapsed;
          ASSERT_EQ(found.cycles, wanted.cycles) << from << ", " << elapsed;
        }
      }
    }
  }
}

TEST(LoopProgram, ACallbackNeverTakesNoTime) { EXPECT_EQ(LoopProgram::cycles_of(callback(3), 1), 1U); }

TEST(LoopProgram, ABillionCallbacksAreADivision) {
  const LoopProgram program(1'000'000'000, {callback(44)});
  EXPECT_EQ(program.stretch(0, kOne).cycles, 44'000'000'000U);
  EXPECT_EQ(program.boundary(0, 43'999'999'957, kOne).end, 1'000'000'000U);
}

TEST(LoopState, IsAControlBitASlotAndWhatOneCallbackKeeps) {
  EXPECT_EQ(state_bytes(64, 512, false), 8 + 512U);
  EXPECT_EQ(state_bytes(65, 512, false), 9 + 512U);
  EXPECT_EQ(state_bytes(64, 512, true), 8U);
}

}  // namespace
}  // namespace tessera::cooperative
