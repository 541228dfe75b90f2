// SPDX-License-Identifier: Apache-2.0
// One SM on which victims are chosen, as the hand-worked timelines of [S16] have it: nothing but set-up and issue takes
// time beside what is asked.
#pragma once

#include <map>

#include "tests/tlm/core_bench.h"

namespace tessera::tlm_model::test {

// 32768 registers and 64 threads; the context of 8192 registers takes 500 cycles at the SM's share of the bandwidth.
inline spec::Spec victims_machine(spec::TechniqueKind technique, std::uint32_t num_processes = 2) {
  spec::Spec spec = machine(1, num_processes, spec::PolicyKind::kPpq);
  spec.gpu.registers_per_sm = 32768;
  spec.gpu.memory_bandwidth_bytes_per_s = 65'536'000'000;
  spec.gpu.framework.pipeline_drain_cycles = 0;
  spec.gpu.framework.trap_entry_cycles = 0;
  spec.scheduler.technique = technique;
  spec.scheduler.estimator = spec::Estimator::kOracle;
  spec.scheduler.tbs_per_cycle = 4;
  return spec;
}

inline constexpr std::uint32_t kAlwaysIdempotent = 1'000'000;

// When the first TB starts of a kernel that arrives in cycle 1 at an idle machine.
inline Cycle first_tb_start(const spec::Spec& spec) {
  const Latencies t(spec);
  return 1 + t.assign() + t.start();
}

// The limit of the SM's command, `after` cycles after its kernel arrived, is then `cycles`.
inline void set_limit(spec::Spec& spec, Cycle cycles) {
  const Latencies t(spec);
  spec.scheduler.latency_limit = (cycles + t.activation + 2 * t.search + 1) * 1000;
}

// When the winner arrives: a technique that chooses victims makes their sets first, in a search of its own.
inline Cycle arrival_to_preempt_in(const spec::Spec& spec, Cycle cycle) {
  const Latencies t(spec);
  const bool makes_sets = spec::info(spec.scheduler.technique).chooses_victims &&
                          spec.scheduler.candidate_sets == spec::CandidateSets::kDecision;
  return makes_sets ? arrival_to_choose_in(t, cycle) : arrival_to_reserve_in(t, cycle);
}

// `victim` runs from cycle 1 on; the command of the preemption for `winner` reaches the SM in the cycle `command`.
struct VictimsRun {
  VictimsRun(const spec::Spec& spec, const Kernel& victim_kernel, const Kernel& winner_kernel, Cycle command)
      : bench(spec),
        t(spec),
        victim(bench.launch(1, victim_kernel)),
        winner(bench.launch(arrival_to_preempt_in(spec, command - 1), winner_kernel)) {
    bench.run();
  }

  // Instructions that the choice wastes.
  std::uint64_t wasted() const {
    std::uint64_t sum = 0;
    for (const Record& chosen : bench.records(Kind::kVictimChosen)) sum += chosen.value;
    for (const Record& flushed : bench.records(Kind::kSmFlushed)) {
      if (bench.records(Kind::kVictimChosen).empty()) sum += flushed.cycles;
    }
    return sum;
  }
  // The way that each TB of the victim was to take, by TB.
  std::map<std::uint32_t, record::Technique> exits() const {
    std::map<std::uint32_t, record::Technique> ways;
    for (const Record& chosen : bench.records(Kind::kVictimChosen)) ways[chosen.tb] = chosen.technique;
    return ways;
  }

  CoreBench bench;
  Latencies t;
  std::uint32_t victim, winner;
};

}  // namespace tessera::tlm_model::test
