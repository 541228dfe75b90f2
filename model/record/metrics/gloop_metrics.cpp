// SPDX-License-Identifier: Apache-2.0
// Counting, and cycles as microseconds.
#include "model/record/metrics/gloop_metrics.h"

#include <utility>

#include "model/record/numbers.h"

namespace tessera::record {

void GloopCounter::consume(const Record& record) {
  if (!is_of_gloop(record.kind) || record.process == kNoIndex) return;
  if (record.process >= processes_.size()) processes_.resize(record.process + std::size_t{1});
  consume(processes_[record.process], record);
}

void GloopCounter::consume(Process& process, const Record& record) {
  GloopProcessResult& result = process.result;
  switch (record.kind) {
    case Kind::kLoopsLeft:
      ++result.launches;
      result.suspensions += number::loops_left(record) > 0 ? 1 : 0;
      result.state_bytes += record.bytes;
      process.has_left_loops = number::loops_left(record) > 0;
      process.is_run_killed = process.is_run_killed || (process.is_killed && process.has_left_loops);
      return;
    case Kind::kTokenGranted:
      process.waits.add(record.cycles);
      process.has_token = process.has_had_token = true;
      process.is_killed = process.has_left_loops = false;
      process.granted = record.cycle;
      return;
    case Kind::kYieldRequested:
      process.told = record.cycle;
      return;
    case Kind::kTokenReleased:
      if (process.told != kNever) process.delays.add(record.cycle - process.told);
      return lose_token(process, record.cycle);
    case Kind::kTokenRevoked:
      ++result.revoked;
      return lose_token(process, record.cycle);
    case Kind::kKernelKilled:
      ++result.killed;
      // Its kernel may have left while the word was on its way; the host gives it up all the same.
      process.is_killed = true;
      process.is_run_killed = process.is_run_killed || process.has_left_loops;
      return;
    case Kind::kIoRequested:
      process.held_at_request[record.tb] = process.held(record.cycle);
      return;
    case Kind::kIoDone: {
      ++result.io_requests;
      result.io_bytes += record.bytes;
      process.io_times.add(record.cycles);
      const Cycle held = process.held(record.cycle) - process.held_at_request[record.tb];
      if (process.has_had_token) result.io_suspended += record.cycles - held;
      return;
    }
    default:
      return;
  }
}

bool GloopCounter::take_killed_run(std::uint16_t process) {
  return process < processes_.size() && std::exchange(processes_[process].is_run_killed, false);
}

void GloopCounter::lose_token(Process& process, Cycle now) {
  process.result.token_held = process.held(now);
  process.has_token = false;
  process.told = kNever;
}

std::vector<GloopProcessResult> GloopCounter::result(std::size_t num_processes) const {
  std::vector<GloopProcessResult> results;
  if (processes_.empty()) return results;
  for (const Process& process : processes_) {
    results.push_back(process.result);
    results.back().token_wait = stats_of(process.waits);
    results.back().yield_delay = stats_of(process.delays);
    results.back().io_time = stats_of(process.io_times);
  }
  results.resize(num_processes);
  return results;
}

nlohmann::ordered_json gloop_json(const GloopProcessResult& result, std::uint64_t clock_hz) {
  using GloopJson = nlohmann::ordered_json;
  const auto microseconds = [clock_hz](double cycles) { return cycles * 1e6 / static_cast<double>(clock_hz); };
  const auto stats = [&](const CycleStats& cycles) -> GloopJson {
    if (cycles.count == 0) return {{"mean", nullptr}, {"p99", nullptr}, {"max", nullptr}};
    return {{"mean", microseconds(cycles.mean())},
            {"p99", microseconds(static_cast<double>(cycles.p99))},
            {"max", microseconds(static_cast<double>(cycles.max))}};
  };
  GloopJson json{{"launches", result.launches},
                 {"suspensions", result.suspensions},
                 {"killed", result.killed},
                 {"revoked", result.revoked},
                 {"state_bytes", result.state_bytes}};
  json["token"] = {{"grants", result.token_wait.count},
                   {"wait_us", stats(result.token_wait)},
                   {"held_us", microseconds(static_cast<double>(result.token_held))}};
  json["yield_delay_us"] = stats(result.yield_delay);
  json["io"] = {{"requests", result.io_requests}, {"bytes", result.io_bytes}, {"time_us", stats(result.io_time)}};
  json["io"]["while_suspended"] =
      result.io_time.sum == 0
          ? GloopJson(nullptr)
          : GloopJson(static_cast<double>(result.io_suspended) / static_cast<double>(result.io_time.sum));
  return json;
}

}  // namespace tessera::record
