// SPDX-License-Identifier: Apache-2.0
// Slices are written whole when they end.
#include "model/record/trace/perfetto_cpu_tracks.h"

#include <fmt/format.h>

#include "model/record/numbers.h"

namespace tessera::record {

PerfettoCpuTracks::PerfettoCpuTracks(PerfettoWriter& writer, const Names& names)
    : writer_(writer), names_(names), clock_(names.clock_hz), ready_since_(names.processes.size(), kNever) {
  if (names.num_cores == 0) return;
  const PerfettoWriter::Track cpu = writer_.add_track(0, "CPU");
  for (std::uint32_t i = 0; i < names.num_cores; ++i)
    cores_.push_back(writer_.add_track(cpu, fmt::format("core {}", i)));
  for (const std::string& process : names.processes) {
    waits_.push_back(writer_.add_track(cpu, fmt::format("{} waiting", process)));
  }
}

void PerfettoCpuTracks::consume(const Record& record) {
  switch (record.kind) {
    case Kind::kCpuStopped:
      end_wait(record.process, record.cycle);  // if it wants no core any more
      return write_slice(cores_.at(number::core(record)), record.cycle - record.cycles, record.cycle,
                         names_.processes.at(record.process));
    case Kind::kCpuReady:
      ready_since_.at(record.process) = record.cycle;
      return;
    case Kind::kCpuStarted:
      return end_wait(record.process, record.cycle);
    default:
      return;
  }
}

void PerfettoCpuTracks::finish(Cycle end) {
  for (std::size_t i = 0; i < ready_since_.size(); ++i) end_wait(static_cast<std::uint16_t>(i), end);
}

void PerfettoCpuTracks::end_wait(std::uint16_t process, Cycle now) {
  Cycle& since = ready_since_.at(process);
  if (since != kNever) write_slice(waits_.at(process), since, now, "for a core");
  since = kNever;
}

void PerfettoCpuTracks::write_slice(PerfettoWriter::Track track, Cycle start, Cycle end, const std::string& name) {
  if (start >= end) return;
  writer_.begin_slice(track, clock_.time_of(start) / 1000, name);
  writer_.end_slice(track, clock_.time_of(end) / 1000);
}

}  // namespace tessera::record
