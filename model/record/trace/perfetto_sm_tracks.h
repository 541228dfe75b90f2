// SPDX-License-Identifier: Apache-2.0
// Perfetto tracks of the SMs: what each SM is doing, and how many thread blocks it holds.
// Thread blocks are not drawn individually: their number shows the same at a hundredth of the size.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/base/time.h"
#include "model/record/names.h"
#include "model/record/record.h"
#include "model/record/trace/held_sm.h"
#include "model/record/trace/perfetto_writer.h"
#include "model/record/trace/sm_phase.h"

namespace tessera::record {

class PerfettoSmTracks {
 public:
  // `writer`, `names` and `launches` must outlive this object.
  PerfettoSmTracks(PerfettoWriter& writer, const Names& names, const LaunchTable& launches);

  // Uses records that name an SM, and kSmsWithheld; ignores others.
  void consume(const Record& record);
  void finish(Cycle end);

 private:
  struct Sm {
    PerfettoWriter::Track track = 0;
    SmState state;
    SmPhase shown = SmPhase::kIdle;  // the open slice
    std::uint32_t shown_launch = kNoNumber;
    std::uint32_t shown_guest = kNoNumber;
    HeldSm held;  // where kernels share it
    std::string shown_held;
  };

  // A counter value is written when a change in a later cycle arrives, so that changes of one cycle merge and a slot
  // that is refilled one cycle after it became free is not visible.
  struct Density {
    PerfettoWriter::Track track = 0;
    std::uint32_t resident = 0;
    std::uint32_t written = 0;
    bool is_pending = false;
    Cycle pending_since = 0;
    std::uint32_t pending = 0;
  };

  void follow(Sm& sm, const Record& record);
  void show(Sm& sm, const SmState& state, Cycle cycle);
  void show_held(Sm& sm, const std::string& name, Cycle cycle);
  std::string name_of(const HeldSm& held) const;
  void change_density(Density& density, Cycle cycle, int change);
  void write_pending(Density& density);
  std::string slice_name(const SmState& state) const;
  std::string kernel_name(std::uint32_t launch) const;
  std::uint64_t nanoseconds(Cycle cycle) const { return clock_.time_of(cycle) / 1000; }

  PerfettoWriter& writer_;
  const Names& names_;
  const LaunchTable& launches_;
  Clock clock_;
  std::vector<Sm> sms_;
  std::vector<Density> densities_;
};

}  // namespace tessera::record
