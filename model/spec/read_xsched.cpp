// SPDX-License-Identifier: Apache-2.0
// What holds for all processes, then what differs, process by process.
#include "model/spec/read_xsched.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/spec/policies.h"
#include "model/spec/readers.h"
#include "model/spec/spec.h"

namespace tessera::spec {
namespace {

constexpr Number kLaunches{1, 1024};  // what a hardware queue's ring can hold

struct LaunchingMeanings {
  Meaning threshold, batch, level;
};
constexpr LaunchingMeanings kOfAll{
    "`kind: xsched`: launches of a process on the GPU at once",
    "with so many there, the host waits for the oldest `batch` before it launches again; at most `threshold`",
    "how a process is suspended: 1 launches are held back; 2 besides, nothing starts that was handed over; 3 besides, "
    "its context is taken off the GPU (needs `policy: time_slice` with `turn: kept`)"};
constexpr LaunchingMeanings kOfATask{"as `driver.threshold`, which it overrides", "as `driver.batch`",
                                     "as `driver.level`"};

// Into `task` what the reader has of these keys.
void read_launching(MappingReader& reader, XschedTaskSpec& task, const LaunchingMeanings& meanings) {
  reader.optional("threshold", task.threshold, kLaunches, meanings.threshold);
  reader.optional("batch", task.batch, kLaunches, meanings.batch);
  reader.optional("level", task.level, Number{1, 3}, meanings.level);
}

void require_batch_within(MappingReader& reader, const XschedTaskSpec& task) {
  if (task.batch <= task.threshold) return;
  reader.reject(reader.has("batch") ? "batch" : "threshold", "the batch is above the threshold",
                fmt::format("{}", reader.has("batch") ? task.batch : task.threshold),
                fmt::format("a batch of at most {}", task.threshold));
}

void read_tasks(MappingReader& reader, const Spec& spec, std::vector<XschedTaskSpec>& tasks, Report& report) {
  const std::vector<Node>& nodes = reader.mappings("tasks", Presence::kOptional, "processes for which these differ");
  std::vector<bool> is_named(tasks.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    MappingReader entry(nodes[i], reader.path("tasks") / i, report);
    const std::optional<std::uint32_t> process = read_process_name(entry, spec);
    XschedTaskSpec task = process ? tasks[*process] : XschedTaskSpec{};
    read_launching(entry, task, kOfATask);
    entry.optional("weight", task.weight, Number{1, 1'000'000},
                   "where any process has one: turns by weights instead of priorities; a process without one has 1");
    entry.reject_unknown_keys();
    require_batch_within(entry, task);
    if (!process) continue;
    if (is_named[*process]) entry.reject("process", "an earlier entry has this process");
    is_named[*process] = true;
    tasks[*process] = task;
  }
}

void require_order(MappingReader& reader, std::string_view max_key, Picoseconds least, Picoseconds most) {
  if (least <= most) return;
  reader.reject(max_key, "is below the least", kTime.text(most), fmt::format("at least {}", kTime.text(least)));
}

// Of another driver, whose mapping is refused as a whole, no process is missed.
void read_suspensions(MappingReader reader, const Spec& spec, bool is_own, std::optional<SuspensionSpec>& suspensions) {
  SuspensionSpec read = suspensions.value_or(SuspensionSpec{});
  if (is_own || reader.has("process")) read.process = read_process_name(reader, spec).value_or(0);
  reader.optional("min_run_us", read.min_run, kTime, "from a resume to the next suspension: at least this ..");
  reader.optional("max_run_us", read.max_run, kTime, ".. and at most this");
  reader.optional("min_pause_us", read.min_pause, kTime,
                  "from when nothing of it is on the GPU to the resume, likewise");
  reader.optional("max_pause_us", read.max_pause, kTime, "not below that");
  reader.optional("slack_us", read.slack, kTime, "each of these takes longer by this: what timers add to a sleep");
  reader.reject_unknown_keys();
  require_order(reader, "max_run_us", read.min_run, read.max_run);
  require_order(reader, "max_pause_us", read.min_pause, read.max_pause);
  suspensions = read;
}

}  // namespace

std::optional<std::uint32_t> read_process_name(MappingReader& reader, const Spec& spec) {
  std::string name;
  if (!reader.required("process", name, Text{}, "its name")) return std::nullopt;
  for (std::uint32_t i = 0; i < spec.processes.size(); ++i) {
    if (spec.processes[i].name == name) return i;
  }
  reader.reject("process", "no process has this name", name);
  return std::nullopt;
}

void read_xsched(MappingReader& reader, const Spec& spec, bool is_own, XschedSpec& xsched, Report& report) {
  // 1. What holds for all.
  XschedTaskSpec common;
  read_launching(reader, common, kOfAll);
  require_batch_within(reader, common);
  xsched.tasks.resize(spec.processes.size());
  for (XschedTaskSpec& task : xsched.tasks) {
    if (reader.has("tasks")) task = XschedTaskSpec{};
    if (reader.has("tasks") || reader.has("threshold")) task.threshold = common.threshold;
    if (reader.has("tasks") || reader.has("batch")) task.batch = common.batch;
    if (reader.has("tasks") || reader.has("level")) task.level = common.level;
  }
  // 2. What differs.
  if (reader.has("tasks") || report.known_keys() != nullptr) read_tasks(reader, spec, xsched.tasks, report);
  reader.optional("round_us", xsched.round, kPositiveTime, "the time that weights divide (XSched's own default)");
  reader.optional("suspend_us", xsched.suspend, kTime,
                  "levels 2 and 3: from the decision to suspend to the register write");
  reader.optional("resume_us", xsched.resume, kTime, "the same of a resume");
  const bool lists_keys = report.known_keys() != nullptr;
  if (!reader.has("suspensions") && !lists_keys) return;
  const MappingReader suspensions =
      reader.mapping("suspensions", Presence::kOptional,
                     "somebody who suspends a process again and again, whatever the policy says, to measure how long "
                     "that takes; times are uniform in their ranges, drawn from `seed`");
  read_suspensions(suspensions, spec, is_own || lists_keys, xsched.suspensions);
}

void check_run_list(MappingReader reader, const DriverSpec& driver, const SchedulerSpec& scheduler) {
  if (keeps_turn(scheduler)) return;
  const char* const problem = "takes contexts off the GPU, which needs a scheduler that keeps turns";
  const char* const allowed = "policy: time_slice with turn: kept";
  if (driver.kind == DriverKind::kGcaps) reader.reject("kind", problem, "gcaps", allowed);
  if (driver.kind != DriverKind::kXsched) return;
  const auto is_taken_off = [](const XschedTaskSpec& task) { return task.level == 3; };
  if (!std::any_of(driver.xsched.tasks.begin(), driver.xsched.tasks.end(), is_taken_off)) return;
  reader.reject(reader.has("level") ? "level" : "tasks", std::string("level 3 ") + problem, "3", allowed);
}

}  // namespace tessera::spec
