// SPDX-License-Identifier: Apache-2.0
// A point is the base experiment under the overrides of its values. Files are read once, experiments resolved anew.
#include "model/spec/sweep/sweep.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "model/spec/file_kind.h"
#include "model/spec/loader.h"
#include "model/spec/names.h"
#include "model/spec/readers.h"
#include "model/spec/references.h"
#include "model/spec/sweep/condition.h"
#include "model/spec/sweep/load_sweep.h"
#include "model/spec/sweep/read_sweep.h"
#include "model/spec/sweep/spec_keys.h"

namespace tessera::spec {
namespace {

constexpr std::size_t kMaxBadPoints = 20;  // whose mistakes are told

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

struct Sweep::Content {
  std::filesystem::path path;        // of the sweep
  std::filesystem::path experiment;  // that paths are relative to
  SweepFile file;
  Node base;
  std::vector<Override> fixed;
  std::vector<Condition> conditions;
  std::map<std::string, std::string> key_of;  // name in a condition -> dotted key
  mutable DocumentCache cache;

  Cores cores() const { return file.spec.cost == SweepCost::kSynth ? Cores::kBoth : Cores::kTlm; }

  void read_base(Report& report);
  void add_overrides(const std::vector<std::string>& texts, Report& report);
  void reject_repeated_keys(Report& report) const;
  void read_conditions(Report& report);
  void learn_names();
  void check_process_columns(const std::set<std::string>& processes, Report& report) const;

  std::size_t num_combinations() const;
  std::vector<Override> overrides_of(const SweepPoint& point) const;
  Node tree_of(const SweepPoint& point, Report& report) const;
  bool keeps(const SweepPoint& point, const Node& tree, Report& report) const;
  std::optional<ConditionValue> look_up(const std::string& name, const SweepPoint& point, const Node& tree,
                                        std::map<std::string, std::string>& leaves) const;
};

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
  for (Override& change : parse_overrides(texts, report)) {
    const std::string key = path_text(change.path);
    fixed.erase(std::remove_if(fixed.begin(), fixed.end(),  // the command line has the last word over `set`
                               [&key](const Override& other) { return path_text(other.path) == key; }),
                fixed.end());
    fixed.push_back(std::move(change));
  }
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
  for (const auto& [path_, value] : leaves_of(read_experiment(tree_of(first, ignored), cores(), ignored))) {
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
  add_words<PolicyKind, TechniqueKind, Access, ExclusiveScope, TokenScope, Fill, ChannelSharing, TimeBase, DmaPolicy>(
      vocabulary.words);
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
    leaves = leaves_of(read_experiment(tree, cores(), ignored));
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

void Sweep::Content::check_process_columns(const std::set<std::string>& processes, Report& report) const {
  for (const OpenText& column : file.process_columns) {
    const std::string process = column.text.substr(column.text.find('.') + 1);
    if (processes.count(process) == 0) report.add(column.where, column.key, "no point has the process", process);
  }
}

Sweep load_sweep(const Node& root, const std::filesystem::path& path, const std::vector<std::string>& overrides,
                 Report& report) {
  auto content = std::make_unique<Sweep::Content>();
  std::vector<std::string> of_base = overrides;
  const auto of_cluster = std::stable_partition(of_base.begin(), of_base.end(),
                                                [](const std::string& text) { return text.rfind("slurm.", 0) != 0; });
  Node changed = root;
  for (const Override& change : parse_overrides({of_cluster, of_base.end()}, report)) {
    apply_override(changed, change, report);
  }
  of_base.erase(of_cluster, of_base.end());
  content->path = path;
  content->file = read_sweep(changed, report);
  if (report.size() > 0) return Sweep(std::move(content));
  content->read_base(report);
  content->add_overrides(of_base, report);
  content->reject_repeated_keys(report);
  if (report.size() == 0) content->read_conditions(report);
  return Sweep(std::move(content));
}

void validate_sweep(const Node& root, const std::filesystem::path& path, Report& report) {
  const Sweep sweep = load_sweep(root, path, {}, report);
  if (report.size() == 0) sweep.visit_points([](const SweepPoint&, const Spec&) {}, report);
}

Sweep::Sweep(std::unique_ptr<Content> content) : content_(std::move(content)) {}

Sweep::Sweep(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  Report report;
  report.overrides_stand_in(path.string());
  Node root = read_document(path, {path.string(), 1, 1}, {}, report);
  expect_kind(root, FileKind::kSweep, {path.string(), 1, 1}, {}, report);
  *this = load_sweep(root, path, overrides, report);
  if (report.size() > 0) throw InputError(report.diagnostics());
}

Sweep::~Sweep() = default;
Sweep::Sweep(Sweep&&) noexcept = default;
Sweep& Sweep::operator=(Sweep&&) noexcept = default;

const SweepSpec& Sweep::spec() const { return content_->file.spec; }

SweepPoint Sweep::at(std::size_t combination) const {
  const SweepSpec& spec = content_->file.spec;
  SweepPoint point;
  point.combination = combination;
  point.choice.resize(spec.axes.size());
  if (!spec.seeds.empty()) {
    point.seed = spec.seeds[combination % spec.seeds.size()];
    combination /= spec.seeds.size();
  }
  if (spec.mode == SweepMode::kZip) {
    std::fill(point.choice.begin(), point.choice.end(), combination);
    return point;
  }
  for (std::size_t i = spec.axes.size(); i-- > 0;) {
    point.choice[i] = combination % spec.axes[i].labels.size();
    combination /= spec.axes[i].labels.size();
  }
  return point;
}

void Sweep::for_each_point(const std::function<void(const SweepPoint&, const Spec&)>& visit) const {
  Report report;
  report.overrides_stand_in(content_->path.string());
  visit_points(visit, report);
  if (report.size() > 0) throw InputError(report.diagnostics());
}

void Sweep::visit_points(const std::function<void(const SweepPoint&, const Spec&)>& visit, Report& report) const {
  std::size_t num_bad = 0;
  std::size_t index = 0;
  std::set<std::string> processes;
  for (std::size_t i = 0; i < content_->num_combinations() && num_bad < kMaxBadPoints; ++i) {
    SweepPoint point = at(i);
    const std::size_t before = report.size();
    const Node tree = content_->tree_of(point, report);
    if (content_->keeps(point, tree, report)) {
      point.index = index++;
      const Spec spec = read_experiment(tree, content_->cores(), report);
      for (const ProcessSpec& process : spec.processes) processes.insert(process.name);
      if (report.size() == 0) visit(point, spec);
    }
    num_bad += report.size() > before ? 1 : 0;
  }
  if (num_bad > 0) return;
  if (index == 0) {
    const OpenText& condition = content_->file.conditions.at(0);  // else there are points
    report.add(condition.where, condition.key, "leaves no point", fmt::format("of {}", content_->num_combinations()));
  }
  report.add(content_->file.columns);
  content_->check_process_columns(processes, report);
}

Spec Sweep::resolve(const SweepPoint& point) const {
  Report report;
  Spec spec = read_experiment(content_->tree_of(point, report), content_->cores(), report);
  if (report.size() > 0) throw InputError(report.diagnostics());
  return spec;
}

}  // namespace tessera::spec
