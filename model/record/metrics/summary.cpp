// SPDX-License-Identifier: Apache-2.0
// Integers to metrics, metrics to JSON. Keys keep their order, doubles are printed shortest: the text is
// the same wherever it is made.
#include "model/record/metrics/summary.h"

#include <algorithm>

#include "model/record/metrics/driver_summary.h"
#include "model/record/metrics/partition_summary.h"

namespace tessera::record {
namespace {

using Json = nlohmann::ordered_json;

std::optional<double> mean_cycles(const ProcessResult& result) {
  if (result.runs == 0) return std::nullopt;
  return static_cast<double>(result.turnaround_cycles) / static_cast<double>(result.runs);
}

Json number_or_null(std::optional<double> number) { return number ? Json(*number) : Json(nullptr); }

std::optional<double> quotient(std::optional<double> a, std::optional<double> b) {
  if (!a || !b || *b == 0) return std::nullopt;
  return *a / *b;
}

// NTT of one process, and its progress 1 / NTT: 0 if it completed no run, none if that cannot be known.
struct Progress {
  std::optional<double> ntt;
  std::optional<double> normalised;
};

Progress progress_of(const ProcessResult& shared, const ProcessResult& alone) {
  const std::optional<double> turnaround = mean_cycles(shared);
  const std::optional<double> turnaround_alone = mean_cycles(alone);
  if (!turnaround) return {std::nullopt, turnaround_alone ? std::optional<double>(0) : std::nullopt};
  return {quotient(turnaround, turnaround_alone), quotient(turnaround_alone, turnaround)};
}

// ANTT, STP and fairness of the foreground processes.
void add_metrics(Json& json, const std::vector<Progress>& foreground) {
  json["antt"] = json["stp"] = json["fairness"] = nullptr;
  if (foreground.empty()) return;
  const auto knows_ntt = [](const Progress& p) { return p.ntt.has_value(); };
  if (std::all_of(foreground.begin(), foreground.end(), knows_ntt)) {
    double sum = 0;
    for (const Progress& process : foreground) sum += *process.ntt;
    json["antt"] = sum / static_cast<double>(foreground.size());
  }
  const auto knows_progress = [](const Progress& p) { return p.normalised.has_value(); };
  if (!std::all_of(foreground.begin(), foreground.end(), knows_progress)) return;
  double sum = 0;
  double least = *foreground.front().normalised;
  double most = least;
  for (const Progress& process : foreground) {
    sum += *process.normalised;
    least = std::min(least, *process.normalised);
    most = std::max(most, *process.normalised);
  }
  json["stp"] = sum;
  json["fairness"] = number_or_null(quotient(least, most));
}

// Of a process that has one: what became of its kernels.
Json deadline(Picoseconds deadline, const ProcessResult& result, std::uint64_t clock_hz) {
  const double worst = static_cast<double>(result.worst_response_cycles) * 1e6 / static_cast<double>(clock_hz);
  return {{"us", static_cast<double>(deadline) / 1e6},
          {"kernels", result.deadline_kernels},
          {"missed", result.deadline_misses},
          {"worst_response_us", result.deadline_kernels == 0 ? Json(nullptr) : Json(worst)}};
}

// Of a process whose runs are released: what became of these.
Json frames(std::optional<Picoseconds> deadline, const FrameResult& result, Cycle simulated, std::uint64_t clock_hz) {
  const auto microseconds = [&](double cycles) {
    return result.ended == 0 ? Json(nullptr) : Json(cycles * 1e6 / static_cast<double>(clock_hz));
  };
  const auto of_cycles = [&](Cycle cycles) { return microseconds(static_cast<double>(cycles)); };
  const double hertz = static_cast<double>(clock_hz);
  return {
      {"released", result.released},
      {"ended", result.ended},
      {"skipped", result.skipped},
      {"deadline_us", deadline ? Json(static_cast<double>(*deadline) / 1e6) : Json(nullptr)},
      {"missed", result.missed},
      {"rate_hz", simulated == 0 ? Json(nullptr)
                                 : Json(static_cast<double>(result.ended) * hertz / static_cast<double>(simulated))},
      {"response_us",
       {{"mean", microseconds(result.response.mean())},
        {"p50", of_cycles(result.p50)},
        {"p95", of_cycles(result.p95)},
        {"p99", of_cycles(result.response.p99)},
        {"max", of_cycles(result.response.max)}}}};
}

// Of a driver that holds groups back: what it comes to, and beside each process what it does for it.
void add_driver(Json& json, const SummaryInput& input, const RunResult& result, const DriverFacts& driver) {
  if (driver.is_empty() || result.driver.is_empty()) return;
  const DriverSummary summary(driver, result.driver, input.clock_hz, result.cycles);
  std::vector<std::string> names;
  for (const SummaryProcess& process : input.processes) names.push_back(process.name);
  json["driver"] = summary.driver(names);
  for (std::size_t i = 0; i < names.size(); ++i) json["processes"][i]["gpu"] = summary.process(i);
}

// Of a driver that stops tasks: how often and how fast.
void add_suspensions(Json& json, const SummaryInput& input, const RunResult& result, const TaskFacts& facts) {
  if (facts.is_empty() || result.tasks.tasks.empty()) return;
  json["driver"] = task_driver_json(facts, result.tasks, input.clock_hz);
  for (std::size_t i = 0; i < result.tasks.tasks.size(); ++i) {
    json["processes"][i]["suspensions"] = task_json(facts, result.tasks.tasks[i], input.clock_hz);
  }
}

// Of an experiment with static partitions: its tasks, and, where the run had the partitions too, these.
void add_partitions(Json& json, const SummaryInput& input, const RunResult& result) {
  if (input.partitions.empty()) return;
  json["tasks"] = tasks_of(input, result);
  if (result.partitions.empty()) return;
  json["partitions"] = partitions_of(input, result);
  add_sms_of_partitions(json, input);
}

// Of processes with event-driven kernels.
void add_gloop(Json& json, const SummaryInput& input, const RunResult& result) {
  for (std::size_t i = 0; i < result.gloop.size(); ++i) {
    if (result.gloop[i].launches == 0) continue;
    json["processes"][i]["killed_runs"] = result.processes[i].killed_runs;
    json["processes"][i]["gloop"] = gloop_json(result.gloop[i], input.clock_hz);
  }
}

// Of processes that compete for cores.
void add_cpu(Json& json, const SummaryInput& input, const RunResult& result) {
  for (std::size_t i = 0; i < result.cpu.size(); ++i) {
    json["processes"][i]["cpu"] = cpu_json(result.cpu[i], input.clock_hz);
  }
}

void add_gpu_switches(Json& json, const SummaryInput& input, const RunResult& result) {
  if (!result.turns.is_empty()) json["gpu_switches"] = gpu_switches_of(input, result.turns);
}

// The keys that the experiment and its baseline share: processes, antt, stp, fairness.
void add_progress(Json& json, const SummaryInput& input, const RunResult& result) {
  const auto microseconds = [&input](const ProcessResult& process) {
    const std::optional<double> mean = mean_cycles(process);
    return number_or_null(mean ? std::optional<double>(*mean * 1e6 / static_cast<double>(input.clock_hz))
                               : std::nullopt);
  };
  std::vector<Progress> foreground;
  json["processes"] = Json::array();
  for (std::size_t i = 0; i < input.processes.size(); ++i) {
    const SummaryProcess& process = input.processes[i];
    const ProcessResult& shared = result.processes.at(i);
    const Progress progress = progress_of(shared, process.alone);
    if (!process.is_background) foreground.push_back(progress);
    json["processes"].push_back({{"name", process.name},
                                 {"application", process.application},
                                 {"priority", process.priority},
                                 {"background", process.is_background},
                                 {"runs", shared.runs},
                                 {"turnaround_us", microseconds(shared)},
                                 {"alone_us", microseconds(process.alone)},
                                 {"ntt", number_or_null(progress.ntt)}});
    Json& added = json["processes"].back();
    if (process.has_releases) {
      added["frames"] = frames(process.deadline, shared.frames, result.cycles, input.clock_hz);
    } else if (process.deadline) {
      added["deadline"] = deadline(*process.deadline, shared, input.clock_hz);
    }
  }
  add_metrics(json, foreground);
}

Json cycle_stats(const CycleStats& stats) {
  if (stats.count == 0) return {{"min", nullptr}, {"mean", nullptr}, {"p99", nullptr}, {"max", nullptr}};
  return {{"min", stats.min}, {"mean", stats.mean()}, {"p99", stats.p99}, {"max", stats.max}};
}

Json histogram(const std::vector<CycleRange>& ranges) {
  Json json = Json::array();
  for (const CycleRange& range : ranges)
    json.push_back({{"from", range.from}, {"to", range.to}, {"count", range.count}});
  return json;
}

Json late_count(const LateCount& late) { return {{"count", late.count}, {"late", late.late}}; }

Json victims(const VictimResult& result) {
  const auto ratio = [](std::uint64_t a, std::uint64_t b) -> Json {
    if (b == 0) return nullptr;
    return static_cast<double>(a) / static_cast<double>(b);
  };
  Json json{{"flushed", result.flushed},
            {"switched", result.switched},
            {"drained", result.drained},
            {"instructions_executed", result.instructions_executed},
            {"instructions_wasted", result.instructions_wasted},
            {"overhead", ratio(result.instructions_wasted, result.instructions_executed)},
            {"estimated_drains", result.estimated_drains},
            {"drain_error_cycles", ratio(result.drain_error_cycles, result.estimated_drains)},
            {"positions", result.positions},
            {"position_latency_cycles", cycle_stats(result.position_latency)},
            {"last_position_latency_cycles", cycle_stats(result.last_position_latency)}};
  if (result.limit == 0) return json;
  json["limit_cycles"] = result.limit;
  json["violations"] = {
      {"requests", late_count(result.requests)}, {"sms", late_count(result.sms)}, {"tbs", late_count(result.tbs)}};
  return json;
}

Json preemptions(const RunResult& result) {
  std::uint64_t count = 0;
  Json by_technique = Json::object();
  for (const auto& [technique, preemption] : result.preemptions) {
    count += preemption.latency.count;
    by_technique[technique] = {{"count", preemption.latency.count},
                               {"latency_cycles", cycle_stats(preemption.latency)},
                               {"bytes_saved", preemption.bytes_saved},
                               {"bytes_restored", preemption.bytes_restored}};
    const bool flushes = technique != to_string(Technique::kContextSwitch) && technique != to_string(Technique::kDrain);
    if (!flushes) continue;
    by_technique[technique]["tbs_flushed"] = preemption.tbs_flushed;
    by_technique[technique]["cycles_flushed"] = preemption.cycles_flushed;
  }
  Json json{{"count", count}, {"by_technique", by_technique}};
  if (!result.victims.is_empty()) json["victims"] = victims(result.victims);
  return json;
}

// Of the time of all SMs.
Json share_of_sm_cycles(const SummaryInput& input, std::uint64_t cycles) {
  if (input.shared.cycles == 0) return nullptr;
  const double sm_cycles = static_cast<double>(input.shared.cycles) * input.num_sms;
  return static_cast<double>(cycles) / sm_cycles;
}

// Shares of the slots that SMs have for the kernels that hold them: in which TBs ran, and what held the others back.
Json sm_slots(const SlotCycles& slots) {
  if (slots.all == 0) return nullptr;
  const auto share = [&](std::uint64_t cycles) { return static_cast<double>(cycles) / static_cast<double>(slots.all); };
  const std::uint64_t issue = slots.all - slots.run - slots.preempted - slots.without_demand;
  return {{"occupancy", share(slots.run)},
          {"held_back",
           {{"issue", share(issue)}, {"demand", share(slots.without_demand)}, {"preemption", share(slots.preempted)}}}};
}

// Mean traffic in GB/s; bytes over the cycles of the run.
void add_memory(Json& json, const SummaryInput& input, const RunResult& result) {
  if (result.memory.largest_latency_ppm == 0) return;
  json["memory"] = {{"bytes", result.memory.bytes},
                    {"mean_gbps", nullptr},
                    {"largest_latency", static_cast<double>(result.memory.largest_latency_ppm) / 1e6}};
  if (result.cycles == 0) return;
  const double per_cycle = static_cast<double>(result.memory.bytes) / static_cast<double>(result.cycles);
  json["memory"]["mean_gbps"] = per_cycle * static_cast<double>(input.clock_hz) / 1e9;
}

}  // namespace

Json make_summary(const SummaryInput& input) {
  const RunResult& shared = input.shared;
  const bool baseline_complete = !input.baseline || input.baseline->complete;
  Json json;
  json["schema"] = "tessera-summary-1";
  json["tessera_version"] = input.tessera_version;
  json["abstraction"] = input.abstraction;
  json["engine"] = input.engine;
  json["complete"] = shared.complete && baseline_complete;
  json["stop_reason"] = shared.complete && !baseline_complete ? input.baseline->stop_reason : shared.stop_reason;
  json["spec"] = input.spec;
  json["simulated_cycles"] = shared.cycles;
  json["tbs_completed"] = shared.tbs_completed;
  add_progress(json, input, shared);
  json["baseline"] = nullptr;
  if (input.baseline) {
    json["baseline"] = Json::object();
    add_progress(json["baseline"], input, *input.baseline);
    add_driver(json["baseline"], input, *input.baseline, input.baseline_driver);
    add_suspensions(json["baseline"], input, *input.baseline, input.baseline_driver.stops);
    add_partitions(json["baseline"], input, *input.baseline);
    add_gloop(json["baseline"], input, *input.baseline);
    add_cpu(json["baseline"], input, *input.baseline);
    add_gpu_switches(json["baseline"], input, *input.baseline);
    add_memory(json["baseline"], input, *input.baseline);
  }
  add_driver(json, input, shared, input.driver);
  add_suspensions(json, input, shared, input.driver.stops);
  add_partitions(json, input, shared);
  add_gloop(json, input, shared);
  add_cpu(json, input, shared);
  add_gpu_switches(json, input, shared);
  add_memory(json, input, shared);
  json["preemptions"] = preemptions(shared);
  json["policy"] = {{"invocations", shared.policy_invocations},
                    {"decision_cycles", cycle_stats(shared.decisions)},
                    {"decision_histogram", histogram(shared.decision_histogram)},
                    {"first_decision_cycles", cycle_stats(shared.first_decisions)},
                    {"first_decision_histogram", histogram(shared.first_decision_histogram)}};
  json["sm_utilisation"] = share_of_sm_cycles(input, shared.busy_sm_cycles);
  json["sm_slots"] = sm_slots(shared.slots);
  if (shared.withheld_sm_cycles > 0) json["sm_idle_by_rule"] = share_of_sm_cycles(input, shared.withheld_sm_cycles);
  json["invariants"] = shared.invariants;
  json["open_saves"] = shared.open_saves;
  return json;
}

}  // namespace tessera::record
