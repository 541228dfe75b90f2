// SPDX-License-Identifier: Apache-2.0
// The keys of `driver`, in the experiment and in its baseline.
// Internal to model/spec.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "model/spec/read_timegraph_entry.h"
#include "model/spec/read_xsched.h"
#include "model/spec/readers.h"
#include "model/spec/spec.h"

namespace tessera::spec {
namespace {

Form entries_form() {
  Form entry = any_text_form("lines of <name:sched:resv:prio:C:T>");
  entry.shapes[0].pattern = "^<([^:]*:){5}[^:]*>$";
  entry.shapes[0].is_string = true;
  return either(path_form(), list_form(entry));
}
constexpr std::array<std::string_view, 17> kTimegraphKeys{
    "spec",         "limit_percent", "default_priority", "invocation",      "tick_us",       "notifier",
    "arrival_us",   "completion_us", "prediction_us",    "history_records", "history_scope", "accounting",
    "online_scope", "joins",         "max_online",       "background",      "focus"};

constexpr std::array<std::string_view, 5> kGloopKeys{"threshold_us", "slice_us", "switch_us", "on_timeout", "kill_us"};

constexpr std::array<std::string_view, 1> kGcapsKeys{"update_us"};

void read_gloop(MappingReader& reader, DriverSpec& driver) {
  reader.optional("threshold_us", driver.threshold, kPositiveTime,
                  "`kind: gloop`: so long after a session asked for the token, and after its holder got it, the holder "
                  "is told to give the GPU up");
  reader.optional(
      "slice_us", driver.slice, kTime,
      "`kind: gloop`: so long after its grant a holder is told to give the GPU up, whoever waits; 0: never");
  reader.optional("switch_us", driver.token_switch, kTime,
                  "from one session's token to another's; fitted to [G16] Figure 4a");
  reader.optional("on_timeout", driver.on_timeout, Choice<OnTimeout>{},
                  "what becomes of a kernel that was told and does not yield: it is killed, or it loses the token and "
                  "its priority, and the policy preempts it");
  reader.optional("kill_us", driver.kill, kPositiveTime, "so long after it was told");
}

template <std::size_t N>
void refuse_keys(MappingReader& reader, const std::array<std::string_view, N>& keys, const char* problem) {
  for (const std::string_view key : keys) {
    if (reader.has(key)) reader.reject(key, problem);
  }
}

void read_focus(MappingReader& reader, const Spec& spec, DriverSpec& driver, Report& report) {
  driver.focus.clear();
  const std::vector<Node>& nodes = reader.mappings(
      "focus", Presence::kOptional,
      "who has the foreground window, from when on: `*` tasks in the foreground go before other `*` tasks");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    MappingReader entry(nodes[i], reader.path("focus") / i, report);
    Focus focus;
    entry.required("at_us", focus.at, kTime, "not before that of the entry in front of it");
    focus.process = read_process_name(entry, spec).value_or(0);
    entry.reject_unknown_keys();
    if (!driver.focus.empty() && focus.at < driver.focus.back().at) {
      entry.reject("at_us", "is before the entry in front of it");
    }
    driver.focus.push_back(focus);
  }
}

void read_background(MappingReader reader, DriverSpec& driver) {
  reader.optional("capacity_us", driver.background_capacity, kPositiveTime, "its C");
  reader.optional("period_us", driver.background_period, kPositiveTime, "its T");
  reader.reject_unknown_keys();
}

void read_timegraph(MappingReader& reader, const Spec& spec, DriverSpec& driver, Report& report) {
  if (reader.has("spec")) driver.entries.clear();
  reader.node("spec", Presence::kOptional, entries_form,
              "a line for each process or application, or the path of a text file of such lines "
              "([drivers](../concepts/drivers.md#the-specification)); who has none gets the lowest priority and the "
              "Background reserve");
  const std::vector<Node>& entries = reader.known_list("spec", Presence::kOptional);
  const EntryPlace place{reader.path("spec"), reader.is_in_own_file("spec")};
  read_timegraph_entries(entries, place, spec, driver.entries, report);
  reader.optional("limit_percent", driver.limit_percent, Number{0, 100},
                  "of the GPU's time, for all reserves together; one beyond it is not admitted");
  reader.optional("default_priority", driver.default_priority, kPriority, "of those whose priority is `*`");
  reader.optional("invocation", driver.invocation, Choice<Invocation>{},
                  "interrupts tell of completions, or it looks for them, and for arrivals, at ticks");
  reader.optional("tick_us", driver.tick, kPositiveTime, "`invocation: tick`: from one to the next");
  reader.optional("notifier", driver.notifier, Choice<Notifier>{},
                  "a completion is told by a command behind the group, or by a flag of its last one");
  reader.optional("arrival_us", driver.arrival, kTime, "what the driver costs at a group's arrival");
  reader.optional("completion_us", driver.completion, kTime,
                  "what it costs at a completion, and when a budget is replenished");
  reader.optional("prediction_us", driver.prediction, kTime, "what a prediction costs beyond that");
  reader.optional("history_records", driver.history_records, Number{1, 1'000'000},
                  "of predicted costs; the least recently used one makes room");
  reader.optional("history_scope", driver.history_scope, Choice<HistoryScope>{},
                  "one history for all, or one for each process");
  reader.optional("accounting", driver.accounting, Choice<Accounting>{},
                  "budgets are charged wall time when a group is done, or at each replenishment too, or what the GPU's "
                  "counters say of the context");
  reader.optional("online_scope", driver.online_scope, Choice<OnlineScope>{},
                  "copies and kernels wait for each other, or each for their own");
  reader.optional(
      "joins", driver.joins, Choice<Joins>{},
      "`higher_priority`: a group need not wait for those of lower priority, which the hardware is trusted to preempt");
  reader.optional("max_online", driver.max_online, Number{1, 256}, "groups of an HT task on the GPU at once");
  read_background(reader.mapping("background", Presence::kOptional, "the reserve of those without one"), driver);
  if (reader.has("focus") || report.known_keys() != nullptr) read_focus(reader, spec, driver, report);
}

// What another kind would read is as if nobody had written it.
DriverSpec without_the_others(const DriverSpec& driver) {
  DriverSpec own;
  switch (driver.kind) {
    case DriverKind::kPassThrough:
      break;
    case DriverKind::kTimegraph: {
      own = driver;
      const DriverSpec presets;
      own.threshold = presets.threshold;
      own.slice = presets.slice;
      own.token_switch = presets.token_switch;
      own.on_timeout = presets.on_timeout;
      own.kill = presets.kill;
      own.xsched = presets.xsched;
      own.update = presets.update;
      break;
    }
    case DriverKind::kGloop:
      own.threshold = driver.threshold;
      own.slice = driver.slice;
      own.token_switch = driver.token_switch;
      own.on_timeout = driver.on_timeout;
      own.kill = driver.kill;
      break;
    case DriverKind::kXsched:
      own.xsched = driver.xsched;
      break;
    case DriverKind::kGcaps:
      own.update = driver.update;
      break;
  }
  own.kind = driver.kind;
  return own;
}

}  // namespace

