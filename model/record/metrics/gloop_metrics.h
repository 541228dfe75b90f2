// SPDX-License-Identifier: Apache-2.0
// Metrics of event-driven kernels ([G16]): waiting times for the token, delays until it is yielded, state moved for
// that, and I/O served while other sessions have the GPU.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <vector>

#include "model/record/metrics/cycle_stats.h"
#include "model/record/metrics/histogram.h"
#include "model/record/record.h"

namespace tessera::record {

struct GloopProcessResult {
  std::uint64_t launches = 0;     // completed launches of event-driven kernels, including relaunches
  std::uint64_t suspensions = 0;  // of these, launches that left loops undone
  std::uint64_t killed = 0;
  std::uint64_t revoked = 0;
  std::uint64_t state_bytes = 0;  // written by loops that left
  CycleStats token_wait;
  std::uint64_t token_held = 0;  // cycles
  CycleStats yield_delay;        // from the scheduler's word to yield to the token's release
  std::uint64_t io_requests = 0;
  std::uint64_t io_bytes = 0;
  CycleStats io_time;              // from request to completion
  std::uint64_t io_suspended = 0;  // of this time, cycles in which the session had no token; 0 without tokens
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GloopProcessResult, launches, suspensions, killed, revoked, state_bytes, token_wait,
                                   token_held, yield_delay, io_requests, io_bytes, io_time, io_suspended)

constexpr bool is_of_gloop(Kind kind) { return kind >= Kind::kLoopLeft && kind <= Kind::kIoRequested; }

// Computes these metrics from a log, by process. Memory is constant except for open requests.
class GloopCounter {
 public:
  void consume(const Record& record);
  // Whether the run that ends now had a kernel killed with loops undone, so that it does not count as completed. Resets
  // the flag.
  bool take_killed_run(std::uint16_t process);
  // In the order of Spec::processes; empty without event-driven kernels. Call once, at the end.
  std::vector<GloopProcessResult> result(std::size_t num_processes) const;

 private:
  struct Process {
    GloopProcessResult result;
    Histogram waits, delays, io_times;
    bool has_token = false;
    bool has_had_token = false;
    bool is_killed = false;  // the kernel for which the token is held
    bool has_left_loops = false;
    bool is_run_killed = false;
    Cycle granted = 0;
    Cycle told = kNever;
    std::unordered_map<std::uint32_t, Cycle> held_at_request;  // by thread block

    Cycle held(Cycle now) const { return result.token_held + (has_token && now > granted ? now - granted : 0); }
  };
  void consume(Process& process, const Record& record);
  static void lose_token(Process& process, Cycle now);

  std::vector<Process> processes_;
};

// `processes[].gloop` of summary.json.
nlohmann::ordered_json gloop_json(const GloopProcessResult& result, std::uint64_t clock_hz);

}  // namespace tessera::record
