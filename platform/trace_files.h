// SPDX-License-Identifier: Apache-2.0
// The trace files of a simulation, their size limit, and the sinks that write them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/record/record.h"
#include "model/spec/spec_fwd.h"
#include "platform/clocked/waveform.h"

namespace tessera::platform {

// A size that timeline viewers still open easily.
inline constexpr std::uint64_t kUsualTraceBytes = 128'000'000;

struct TraceRequest {
  std::filesystem::path perfetto;  // empty: none
  std::filesystem::path csv;
  std::filesystem::path timeline;  // the same without the records of thread blocks
  std::filesystem::path slices;    // what each SM does
  std::filesystem::path preemptions;
  WaveformRequest waveform;     // clocked machines only
  std::uint64_t max_bytes = 0;  // maximum size of each file
};

// A trace that stopped at the size limit, and the cycle that it had reached.
struct TraceCut {
  std::string file;
  Cycle at = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TraceCut, file, at)

class TraceFiles {
 public:
  // Creates the files; throws std::runtime_error if that fails.
  TraceFiles(const TraceRequest& request, const spec::Spec& spec);
  ~TraceFiles();

  std::vector<record::ISink*> sinks() const;
  Waveform* waveform() const { return waveform_.get(); }  // null: none was requested
  // Call once the simulation is over. Throws std::runtime_error if a file could not be written.
  std::vector<TraceCut> cuts() const;

 private:
  struct File;
  std::vector<std::unique_ptr<File>> files_;
  std::unique_ptr<Waveform> waveform_;
};

}  // namespace tessera::platform
