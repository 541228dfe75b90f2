// SPDX-License-Identifier: Apache-2.0
// Presets of the scheduler: what GPUs do by themselves with contexts that nobody schedules for them.
#pragma once

#include <array>

#include "model/base/time.h"
#include "model/spec/scheduler_spec.h"

namespace tessera::spec {

// `nvidia_time_slice`: policy time_slice with a kept turn of the whole GPU, and the slice of the board's driver.
struct BoardSlice {
  Board board;
  Picoseconds time_slice;
};
inline constexpr std::array<BoardSlice, 3> kNvidiaSlices{{
    // Measured on H200 and H100: 2,048 units of the driver's 1.024 us.
    {Board::kDataCentre, 2'097'152'000},
    // The shortest that `nvidia-smi compute-policy --set-timeslice` offers; 10 and 30 ms are the others.
    {Board::kDesktop, 2'000'000'000},
    // Of Tegra's driver for a channel group (GCAPS, ECRTS 2024).
    {Board::kTegra, 1'000'000'000},
}};

constexpr Picoseconds nvidia_slice_of(Board board) {
  return kNvidiaSlices.at(static_cast<std::size_t>(board)).time_slice;
}
static_assert(
    [] {
      for (std::size_t i = 0; i < kNvidiaSlices.size(); ++i) {
        if (kNvidiaSlices[i].board != static_cast<Board>(i)) return false;
      }
      return true;
    }(),
    "rows stand in the order of the enumerators");

}  // namespace tessera::spec
