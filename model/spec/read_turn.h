// SPDX-License-Identifier: Apache-2.0
// A kept turn (docs/hardware/timing.md 3.12): the scheduler's keys, and what must hold between them and the rest.
// Internal to model/spec.
#pragma once

#include "model/spec/readers.h"

namespace tessera::spec {

// `turn`, `switch_scope` and the ablations. Policy and technique have been read; `is_known`: without a mistake.
void read_turn(MappingReader& reader, SchedulerSpec& scheduler, bool is_known);

// The parts of the experiment that a kept turn depends on; all could be read.
struct TurnReaders {
  MappingReader scheduler;
  MappingReader baseline;
  MappingReader workload;
};

// Channels, slices that are longer than a switch, and what becomes of SMs when one ends. All of `cores` must support
// it: the ablations exist at transaction level only.
void check_turn(const TurnReaders& readers, Cores cores, const Spec& spec);

}  // namespace tessera::spec