DriverSpec read_driver(MappingReader reader, const DriverSpec& defaults, const Spec& spec, Report& report) {
  DriverSpec driver = defaults;
  const bool is_kind_known =
      reader.optional("kind", driver.kind, Choice<DriverKind>{},
                      "processes write to hardware queues themselves; [K11]'s driver holds groups of commands back; "
                      "[G16]'s hands a token from one event-driven kernel to another ([gloop](../concepts/gloop.md)); "
                      "XSched holds launches back and suspends tasks; GCAPS lets the highest priority alone use the "
                      "GPU ([drivers](../concepts/drivers.md#drivers-that-stop-tasks))") ||
      !reader.has("kind");
  read_timegraph(reader, spec, driver, report);
  read_gloop(reader, driver);
  read_xsched(reader, spec, driver.kind == DriverKind::kXsched, driver.xsched, report);
  reader.optional("update_us", driver.update, kTime,
                  "`kind: gcaps`: CPU time of a change of the run list, in the process whose call changes it; a Jetson "
                  "Xavier NX on average, 780 on an Orin Nano");
  reader.reject_unknown_keys();
  if (!is_kind_known) return driver;
  if (driver.kind != DriverKind::kTimegraph) {
    refuse_keys(reader, kTimegraphKeys, "only valid with kind: timegraph");
  }
  if (driver.kind != DriverKind::kGloop) refuse_keys(reader, kGloopKeys, "only valid with kind: gloop");
  if (driver.kind != DriverKind::kXsched) refuse_keys(reader, kXschedKeys, "only valid with kind: xsched");
  if (driver.kind != DriverKind::kGcaps) refuse_keys(reader, kGcapsKeys, "only valid with kind: gcaps");
  return without_the_others(driver);
}

}  // namespace tessera::spec
