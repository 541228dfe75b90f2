// SPDX-License-Identifier: Apache-2.0
// Tables from a summary. A null becomes a dash.
#include "apps/tessera/run_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "apps/tessera/cpu_report.h"
#include "apps/tessera/driver_report.h"
#include "apps/tessera/gloop_report.h"
#include "apps/tessera/machine_report.h"
#include "apps/tessera/partition_report.h"
#include "apps/tessera/report_units.h"
#include "apps/tessera/task_report.h"
#include "model/record/trace/csv_cell.h"
#include "model/spec/names.h"

namespace tessera::app {
namespace {

using Json = nlohmann::ordered_json;

std::string number(const Json& value, int digits) {
  return value.is_number() ? fmt::format("{:.{}f}", value.get<double>(), digits) : "-";
}

std::string times(const Json& value) { return value.is_number() ? number(value, 2) + "x" : "-"; }

std::string bytes(const Json& count) {
  const double value = count.get<double>();
  if (value < 1e6) return fmt::format("{:.1f} kB", value / 1e3);
  if (value < 1e9) return fmt::format("{:.1f} MB", value / 1e6);
  return fmt::format("{:.2f} GB", value / 1e9);
}

const spec::PolicyInfo& policy_of(const Json& scheduler) {
  return spec::info(spec::parse<spec::PolicyKind>(scheduler.at("policy").get<std::string>()).value());
}

std::string scheduler_name(const Json& scheduler) {
  const std::string policy = scheduler.at("policy");
  const std::string technique = scheduler.at("technique");
  return policy_of(scheduler).has(spec::kPreempts) ? policy + " + " + technique : policy;
}

std::string title(const Json& summary) {
  const Json& spec = summary.at("spec");
  std::string text = fmt::format("{}: {} on {} ({} SMs), {} engine, seed {}", spec.at("name").get<std::string>(),
                                 scheduler_name(spec.at("scheduler")), spec.at("gpu").at("name").get<std::string>(),
                                 spec.at("gpu").at("num_sms").get<int>(), summary.at("engine").get<std::string>(),
                                 spec.at("seed").get<std::uint64_t>());
  const std::string reason = summary.at("stop_reason");
  if (!summary.at("complete").get<bool>()) {
    text += "  [incomplete: " + reason + "]";
  } else if (reason != "min_runs") {
    text += "  [ended by " + reason + "]";
  }
  return text;
}

// The column for what a policy orders processes by. An order that is not here is by nothing of theirs.
struct Ordering {
  spec::PolicyOrder order;
  const char* heading;
  const char* key;    // of a process of the Spec
  const char* unset;  // what stands there where a process has none
};
constexpr std::array kOrderings{
    Ordering{spec::PolicyOrder::kPriority, "priority", "priority", "-"},
    Ordering{spec::PolicyOrder::kTokens, "tokens", "tokens", "equal"},
    Ordering{spec::PolicyOrder::kDeadline, "due in us", "deadline_us", "-"},
    Ordering{spec::PolicyOrder::kPartition, "partition", "partition", "-"},
};

const Ordering* ordering_of(const Json& scheduler) {
  const spec::PolicyOrder order = policy_of(scheduler).order;
  const auto* const found =
      std::find_if(kOrderings.begin(), kOrderings.end(), [&](const Ordering& each) { return each.order == order; });
  return found == kOrderings.end() ? nullptr : found;
}

std::string ordering_cell(const Ordering* ordering, const Json& process) {
  if (ordering == nullptr) return "";
  const auto value = process.find(ordering->key);
  if (value == process.end() || value->is_null()) return fmt::format("{:>10}", ordering->unset);
  return fmt::format("{:>10}", value->is_string() ? value->get<std::string>() : value->dump());
}

std::string process_table(const Json& summary) {
  const Json& processes = summary.at("processes");
  const Json& baseline = summary.at("baseline");
  std::size_t width = 12;
  for (const Json& process : processes) width = std::max(width, process.at("name").get<std::string>().size() + 2);
  std::string baseline_ntt;
  if (!baseline.is_null()) baseline_ntt = scheduler_name(summary.at("spec").at("baseline"));
  const std::size_t baseline_width = std::max<std::size_t>(24, baseline_ntt.size() + 2);
  const Json& spec = summary.at("spec");
  const Ordering* const ordering = ordering_of(spec.at("scheduler"));
  std::string text = fmt::format("  {:{}}{:>14}{:>{}}{:>6}{:>12}{:>12}{:>10}{:>{}}\n", "process", width, "application",
                                 ordering == nullptr ? "" : ordering->heading, ordering == nullptr ? 0 : 10, "runs",
                                 "alone", "shared", "NTT", baseline_ntt, baseline_width);
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const Json& process = processes[i];
    const std::string other = baseline.is_null() ? "" : times(baseline.at("processes").at(i).at("ntt"));
    text += fmt::format("  {:{}}{:>14}{}{:>6}{:>12}{:>12}{:>10}{:>{}}\n", process.at("name").get<std::string>(), width,
                        process.at("application").get<std::string>(),
                        ordering_cell(ordering, spec.at("workload").at("processes").at(i)),
                        process.at("runs").get<std::uint64_t>(), us_text(process.at("alone_us")),
                        us_text(process.at("turnaround_us")), times(process.at("ntt")), other, baseline_width);
  }
  return text;
}

std::string metrics_table(const Json& summary) {
  const Json& spec = summary.at("spec");
  const auto row = [](const std::string& name, const Json& metrics) {
    return fmt::format("  {:<28}{:>10}{:>10}{:>10}\n", name, times(metrics.at("antt")), number(metrics.at("stp"), 2),
                       number(metrics.at("fairness"), 3));
  };
  std::string text = fmt::format("  {:<28}{:>10}{:>10}{:>10}\n", "scheduler", "ANTT", "STP", "fairness");
  text += row(scheduler_name(spec.at("scheduler")), summary);
  if (!summary.at("baseline").is_null())
    text += row(scheduler_name(spec.at("baseline")) + " (baseline)", summary.at("baseline"));
  return text;
}

// A row for each process whose runs are released; empty where there is none.
std::string frame_table(const Json& summary) {
  std::string rows;
  const auto add_rows = [&rows](const Json& processes, const std::string& behind) {
    for (const Json& process : processes) {
      if (!process.contains("frames")) continue;
      const Json& frames = process.at("frames");
      const Json& response = frames.at("response_us");
      rows += fmt::format("  {:<28}{:>10}{:>12}{:>12}{:>12}{:>12}{:>16}{:>9}\n",
                          process.at("name").get<std::string>() + behind, number(frames.at("rate_hz"), 1),
                          us_text(response.at("p50")), us_text(response.at("p95")), us_text(response.at("p99")),
                          us_text(frames.at("deadline_us")),
                          fmt::format("{} of {}", frames.at("missed").dump(), frames.at("released").dump()),
                          frames.at("skipped").get<std::uint64_t>());
    }
  };
  add_rows(summary.at("processes"), "");
  const Json& baseline = summary.at("baseline");
  if (!baseline.is_null())
    add_rows(baseline.at("processes"), " (" + scheduler_name(summary.at("spec").at("baseline")) + ")");
  if (rows.empty()) return "";
  return fmt::format("  {:<28}{:>10}{:>12}{:>12}{:>12}{:>12}{:>16}{:>9}\n", "released runs", "a second", "p50", "p95",
                     "p99", "due in", "missed", "skipped") +
         rows + "\n";
}

std::string partition_tables_of(const Json& summary) {
  const bool has_baseline = !summary.at("baseline").is_null();
  return partition_tables(summary, has_baseline ? scheduler_name(summary.at("spec").at("baseline")) : "");
}

// A line for each process whose kernels have a deadline.
std::string deadline_lines(const Json& summary) {
  const auto text_of = [](const Json& deadline) {
    return fmt::format("{} of {} kernels late, {} at most", deadline.at("missed").get<std::uint64_t>(),
                       deadline.at("kernels").get<std::uint64_t>(), us_text(deadline.at("worst_response_us")));
  };
  const Json& baseline = summary.at("baseline");
  std::string text;
  for (std::size_t i = 0; i < summary.at("processes").size(); ++i) {
    const Json& process = summary.at("processes")[i];
    if (!process.contains("deadline")) continue;
    text += fmt::format("  deadline  {}, {}: {}", process.at("name").get<std::string>(),
                        us_text(process.at("deadline").at("us")), text_of(process.at("deadline")));
    if (!baseline.is_null()) {
      text += fmt::format(" ({}: {})", scheduler_name(summary.at("spec").at("baseline")),
                          text_of(baseline.at("processes")[i].at("deadline")));
    }
    text += '\n';
  }
  return text;
}

std::string preemption_lines(const Json& summary) {
  std::string text;
  for (const auto& [technique, stats] : summary.at("preemptions").at("by_technique").items()) {
    if (stats.at("count") == 0) continue;
    const auto us = [&](const char* key) { return cycles_to_us(summary, stats.at("latency_cycles").at(key)); };
    text += fmt::format("  preempted {} SMs by {}: {:.2f} us on average, 99 % within {:.2f} us, {:.2f} us at most\n",
                        stats.at("count").get<std::uint64_t>(), technique, us("mean"), us("p99"), us("max"));
    if (stats.at("bytes_saved") == 0) continue;
    text += fmt::format("  contexts  {} saved, {} restored\n", bytes(stats.at("bytes_saved")),
                        bytes(stats.at("bytes_restored")));
  }
  return text;
}

// How thread blocks left where they were chosen one by one, what that cost, and how late their places were.
std::string victim_line(const Json& summary) {
  const Json& preemptions = summary.at("preemptions");
  if (!preemptions.contains("victims")) return "";
  const Json& victims = preemptions.at("victims");
  const auto count = [&](const char* key) { return victims.at(key).get<std::uint64_t>(); };
  std::string text = fmt::format("  victims   {} flushed, {} switched, {} drained", count("flushed"), count("switched"),
                                 count("drained"));
  if (victims.at("overhead").is_number())
    text += fmt::format("; {:.1f} % of what flushing all would waste", 100 * victims.at("overhead").get<double>());
  if (victims.contains("violations")) {
    const Json& sms = victims.at("violations").at("sms");
    if (sms.at("count") != 0) {
      text += fmt::format("; {:.1f} % of SMs later than {:.4g} us",
                          100 * sms.at("late").get<double>() / sms.at("count").get<double>(),
                          cycles_to_us(summary, victims.at("limit_cycles")));
    }
  }
  return text + "\n";
}

// How often a kept turn passed, and why.
std::string gpu_switch_line(const Json& summary) {
  if (!summary.contains("gpu_switches")) return "";
  const Json& switches = summary.at("gpu_switches");
  const Json& causes = switches.at("by_cause");
  const auto count = [&](const char* cause) { return causes.at(cause).get<std::uint64_t>(); };
  std::string text = fmt::format("  switches  {} of the GPU: {} dry, {} at the end of a slice",
                                 switches.at("count").get<std::uint64_t>(), count("dry"), count("slice_over"));
  if (count("off_run_list") > 0) text += fmt::format(", {} off the run list", count("off_run_list"));
  text += fmt::format("; nobody had it for {}\n", us_text(switches.at("no_owner_us")));
  return text;
}

}  // namespace

