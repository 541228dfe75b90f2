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
  sm.held.apply(record);
  if (sm.held.is_used()) return show_held(sm, name_of(sm.held), record.cycle);
  sm.state.apply(record);
  show(sm, sm.state, record.cycle);
}

void PerfettoSmTracks::show_held(Sm& sm, const std::string& name, Cycle cycle) {
  if (name == sm.shown_held) return;
  if (!sm.shown_held.empty()) writer_.end_slice(sm.track, nanoseconds(cycle));
  sm.shown_held = name;
  if (!name.empty()) writer_.begin_slice(sm.track, nanoseconds(cycle), name);
}

// "12 batch/scan + 3 interactive/sort": of how many thread blocks it holds the places; "saving: ..".
std::string PerfettoSmTracks::name_of(const HeldSm& held) const {
  std::string name;
  for (const HeldSm::Held& one : held.held()) {
    name += fmt::format("{}{} {}", name.empty() ? "" : " + ", one.tbs, kernel_name(one.launch));
  }
  if (name.empty() || held.phase() == SmPhase::kRunning) return name;
  return fmt::format("{}: {}", to_string(held.phase()), name);
}

void PerfettoSmTracks::show(Sm& sm, const SmState& state, Cycle cycle) {
  const SmPhase phase = state.phase();
  if (phase == sm.shown && state.launch() == sm.shown_launch && state.guest() == sm.shown_guest) return;
  if (sm.shown != SmPhase::kIdle) writer_.end_slice(sm.track, nanoseconds(cycle));
  sm.shown = phase;
  sm.shown_launch = state.launch();
  sm.shown_guest = state.guest();
  if (phase != SmPhase::kIdle) writer_.begin_slice(sm.track, nanoseconds(cycle), slice_name(state));
}

// "running batch/scan", "shared batch/scan + interactive/sort".
std::string PerfettoSmTracks::slice_name(const SmState& state) const {
  std::string name(to_string(state.phase()));
  const std::string owner = kernel_name(state.launch());
  if (!owner.empty()) name += " " + owner;
  const std::string guest = kernel_name(state.guest());
  if (!guest.empty()) name += " + " + guest;
  return name;
}

std::string PerfettoSmTracks::kernel_name(std::uint32_t launch) const {
  const LaunchTable::Kernel kernel = launches_.find(launch);
  if (kernel.process == kNoIndex) return "";
  return fmt::format("{}/{}", names_.processes.at(kernel.process), names_.kernels.at(kernel.process).at(kernel.kernel));
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
    show_held(sm, "", end);
    show(sm, SmState{}, end);
  }
  for (Density& density : densities_) {
    if (density.is_pending) write_pending(density);
  }
}

}  // namespace tessera::record
