// SPDX-License-Identifier: Apache-2.0
// The open slice follows the SM's phase.
#include "model/record/trace/perfetto_sm_tracks.h"

#include <fmt/format.h>

namespace tessera::record {

PerfettoSmTracks::PerfettoSmTracks(PerfettoWriter& writer, const Names& names, const LaunchTable& launches)
    : writer_(writer), names_(names), launches_(launches), clock_(names.clock_hz) {
  const PerfettoWriter::Track group = writer_.add_track(0, "SMs");
  sms_.resize(names.num_sms);
  densities_.resize(names.num_sms);
  for (std::uint32_t i = 0; i < names.num_sms; ++i) {
    sms_[i].track = writer_.add_track(group, fmt::format("SM {}", i));
    densities_[i].track = writer_.add_counter_track(sms_[i].track, fmt::format("SM {} resident TBs", i));
  }
}

void PerfettoSmTracks::consume(const Record& record) {
  if (record.kind == Kind::kSmsWithheld) {
    for (Sm& sm : sms_) follow(sm, record);
    return;
  }
  follow(sms_.at(record.sm), record);
  Density& density = densities_[record.sm];
  switch (record.kind) {
    case Kind::kTbIssued:
    case Kind::kTbRestored:
    case Kind::kTbRestarted:
      change_density(density, record.cycle, +1);
      break;
    case Kind::kTbFinished:
    case Kind::kTbSaved:
    case Kind::kTbFlushed:
      change_density(density, record.cycle, -1);
      break;
    default:
      break;
  }
}

void PerfettoSmTracks::follow(Sm& sm, const Record& record) {
  sm.state.apply(record);
  show(sm, sm.state.phase(), sm.state.launch(), record.cycle);
}

void PerfettoSmTracks::show(Sm& sm, SmPhase phase, std::uint32_t launch, Cycle cycle) {
  if (phase == sm.shown && launch == sm.shown_launch) return;
  if (sm.shown != SmPhase::kIdle) writer_.end_slice(sm.track, nanoseconds(cycle));
  sm.shown = phase;
  sm.shown_launch = launch;
  if (phase != SmPhase::kIdle) writer_.begin_slice(sm.track, nanoseconds(cycle), slice_name(phase, launch));
}

std::string PerfettoSmTracks::slice_name(SmPhase phase, std::uint32_t launch) const {
  const LaunchTable::Kernel kernel = launches_.find(launch);
  if (kernel.process == kNoIndex) return std::string(to_string(phase));
  return fmt::format("{} {}/{}", to_string(phase), names_.processes.at(kernel.process),
                     names_.kernels.at(kernel.process).at(kernel.kernel));
}

void PerfettoSmTracks::change_density(Density& density, Cycle cycle, int change) {
  constexpr Cycle kRefillCycles = 1;
  density.resident += static_cast<std::uint32_t>(change);
  if (density.is_pending && cycle - density.pending_since <= kRefillCycles && density.resident == density.written) {
    density.is_pending = false;
    return;
  }
  if (density.is_pending && density.pending_since != cycle) write_pending(density);
  density.is_pending = true;
  density.pending_since = cycle;
  density.pending = density.resident;
}

void PerfettoSmTracks::write_pending(Density& density) {
  writer_.set_counter(density.track, nanoseconds(density.pending_since), density.pending);
  density.written = density.pending;
  density.is_pending = false;
}

void PerfettoSmTracks::finish(Cycle end) {
  for (Sm& sm : sms_) show(sm, SmPhase::kIdle, kNoNumber, end);
  for (Density& density : densities_) {
    if (density.is_pending) write_pending(density);
  }
}

}  // namespace tessera::record
