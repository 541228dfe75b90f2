// SPDX-License-Identifier: Apache-2.0
// Combinations of axes and seeds, by number; those that the conditions keep are points.
#include "model/spec/sweep/sweep.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "model/spec/file_kind.h"
#include "model/spec/loader.h"
#include "model/spec/readers.h"
#include "model/spec/sweep/load_sweep.h"
#include "model/spec/sweep/sweep_content.h"

namespace tessera::spec {
namespace {

constexpr std::size_t kMaxBadPoints = 20;  // whose mistakes are told

void note_traits(const Spec& spec, const ProcessSpec& process, ProcessTraits& traits) {
  traits.has_releases |= process.releases.has_value();
  traits.is_event_driven |= process.application < spec.applications.size() &&
                            spec.applications[process.application].has_event_driven_kernels();
}

}  // namespace

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
  std::map<std::string, ProcessTraits> processes;
  for (std::size_t i = 0; i < content_->num_combinations() && num_bad < kMaxBadPoints; ++i) {
    SweepPoint point = at(i);
    const std::size_t before = report.size();
    const Node tree = content_->tree_of(point, report);
    if (content_->keeps(point, tree, report)) {
      point.index = index++;
      const Spec spec = read_experiment(tree, content_->cores(), UnreadKeys::kRefused, report);
      for (const ProcessSpec& process : spec.processes) note_traits(spec, process, processes[process.name]);
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
  Spec spec = read_experiment(content_->tree_of(point, report), content_->cores(), UnreadKeys::kRefused, report);
  if (report.size() > 0) throw InputError(report.diagnostics());
  return spec;
}

}  // namespace tessera::spec
