// SPDX-License-Identifier: Apache-2.0
// Writes a waveform of all signals of the Verilog core and of the SystemC modules around it to one file (FST, written
// by Verilator).
#pragma once

#include <cstdint>
#include <filesystem>

#include "model/base/time.h"
#include "platform/clocked/verilated_scheduler.h"
#include "rtl_model/observe/wave_window.h"

namespace tessera::platform {

class FstTracer final : public rtl_model::IWaveTracer {
 public:
  // `scheduler` belongs to `engine` and must be built with waves. `max_bytes`: the file ends after the block (some
  // megabytes) in which it exceeds this size. Throws std::runtime_error if it cannot be written.
  FstTracer(const std::filesystem::path& path, std::uint64_t clock_hz, const rtl_model::WaveWindow::Bounds& bounds,
            std::uint64_t max_bytes, VerilatedScheduler& scheduler, const rtl_model::IWatchedEngine& engine);

  void watch(const rtl_model::ClockCount& clock) override;
  const rtl_model::WaveWindow& window() const override { return window_; }

 private:
  void keep(const rtl_model::ClockCount& clock);
  bool is_full();

  std::filesystem::path path_;
  Clock core_clock_;
  rtl_model::WaveWindow window_;
  std::uint64_t max_bytes_;
  const rtl_model::IWatchedEngine& engine_;
  cosim::IVerilatedCore& core_;
  std::uint64_t num_samples_ = 0;
  bool is_open_ = true;
};

}  // namespace tessera::platform
