// SPDX-License-Identifier: Apache-2.0
// One preemption request ([S16] 4.2): a kernel runs, a second one of higher priority arrives, and its thread blocks get
// their places. On the transaction-level engine alone, without hosts, copies and SystemC.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/preemption/tb_status.h"
#include "model/spec/spec.h"
#include "tlm/execution_engine/kernel_launch.h"

namespace tessera::campaign::s16 {

struct ProbeInput {
  const spec::Spec& machine;  // its GPU, scheduler, memory channel and checks; two processes
  tlm_model::KernelLaunch victim;
  tlm_model::KernelLaunch guest;  // of the higher priority
  Cycle victim_arrives = 1;
  Cycle guest_arrives = 2;        // the clock of the latency starts
  Cycle gives_up_after = 0;       // from then on: what is not placed is late
  bool until_guest_ends = false;  // and not until it has its places
};

// What came of it.
struct Probe {
  std::vector<Cycle> waits;  // of every SM that was preempted: until its last place was granted; kNever: it never was
  std::uint64_t places = 0;  // granted on those SMs, or never
  std::uint64_t late = 0;    // of these, beyond the scheduler's latency limit
  std::array<std::uint64_t, 3> exits{};  // victims, by the Exit that they took in the end
  std::uint64_t executed = 0;            // instructions, by the victims: what flushing all of them would have wasted
  std::uint64_t wasted = 0;              // by the ways that they took
  // Of victims that were chosen to drain, and did, and took some time: their estimates.
  std::uint64_t drained = 0;
  double relative_errors = 0;      // sum of |estimate - real| / real
  std::uint64_t errors = 0;        // sum of |estimate - real|, in cycles
  std::uint64_t drain_cycles = 0;  // sum of real
  // Registers x cycles, from the arrival to the last place granted: of resident thread blocks, and of all SMs.
  std::uint64_t registers_held = 0;
  std::uint64_t registers_there = 0;
  std::uint64_t registers_before = 0;  // held by the victim when the guest arrived; no cycles
  std::uint64_t registers_all = 0;     // likewise, of all SMs
  Cycle guest_took = kNever;  // from its arrival to its last thread block; kNever: not waited for, or it never did
  Cycle guest_alone = 0;      // the same launch on the empty machine, where it was waited for
  std::uint64_t thread_blocks = 0;  // that began, of kernels that still run: how much work it was
  std::vector<std::string> faults;  // invariants that did not hold

  std::uint64_t late_sms(Cycle limit) const;
};

Probe run_probe(const ProbeInput& input);

// How long a kernel runs on the empty machine, from its arrival to its last thread block.
Cycle cycles_of(const spec::Spec& machine, const tlm_model::KernelLaunch& launch);

void to_json(nlohmann::json& json, const Probe& probe);
void from_json(const nlohmann::json& json, Probe& probe);

}  // namespace tessera::campaign::s16
