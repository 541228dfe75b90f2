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

const Form kFileOrList{"path or list", "lines of <name:sched:resv:prio:C:T>"};
const Form kEntry{"text", "<name:sched:resv:prio:C:T>"};
constexpr std::array<std::string_view, 17> kTimegraphKeys{
    "spec",         "limit_percent", "default_priority", "invocation",      "tick_us",       "notifier",
    "arrival_us",   "completion_us", "prediction_us",    "history_records", "history_scope", "accounting",
    "online_scope", "joins",         "max_online",       "background",      "focus"};

constexpr std::array<std::string_view, 5> kGloopKeys{"threshold_us", "slice_us", "switch_us", "on_timeout", "kill_us"};

constexpr std::array<std::string_view, 1> kGcapsKeys{"update_us"};

void read_gloop(MappingReader& reader, DriverSpec& driver) {
  reader.optional("threshold_us", driver.threshold, kPositiveTime);
  reader.optional("slice_us", driver.slice, kTime);
  reader.optional("switch_us", driver.token_switch, kTime);
  reader.optional("on_timeout", driver.on_timeout, Choice<OnTimeout>{});
  reader.optional("kill_us", driver.kill, kPositiveTime);
}

template <std::size_t N>
void refuse_keys(MappingReader& reader, const std::array<std::string_view, N>& keys, const char* problem) {
  for (const std::string_view key : keys) {
    if (reader.has(key)) reader.reject(key, problem);
  }
}

void read_focus(MappingReader& reader, const Spec& spec, DriverSpec& driver, Report& report) {
  driver.focus.clear();
  const std::vector<Node>& nodes = reader.list("focus", Presence::kOptional);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    MappingReader entry(nodes[i], reader.path("focus") / i, report);
    Focus focus;
    entry.required("at_us", focus.at, kTime);
    focus.process = read_process_name(entry, spec).value_or(0);
    entry.reject_unknown_keys();
    if (!driver.focus.empty() && focus.at < driver.focus.back().at) {
      entry.reject("at_us", "is before the entry in front of it");
    }
    driver.focus.push_back(focus);
  }
}

void read_background(MappingReader reader, DriverSpec& driver) {
  reader.optional("capacity_us", driver.background_capacity, kPositiveTime);
  reader.optional("period_us", driver.background_period, kPositiveTime);
  reader.reject_unknown_keys();
}

void read_timegraph(MappingReader& reader, const Spec& spec, DriverSpec& driver, Report& report) {
  if (reader.has("spec")) driver.entries.clear();
  const std::vector<Node>& entries = reader.list("spec", Presence::kOptional, kEntry);
  const EntryPlace place{reader.path("spec"), reader.is_in_own_file("spec")};
  read_timegraph_entries(entries, place, spec, driver.entries, report);
  reader.optional("limit_percent", driver.limit_percent, Number{0, 100});
  reader.optional("default_priority", driver.default_priority, kPriority);
  reader.optional("invocation", driver.invocation, Choice<Invocation>{});
  reader.optional("tick_us", driver.tick, kPositiveTime);
  reader.optional("notifier", driver.notifier, Choice<Notifier>{});
  reader.optional("arrival_us", driver.arrival, kTime);
  reader.optional("completion_us", driver.completion, kTime);
  reader.optional("prediction_us", driver.prediction, kTime);
  reader.optional("history_records", driver.history_records, Number{1, 1'000'000});
  reader.optional("history_scope", driver.history_scope, Choice<HistoryScope>{});
  reader.optional("accounting", driver.accounting, Choice<Accounting>{});
  reader.optional("online_scope", driver.online_scope, Choice<OnlineScope>{});
  reader.optional("joins", driver.joins, Choice<Joins>{});
  reader.optional("max_online", driver.max_online, Number{1, 256});
  read_background(reader.mapping("background", Presence::kOptional), driver);
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
  const bool is_kind_known = reader.optional("kind", driver.kind, Choice<DriverKind>{}) || !reader.has("kind");
  read_timegraph(reader, spec, driver, report);
  read_gloop(reader, driver);
  read_xsched(reader, spec, driver.kind == DriverKind::kXsched, driver.xsched, report);
  reader.optional("update_us", driver.update, kTime);
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
