// SPDX-License-Identifier: Apache-2.0
// The waveform files of a clocked machine: a VCD, with a GTKWave save file that groups its signals; or, of the Verilog
// core, an FST.
#pragma once

#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/base/time.h"
#include "model/spec/spec_fwd.h"
#include "rtl_model/observe/wave_window.h"

namespace tessera::rtl_model {
class ClockedEngine;
}

namespace tessera::platform {

struct WaveformRequest {
  std::filesystem::path vcd;        // empty: none
  std::filesystem::path fst;        // empty: none; of Verilog cores only
  std::optional<Picoseconds> from;  // none: from the first kernel that is launched on
  Picoseconds length = 100'000'000;
  std::uint64_t max_bytes = 0;  // of each file

  bool is_empty() const { return vcd.empty() && fst.empty(); }
};

class Waveform {
 public:
  // Creates the files; throws std::runtime_error where that fails.
  explicit Waveform(const WaveformRequest& request);

  // Before the first cycle.
  void attach(const spec::Spec& spec, rtl_model::ClockedEngine& engine);
  // Has to be built with waves: the Verilog core.
  bool has_fst() const { return !request_.fst.empty(); }
  // The core cycle that has to be evaluated for the waveform's sake; kNever: none.
  Cycle next_sample() const;
  // Names of the files that became too long, and the SM cycles in which they did. Throws std::runtime_error if one
  // could not be written.
  std::vector<std::pair<std::string, Cycle>> cuts();

 private:
  void attach_vcd(std::uint64_t clock_hz, const rtl_model::WaveWindow::Bounds& bounds,
                  rtl_model::ClockedEngine& engine);
  void attach_fst(std::uint64_t clock_hz, const rtl_model::WaveWindow::Bounds& bounds,
                  rtl_model::ClockedEngine& engine);

  struct File {
    std::string name;
    std::unique_ptr<rtl_model::IWaveTracer> tracer;
  };
  WaveformRequest request_;
  std::ofstream vcd_;
  std::vector<File> files_;
};

}  // namespace tessera::platform
