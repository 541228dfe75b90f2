// SPDX-License-Identifier: Apache-2.0
// The waveform files of a clocked machine: a VCD, and a GTKWave save file that groups its signals.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>

#include "model/base/time.h"
#include "model/spec/spec.h"
#include "rtl_model/observe/vcd_tracer.h"

namespace tessera::platform {

struct WaveformRequest {
  std::filesystem::path vcd;        // empty: none
  std::optional<Picoseconds> from;  // none: from the first kernel that is launched on
  Picoseconds length = 100'000'000;
  std::uint64_t max_bytes = 0;
};

class Waveform {
 public:
  // Creates the files; throws std::runtime_error where that fails.
  explicit Waveform(const WaveformRequest& request);

  // Before the first cycle.
  void attach(const spec::Spec& spec, rtl_model::ClockedEngine& engine);
  // The core cycle that has to be evaluated for the waveform's sake; kNever: none.
  Cycle next_sample() const { return tracer_ == nullptr ? kNever : tracer_->next_sample(); }
  // The SM cycle in which the file became too long. Throws std::runtime_error if it could not be written.
  std::optional<Cycle> cut();

 private:
  WaveformRequest request_;
  std::ofstream stream_;
  std::unique_ptr<rtl_model::VcdTracer> tracer_;
};

}  // namespace tessera::platform
