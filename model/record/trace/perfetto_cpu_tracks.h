// SPDX-License-Identifier: Apache-2.0
// Perfetto tracks of a host with cores: a lane for each core with the process that has it, and one for each process
// with its waits for a core.
#pragma once

#include <cstdint>
#include <vector>

#include "model/base/time.h"
#include "model/record/names.h"
#include "model/record/record.h"
#include "model/record/trace/perfetto_writer.h"

namespace tessera::record {

class PerfettoCpuTracks {
 public:
  // `writer` and `names` must outlive this object. No tracks without cores.
  PerfettoCpuTracks(PerfettoWriter& writer, const Names& names);
  PerfettoCpuTracks(const PerfettoCpuTracks&) = delete;
  PerfettoCpuTracks& operator=(const PerfettoCpuTracks&) = delete;

  void consume(const Record& record);
  void finish(Cycle end);

 private:
  void end_wait(std::uint16_t process, Cycle now);
  void write_slice(PerfettoWriter::Track track, Cycle start, Cycle end, const std::string& name);

  PerfettoWriter& writer_;
  const Names& names_;
  Clock clock_;
  std::vector<PerfettoWriter::Track> cores_;
  std::vector<PerfettoWriter::Track> waits_;  // by process
  std::vector<Cycle> ready_since_;            // by process; kNever: it does not wait
};

}  // namespace tessera::record