std::string report_text(const Json& summary) {
  return fmt::format("{}\n\n{}\n{}\n{}{}{}", title(summary), process_table(summary), metrics_table(summary),
                     driver_tables(summary) + suspension_table(summary) + gloop_table(summary) + cpu_table(summary),
                     frame_table(summary) + partition_tables_of(summary) + deadline_lines(summary) +
                         preemption_lines(summary) + victim_line(summary) + gpu_switch_line(summary) +
                         driver_line(summary),
                     machine_lines(summary));
}

std::string timeline_text(const record::Timeline& timeline, const Json& summary) {
  if (timeline.rows.empty()) return "";
  const auto at = [&](Cycle cycle) { return us_text(Json(cycles_to_us(summary, Json(cycle)))); };
  const Cycle shown = timeline.rows.front().size() * timeline.cycles_a_column;
  std::string text = fmt::format("\n  SM  {} to {}, {} a column\n", at(timeline.from), at(timeline.from + shown),
                                 at(timeline.cycles_a_column));
  constexpr std::size_t kMaxRows = 32;  // a large GPU would push everything else off the screen
  const std::size_t num_rows = std::min(timeline.rows.size(), kMaxRows);
  for (std::size_t sm = 0; sm < num_rows; ++sm) text += fmt::format("  {:>3} {}\n", sm, timeline.rows[sm]);
  if (num_rows < timeline.rows.size()) text += fmt::format("      and {} more SMs\n", timeline.rows.size() - num_rows);
  const std::string rule = summary.contains("sm_idle_by_rule") ? ", - idle by rule" : "";
  text += "     ";
  const Json& processes = summary.at("processes");
  for (std::size_t i = 0; i < processes.size(); ++i) {
    text += fmt::format(" {} {} ", static_cast<char>('A' + i % 26), processes[i].at("name").get<std::string>());
  }
  return text + "\n      small letters: contexts on the move, ~ draining, . idle" + rule + "\n\n";
}

