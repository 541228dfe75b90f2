// SPDX-License-Identifier: Apache-2.0
// The waveform files of a clocked machine: a VCD with a GTKWave save file that groups its signals; or an FST of the
// Verilog core.
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
  std::filesystem::path fst;        // empty: none; Verilog cores only
  std::optional<Picoseconds> from;  // empty: starts at the first kernel launch
  Picoseconds length = 100'000'000;
  std::uint64_t max_bytes = 0;  // of each file

  bool is_empty() const { return vcd.empty() && fst.empty(); }
};

class Waveform {
 public:
  // Creates the files; throws std::runtime_error if that fails.
  explicit Waveform(const WaveformRequest& request);

  // Call before the first cycle.
  void attach(const spec::Spec& spec, rtl_model::ClockedEngine& engine);
  // If true, the Verilog core must be built with waves.
  bool has_fst() const { return !request_.fst.empty(); }
  // The next core cycle that the waveform needs evaluated; kNever: none.
  Cycle next_sample() const;
  // Names of the files that reached the size limit, with the SM cycle of each. Throws std::runtime_error if a file
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
