// SPDX-License-Identifier: Apache-2.0
// Reads what can be understood without the base experiment, and refuses more points than anybody can want.
// Internal to model/spec.
#include "model/spec/sweep/read_sweep.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>
#include <utility>

#include "model/spec/nearest.h"
#include "model/spec/readers.h"
#include "model/spec/sweep/read_axis.h"
#include "model/spec/sweep/sweep_columns.h"
#include "model/spec/sweep/sweep_names.h"

namespace tessera::spec {

namespace {

bool is_over_engine(const SweepAxis& axis) {
  return axis.keys == std::vector<std::string>{"gpu.framework.engine"} ||
         axis.keys == std::vector<std::string>{"framework.engine"};
}

constexpr Number kSeed{0, std::numeric_limits<std::int64_t>::max()};  // sweep.sqlite has no larger integers
constexpr Number kMegabytes{0, 10'000'000};
constexpr Number kReplicates{1, 100'000};

class SweepReader {
 public:
  SweepReader(const Node& root, Report& report) : root_(root), reader_(root, {}, report), report_(report) {}

  SweepFile read() {
    read_schema_version(reader_, root_);
    reader_.required("name", spec().name, FolderName{});
    file_.base = reader_.node("base", Presence::kRequired, {"path or mapping", ""});
    if (file_.base.kind == Node::Kind::kNull || file_.base.kind == Node::Kind::kSequence) {
      reader_.reject("base", "must be a path or a mapping", describe(file_.base));
    }
    reader_.optional("mode", spec().mode, Choice<SweepMode>{});
    file_.fixed = read_settings(reader_.node("set", Presence::kOptional, {"mapping", "keys as --set has them"}),
                                reader_.path("set"), report_);
    read_axes();
    read_seeds();
    read_conditions();
    read_costs();
    reader_.optional("keep_timelines", spec().keeps_timelines, Boolean{});
    read_limits(reader_.mapping("limits", Presence::kOptional));
    read_slurm(reader_.mapping("slurm", Presence::kOptional));
    read_metrics();
    read_plots();
    reader_.reject_unknown_keys();
    check_size();
    return std::move(file_);
  }

 private:
  SweepSpec& spec() { return file_.spec; }

  void read_axes() {
    const Node& node = reader_.node("axes", Presence::kRequired, {"list", ""});
    file_.axes_where = node.where;
    const std::vector<Node>& axes = reader_.list("axes", Presence::kRequired);
    for (std::size_t i = 0; i < axes.size(); ++i) {
      const KeyPath path = reader_.path("axes") / i;
      ReadAxis read = read_axis(axes[i], path, report_);
      check_name(read.axis, axes[i].where, path);
      const auto& keys = read.axis.keys;
      if (std::find(keys.begin(), keys.end(), "seed") != keys.end()) {
        report_.add(axes[i].where, path, "a seed is no axis", "", "seeds, whose points are replicates of each other");
      }
      num_values_.push_back(read.num_values);
      spec().axes.push_back(std::move(read.axis));
      file_.values.push_back(std::move(read.values));
    }
  }

  // It becomes a column, of SQL too, which does not tell capitals from small letters. An axis over the engine is the
  // column `engine`.
  void check_name(const SweepAxis& axis, const Location& where, const KeyPath& path) {
    const std::string& name = axis.name;
    const auto is_name = [&name](std::string_view other) {
      return std::equal(name.begin(), name.end(), other.begin(), other.end(),
                        [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
    };
    std::vector<std::string_view> taken{"index", "point", "key", "seed", "status", "reason"};
    if (!is_over_engine(axis)) taken.emplace_back("engine");
    for (const std::string_view column : measured_columns(SweepCost::kSynth)) taken.push_back(column);
    if (std::any_of(taken.begin(), taken.end(), is_name) || is_process_column(name)) {
      report_.add(where, path, "an axis cannot have the name of a column", name, "give it another with `name`");
    }
    const std::vector<std::string_view> axes = axis_names();
    if (!name.empty() && std::any_of(axes.begin(), axes.end(), is_name)) {
      report_.add(where, path, "two axes have the same name", name, "give one another with `name`");
    }
  }

  // A list, or {first, count}.
  void read_seeds() {
    const Node& node = reader_.node("seeds", Presence::kOptional, {"list or mapping", kSeed.form().allowed});
    if (node.kind == Node::Kind::kInvalid) return;
    if (node.kind == Node::Kind::kMapping) {
      MappingReader range(node, reader_.path("seeds"), report_);
      std::uint64_t first = 1;
      std::uint64_t count = 0;
      range.optional("first", first, kSeed);
      range.required("count", count, kReplicates);
      range.reject_unknown_keys();
      if (count > 0 && first > kSeed.max - (count - 1)) {
        range.reject("first", "is too large for that many", std::to_string(first));
        return;
      }
      for (std::uint64_t i = 0; i < count; ++i) spec().seeds.push_back(first + i);
      return;
    }
    const std::vector<Node>& seeds = reader_.list("seeds", Presence::kRequired, kSeed.form());
    for (std::size_t i = 0; i < seeds.size(); ++i) {
      auto seed = kSeed.parse(seeds[i]);
      if (auto* problem = std::get_if<Problem>(&seed)) {
        report_.add(seeds[i].where, reader_.path("seeds") / i, problem->problem, describe(seeds[i]), problem->allowed);
        continue;
      }
      const std::uint64_t value = std::get<std::uint64_t>(seed);
      if (std::find(spec().seeds.begin(), spec().seeds.end(), value) != spec().seeds.end()) {
        report_.add(seeds[i].where, reader_.path("seeds") / i, "duplicate value", describe(seeds[i]));
      }
      spec().seeds.push_back(value);
    }
  }

  // One, or a list of those that must all hold.
  void read_conditions() {
    const Node& node = reader_.node("when", Presence::kOptional, {"text or list", "conditions over axes and keys"});
    const auto add = [this](const Node& one, const KeyPath& path) {
      if (one.kind == Node::Kind::kScalar && !one.text.empty()) {
        file_.conditions.push_back({one.text, one.where, path});
      } else if (one.kind != Node::Kind::kInvalid) {
        report_.add(one.where, path, "must be a condition", describe(one), "num_ksrs <= num_sms");
      }
    };
    if (node.kind != Node::Kind::kSequence) return add(node, reader_.path("when"));
    for (std::size_t i = 0; i < node.children.size(); ++i) add(node.children[i], reader_.path("when") / i);
  }

  void read_costs() {
    reader_.optional("cost", spec().cost, Choice<SweepCost>{});
    reader_.optional("decision_time", spec().decision_time, Choice<DecisionTime>{});
    reader_.optional("core_policies", spec().core_policies, Choice<CorePolicies>{});
    reader_.optional("target_mhz", spec().target_mhz, Number{1, 10'000});
    if (spec().decision_time == DecisionTime::kMeasured && spec().cost != SweepCost::kSynth) {
      reader_.reject("decision_time", "is measured on a core that is not synthesised", "measured", "with cost: synth");
    }
  }

  void read_limits(MappingReader reader) {
    reader.optional("time_s", spec().limits.time_s, Number{1, 1'000'000});
    reader.optional("memory_mb", spec().limits.memory_mb, kMegabytes);
    reader.reject_unknown_keys();
  }

  void read_slurm(MappingReader reader) {
    SweepSlurm& slurm = spec().slurm;
    reader.optional("partition", slurm.partition, Text{});
    reader.optional("time_limit_min", slurm.time_limit_min, Number{1, 1'000'000});
    reader.optional("memory_mb", slurm.memory_mb, kMegabytes);
    reader.optional("points_per_task", slurm.points_per_task, Number{1, kMaxSweepPoints});
    reader.optional("max_tasks", slurm.max_tasks, Number{0, 100'000});
    reader.reject_unknown_keys();
  }

  std::vector<std::string_view> axis_names() const {
    std::vector<std::string_view> names;
    for (const SweepAxis& axis : file_.spec.axes) names.emplace_back(axis.name);
    return names;
  }

  static std::vector<std::string_view> measured_columns(SweepCost cost) {
    std::vector<std::string_view> names;
    for (const SweepColumn& column : kSweepMetrics) names.push_back(column.name);
    for (const SweepColumn& column : kSweepStorageCosts) names.push_back(column.name);
    if (cost == SweepCost::kSynth) {
      for (const SweepColumn& column : kSweepSynthCosts) names.push_back(column.name);
    }
    return names;
  }

  static bool is_process_column(std::string_view name) {
    return is_column_of_process(kSweepProcessMetrics, name) || is_column_of_process(kSweepFrameMetrics, name) ||
           is_column_of_process(kSweepGloopMetrics, name);
  }

  // A column, of those named or of a process.
  void check_column(const std::string& name, const Location& where, const KeyPath& key,
                    const std::vector<std::string_view>& names) {
    if (is_process_column(name)) {
      file_.process_columns.push_back({name, where, key});
    } else if (std::find(names.begin(), names.end(), name) == names.end()) {
      file_.columns.add(where, key, "is not a column", name, fmt::format("nearest is {}", nearest(name, names)));
    }
  }

  void read_metrics() {
    const std::vector<Node>& metrics = reader_.list("metrics", Presence::kOptional, {"", "columns of points.csv"});
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      const KeyPath path = reader_.path("metrics") / i;
      auto name = Text{}.parse(metrics[i]);
      if (auto* problem = std::get_if<Problem>(&name)) {
        report_.add(metrics[i].where, path, problem->problem, describe(metrics[i]), problem->allowed);
        continue;
      }
      check_column(std::get<std::string>(name), metrics[i].where, path, measured_columns(spec().cost));
      spec().metrics.push_back(std::get<std::string>(name));
    }
    if (spec().metrics.empty()) spec().metrics = {"antt", "stp", "fairness"};
  }

  void read_plots() {
    const std::vector<Node>& plots = reader_.list("plots", Presence::kOptional);
    for (std::size_t i = 0; i < plots.size(); ++i) read_plot(plots[i], reader_.path("plots") / i);
    reject_duplicate_names(plots, reader_.path("plots"), report_);
  }

  void read_plot(const Node& node, const KeyPath& path) {
    SweepPlot plot;
    MappingReader reader(node, path, report_);
    reader.required("name", plot.name, FolderName{});
    reader.optional("title", plot.title, Text{});
    std::vector<std::string_view> columns = axis_names();
    const std::vector<std::string_view> measured = measured_columns(spec().cost);
    columns.insert(columns.end(), measured.begin(), measured.end());
    read_column(reader, "x", Presence::kRequired, plot.x, columns);
    read_column(reader, "y", Presence::kRequired, plot.y, measured);
    read_column(reader, "series", Presence::kOptional, plot.series, axis_names());
    read_column(reader, "facets", Presence::kOptional, plot.facets, axis_names());
    const Node& where = reader.node("where", Presence::kOptional, {"mapping", "a value of an axis each"});
    read_where(where, path / "where", plot);
    reader.optional("log_x", plot.is_log_x, Boolean{});
    reader.optional("log_y", plot.is_log_y, Boolean{});
    MappingReader pareto = reader.mapping("pareto", Presence::kOptional);
    const bool is_needed = reader.has("pareto");
    const Presence presence = is_needed ? Presence::kRequired : Presence::kOptional;
    Better x = Better::kMin, y = Better::kMin;
    pareto.read("x", presence, x, Choice<Better>{});
    pareto.read("y", presence, y, Choice<Better>{});
    pareto.reject_unknown_keys();
    reader.reject_unknown_keys();
    if (is_needed) {
      plot.pareto_x = x;
      plot.pareto_y = y;
    }
    spec().plots.push_back(std::move(plot));
  }

  void read_column(MappingReader& reader, std::string_view key, Presence presence, std::string& out,
                   const std::vector<std::string_view>& names) {
    if (!reader.read(key, presence, out, Text{})) return;
    check_column(out, reader.node(key, Presence::kOptional).where, reader.path(key), names);
  }

  void read_where(const Node& node, const KeyPath& path, SweepPlot& plot) {
    const MappingReader check(node, path, report_);  // that it is a mapping
    if (node.kind != Node::Kind::kMapping) return;
    for (const Node& child : node.children) {
      const auto axis = std::find_if(spec().axes.begin(), spec().axes.end(),
                                     [&child](const SweepAxis& one) { return one.name == child.key; });
      if (axis == spec().axes.end()) {
        file_.columns.add(child.key_where, path / child.key, "names no axis", child.key,
                          fmt::format("nearest is {}", nearest(child.key, axis_names())));
        continue;
      }
      const std::vector<std::string_view> labels(axis->labels.begin(), axis->labels.end());
      if (std::find(labels.begin(), labels.end(), child.text) == labels.end()) {
        file_.columns.add(child.where, path / child.key, "is not a value of the axis", describe(child),
                          fmt::format("nearest is {}", nearest(child.text, labels)));
      }
      plot.where[child.key] = child.text;
    }
  }

  // Counted before anything is written out.
  void check_size() {
    if (num_values_.empty()) return;
    const bool is_zip = spec().mode == SweepMode::kZip;
    std::uint64_t number = std::max<std::uint64_t>(1, spec().seeds.size());
    for (std::size_t i = 0; i < num_values_.size(); ++i) {
      if (num_values_[i] == 0) return;  // reported already
      if (is_zip && num_values_[i] != num_values_[0]) {
        report_.add(
            file_.axes_where, reader_.path("axes"), "axes that are zipped differ in length",
            fmt::format("{}: {}, {}: {}", spec().axes[0].name, num_values_[0], spec().axes[i].name, num_values_[i]));
        return;
      }
      if (!is_zip || i == 0) number = number > kHuge / num_values_[i] ? kHuge : number * num_values_[i];
    }
    if (number <= kMaxSweepPoints) return;
    report_.add(file_.axes_where, reader_.path("axes"), "too many points",
                number == kHuge ? "more than 10^18" : fmt::format("{}", number),
                fmt::format("at most {}", kMaxSweepPoints));
  }

  static constexpr std::uint64_t kHuge = 1'000'000'000'000'000'000;

  const Node& root_;
  MappingReader reader_;
  Report& report_;
  SweepFile file_;
  std::vector<std::size_t> num_values_;  // by axis
};

}  // namespace

SweepFile read_sweep(const Node& root, Report& report) { return SweepReader(root, report).read(); }

}  // namespace tessera::spec