std::string timing_text(const std::vector<platform::SimulationTiming>& timing) {
  double seconds = 0;
  std::uint64_t tbs = 0;
  for (const platform::SimulationTiming& one : timing) {
    seconds += one.seconds;
    tbs += one.tbs;
  }
  return fmt::format("simulator {} simulations, {:.2f} s of computing, {} thread blocks", timing.size(), seconds, tbs);
}

std::string processes_csv(const Json& summary) {
  const auto cell = [](const Json& value) { return value.is_null() ? std::string() : value.dump(); };
  const bool has_driver = holds_groups(summary);
  std::string text = "name,application,priority,background,runs,turnaround_us,alone_us,ntt,baseline_ntt";
  text += (has_driver ? driver_columns() : "") + "\n";
  for (std::size_t i = 0; i < summary.at("processes").size(); ++i) {
    const Json& process = summary.at("processes").at(i);
    const Json& baseline = summary.at("baseline");
    for (const char* key : {"name", "application"}) text += record::csv_cell(process.at(key)) + ",";
    for (const char* key : {"priority", "background", "runs", "turnaround_us", "alone_us", "ntt"}) {
      text += cell(process.at(key)) + ",";
    }
    text += baseline.is_null() ? "" : cell(baseline.at("processes").at(i).at("ntt"));
    text += (has_driver ? driver_cells(summary, process) : "") + "\n";
  }
  return text;
}

}  // namespace tessera::app
