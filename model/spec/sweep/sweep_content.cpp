// SPDX-License-Identifier: Apache-2.0
// A point is the base experiment under the overrides of its values. Files are read once, experiments resolved anew.
#include "model/spec/sweep/sweep_content.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "model/spec/file_kind.h"
#include "model/spec/names.h"
#include "model/spec/readers.h"
#include "model/spec/sweep/spec_keys.h"
#include "model/spec/sweep/sweep_columns.h"

namespace tessera::spec {
namespace {

std::string path_text(const std::vector<Override::Segment>& path) {
  std::string text;
  for (const Override::Segment& segment : path) text += (text.empty() ? "" : ".") + segment.key;
  return text;
}

// The words of enumerations, which need no quotes in a condition.
template <typename... Enumerations>
void add_words(std::vector<std::string>& words) {
  const auto add = [&words](const auto& names) {
    for (const auto& name : names) words.emplace_back(name.text);
  };
  (add(kNames<Enumerations>), ...);
}

}  // namespace

void Sweep::Content::read_base(Report& report) {
  if (file.base.kind == Node::Kind::kMapping) {
    experiment = path;
    base = file.base;
    return;
  }
  if (file.base.kind != Node::Kind::kScalar) return;
  experiment = (path.parent_path() / file.base.text).lexically_normal();
  const KeyPath key = KeyPath{} / "base";
  base = read_document(experiment, file.base.where, key, report);
  expect_kind(base, FileKind::kExperiment, file.base.where, key, report);
}

void Sweep::Content::add_overrides(const std::vector<std::string>& texts, Report& report) {
  fixed = file.fixed;
  for (Override& change : parse_overrides(texts, report)) set_over(fixed, std::move(change));
}

void Sweep::Content::reject_repeated_keys(Report& report) const {
  std::map<std::string, std::string> owner_of;
  for (const SweepAxis& axis : file.spec.axes) {
    for (const std::string& key : axis.keys) {
      const auto [first, is_new] = owner_of.emplace(key, axis.name);
      if (is_new) continue;
      report.add(file.axes_where, {"axes", "axes"}, "two axes set the same key", key,
                 fmt::format("{} and {}", first->second, axis.name));
    }
  }
  for (const Override& change : fixed) {
    const std::string key = path_text(change.path);
    const auto owner = owner_of.find(key);
    if (owner == owner_of.end()) continue;
    report.add(change.where, {key, key}, "is set by an axis", owner->second, "another key");
  }
}

// What a condition may name: axes, keys that axes set, and every key of the resolved experiment; by its last word where
// only one has it.
void Sweep::Content::learn_names() {
  std::set<std::string> paths;
  for (const SweepAxis& axis : file.spec.axes) paths.insert(axis.keys.begin(), axis.keys.end());
  const std::set<std::string> of_axes = paths;
  Report ignored;
  const SweepPoint first{0, 0, std::vector<std::size_t>(file.spec.axes.size()), {}};
  const Spec resolved = read_experiment(tree_of(first, ignored), cores(), UnreadKeys::kRefused, ignored);
  for (const auto& [path_, value] : leaves_of(resolved)) {
    paths.insert(path_);
  }
  const auto add_short = [this](const std::set<std::string>& all) {
    std::map<std::string, int> count;
    for (const std::string& one : all) ++count[last_key(one)];
    for (const std::string& one : all) {
      if (count[last_key(one)] == 1) key_of.emplace(last_key(one), one);
    }
  };
  for (const std::string& one : paths) key_of.emplace(one, one);
  add_short(of_axes);
  add_short(paths);
}

void Sweep::Content::read_conditions(Report& report) {
  if (file.conditions.empty()) return;
  learn_names();
  std::set<std::string> names;
  Condition::Vocabulary vocabulary;
  for (const SweepAxis& axis : file.spec.axes) {
    names.insert(axis.name);
    vocabulary.words.insert(vocabulary.words.end(), axis.labels.begin(), axis.labels.end());
  }
  for (const auto& [name, key] : key_of) names.insert(name);
  add_words<PolicyKind, TechniqueKind, FlushFallback, ChimeraMix, SwitchPricing, Estimator, CandidateSets, Access,
            ExclusiveScope, TokenScope, Debt, Remainder, Fill, ChannelSharing, TimeBase, DmaPolicy, Arrivals, Overrun,
            Engine, Transfers>(vocabulary.words);
  vocabulary.names.assign(names.begin(), names.end());
  vocabulary.is_name = [&names](const std::string& word) { return names.count(word) > 0; };
  for (const OpenText& text : file.conditions) {
    auto condition = Condition::parse(text.text, text.where, text.key, vocabulary, report);
    if (condition) conditions.push_back(std::move(*condition));
  }
}

std::size_t Sweep::Content::num_combinations() const {
  std::size_t number = std::max<std::size_t>(1, file.spec.seeds.size());
  const bool is_zip = file.spec.mode == SweepMode::kZip;
  for (std::size_t i = 0; i < file.spec.axes.size(); ++i) {
    if (!is_zip || i == 0) number *= file.spec.axes[i].labels.size();
  }
  return number;
}

std::vector<Override> Sweep::Content::overrides_of(const SweepPoint& point) const {
  std::vector<Override> overrides = fixed;
  for (std::size_t i = 0; i < point.choice.size(); ++i) {
    const std::vector<Override>& more = file.values[i][point.choice[i]];
    overrides.insert(overrides.end(), more.begin(), more.end());
  }
  if (point.seed) {
    const Location where{path.string(), 1, 1};
    overrides.push_back({{{"seed", 1}}, plain_scalar(std::to_string(*point.seed), where), where});
  }
  sort_overrides(overrides);
  return overrides;
}

Node Sweep::Content::tree_of(const SweepPoint& point, Report& report) const {
  return resolve_experiment(base, experiment, overrides_of(point), report, &cache);
}

std::optional<ConditionValue> Sweep::Content::look_up(const std::string& name, const SweepPoint& point,
                                                      const Node& tree,
                                                      std::map<std::string, std::string>& leaves) const {
  for (std::size_t i = 0; i < point.choice.size(); ++i) {
    const SweepAxis& axis = file.spec.axes[i];
    if (axis.name == name) return condition_value(axis.labels[point.choice[i]]);
  }
  const std::string& key = key_of.at(name);
  const Node* const node = node_at(tree, key);  // as it is written, be it good or not: that is what conditions are for
  if (node != nullptr && node->kind == Node::Kind::kScalar) return condition_value(node->text);
  if (leaves.empty()) {
    Report ignored;
    leaves = leaves_of(read_experiment(tree, cores(), UnreadKeys::kRefused, ignored));
  }
  const auto found = leaves.find(key);
  return found == leaves.end() ? std::nullopt : std::optional(condition_value(found->second));
}

bool Sweep::Content::keeps(const SweepPoint& point, const Node& tree, Report& report) const {
  std::map<std::string, std::string> leaves;
  const auto lookup = [&](const std::string& name) { return look_up(name, point, tree, leaves); };
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    std::string problem;
    const std::optional<bool> holds = conditions[i].holds(lookup, problem);
    if (!holds) report.add(file.conditions[i].where, file.conditions[i].key, problem, conditions[i].text());
    if (!holds || !*holds) return false;
  }
  return true;
}

void Sweep::Content::check_process_columns(const std::map<std::string, ProcessTraits>& processes,
                                           Report& report) const {
  for (const OpenText& column : file.process_columns) {
    const std::string name = column.text.substr(column.text.find('.') + 1);
    const auto process = processes.find(name);
    if (process == processes.end()) {
      report.add(column.where, column.key, "no point has the process", name);
    } else if (!process->second.has_releases && is_column_of_process(kSweepFrameMetrics, column.text)) {
      report.add(column.where, column.key, "is of processes with period_us or arrivals", name);
    } else if (!process->second.is_event_driven && is_column_of_process(kSweepGloopMetrics, column.text)) {
      report.add(column.where, column.key, "is of processes with event-driven kernels", name);
    }
  }
}

}  // namespace tessera::spec
