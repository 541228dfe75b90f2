// SPDX-License-Identifier: Apache-2.0
// SM records to phases: each record updates what is known of its SM, and the open slice follows.
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
  Sm& sm = sms_.at(record.sm);
  apply(sm, record);
  show(sm, record.cycle);
  Density& density = densities_[record.sm];
  if (record.kind == Kind::kTbIssued || record.kind == Kind::kTbRestored) change_density(density, record.cycle, +1);
  if (record.kind == Kind::kTbFinished || record.kind == Kind::kTbSaved) change_density(density, record.cycle, -1);
}

void PerfettoSmTracks::apply(Sm& sm, const Record& record) {
  switch (record.kind) {
    case Kind::kSmSetUp:
    case Kind::kPreemptionDone:
    case Kind::kSmReleased: {
      const PerfettoWriter::Track track = sm.track;
      const Phase shown = sm.shown;
      const std::uint32_t shown_launch = sm.shown_launch;
      sm = Sm{};
      sm.track = track;
      sm.shown = shown;
      sm.shown_launch = shown_launch;
      if (record.kind == Kind::kSmSetUp) sm.launch = record.launch;
      break;
    }
    case Kind::kTbIssued:
    case Kind::kTbRestored:
      sm.has_run = true;
      break;
    case Kind::kRestoreStarted:
      ++sm.num_restores;
      break;
    case Kind::kRestoreDone:
      if (sm.num_restores > 0) --sm.num_restores;
      break;
    case Kind::kPreemptionRequested:
      sm.requested = record.technique;
      break;
    case Kind::kPreemptionRetargeted:
      // A drain towards the owner itself is cancelled; a save goes on (docs/readings.md, DSS 7).
      if (sm.requested == Technique::kDrain && record.value == record.launch) sm.requested = Technique::kNone;
      break;
    case Kind::kSaveStarted:
      sm.is_saving = true;
      break;
    default:
      break;
  }
}

PerfettoSmTracks::Phase PerfettoSmTracks::phase_of(const Sm& sm) {
  if (sm.launch == kNoNumber) return Phase::kIdle;
  if (sm.is_saving) return Phase::kSaving;
  if (sm.num_restores > 0) return Phase::kRestoring;
  if (sm.requested == Technique::kDrain) return Phase::kDraining;
  if (sm.requested != Technique::kNone) return Phase::kReserved;
  return sm.has_run ? Phase::kRunning : Phase::kSetUp;
}

void PerfettoSmTracks::show(Sm& sm, Cycle cycle) {
  const Phase phase = phase_of(sm);
  if (phase == sm.shown && sm.launch == sm.shown_launch) return;
  if (sm.shown != Phase::kIdle) writer_.end_slice(sm.track, nanoseconds(cycle));
  sm.shown = phase;
  sm.shown_launch = sm.launch;
  if (phase != Phase::kIdle) writer_.begin_slice(sm.track, nanoseconds(cycle), slice_name(sm));
}

std::string PerfettoSmTracks::slice_name(const Sm& sm) const {
  constexpr const char* kPhaseNames[] = {"idle", "set-up", "running", "restoring", "reserved", "draining", "saving"};
  const char* phase = kPhaseNames[static_cast<std::size_t>(sm.shown)];
  const LaunchTable::Kernel kernel = launches_.find(sm.launch);
  if (kernel.process == kNoIndex) return phase;
  return fmt::format("{} {}/{}", phase, names_.processes.at(kernel.process),
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
  for (Sm& sm : sms_) {
    sm.launch = kNoNumber;
    show(sm, end);
  }
  for (Density& density : densities_) {
    if (density.is_pending) write_pending(density);
  }
}

}  // namespace tessera::record
