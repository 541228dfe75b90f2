// SPDX-License-Identifier: Apache-2.0
// The host's cores over time: which process has one (model/cpu_scheduling), and how much CPU time it has got
// (docs/concepts/host_cores.md).
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <systemc>
#include <vector>

#include "model/cpu_scheduling/core_table.h"
#include "model/record/record_log.h"
#include "model/spec/spec_fwd.h"
#include "tlm/base/cycle_time.h"

namespace tessera::tlm_model {

// Called from the threads of processes; times in cycles of the GPU. What they ask for in one cycle is decided in the
// next, by priority, then process, so that nothing depends on the order in which SystemC runs them. Within a cycle a
// process that has just used up its CPU time does what follows, whoever has its core from then on.
class CpuCores : public sc_core::sc_module {
 public:
  // Spec::host has cores. All processes sleep.
  CpuCores(const sc_core::sc_module_name& name, const spec::Spec& spec, record::RecordLog& log);

  // Blocks the process, which sleeps, until it has a core.
  void wake(std::uint32_t process);
  // It gives up its core.
  void sleep(std::uint32_t process);
  // Blocks it, which is awake, until a core has worked that long for it. It keeps that core.
  void spend(std::uint32_t process, Cycle cycles);
  // It wants its core and does nothing from begin_spin on; end_spin blocks it until it has one.
  void begin_spin(std::uint32_t process);
  void end_spin(std::uint32_t process);

  // Records what the processes have at the end of the simulation.
  void finish(Cycle end);

 private:
  enum class Request { kWake, kSleep, kGoOn };
  struct Note {
    Cycle stamp = 0;
    std::uint32_t process = 0;
    Request request = Request::kWake;
  };
  struct Thread {
    std::uint32_t priority = 0;
    Cycle left = 0;  // of the CPU time that it spends
    Cycle counted_from = 0;
    Cycle ready_since = 0;
    Cycle started = 0;
    cpu_scheduling::CoreId last_core{};
    std::optional<Cycle> spins_since{};
    Cycle spun = 0;           // since it started
    bool is_blocked = false;  // until it may go on
    bool wants_to_go_on = false;
    sc_core::sc_event changed{};
  };
  using Cores = std::vector<std::optional<cpu_scheduling::CoreId>>;

  void note(std::uint32_t process, Request request);
  void block_until(std::uint32_t process, Request request);
  void decide();
  void take(const Note& note, Cycle now);
  Cores cores_of_all() const;
  void change_core(std::uint32_t process, std::optional<cpu_scheduling::CoreId> before, Cycle now);
  void stop(std::uint32_t process, cpu_scheduling::CoreId core, Cycle now);
  void become_ready(std::uint32_t process, Cycle now);
  void start(std::uint32_t process, cpu_scheduling::CoreId core, Cycle now);
  void count_spin(Thread& thread, Cycle now);
  static void count_time(Thread& thread, Cycle now);
  void emit(record::Record record, std::uint32_t process, Cycle now);
  std::optional<cpu_scheduling::CoreId> core_of(std::uint32_t process) const;

  CycleTime time_;
  record::RecordLog& log_;
  cpu_scheduling::CoreTable table_;
  std::deque<Thread> threads_;  // by process; a deque, since events do not move
  std::vector<Note> notes_;     // not decided yet
  sc_core::sc_event noted_;
};

}  // namespace tessera::tlm_model
