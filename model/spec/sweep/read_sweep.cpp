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
#include "model/spec/sweep/read_sweep_costs.h"
#include "model/spec/sweep/sweep_columns.h"
#include "model/spec/sweep/sweep_names.h"

namespace tessera::spec {

namespace {

bool is_over_engine(const SweepAxis& axis) {
  return axis.keys == std::vector<std::string>{"gpu.framework.engine"} ||
         axis.keys == std::vector<std::string>{"framework.engine"};
}

constexpr Number kSeed{0, std::numeric_limits<std::int64_t>::max()};  // sweep.sqlite has no larger integers
constexpr Number kReplicates{1, 100'000};

Form seeds_form() { return either(list_form(kSeed.form(), 1), mapping_form()); }

Form conditions_form() {
  const Form one = any_text_form("conditions over axes and keys");
  return either(one, list_form(one));
}

Form column_form() {
  Form form = Text{}.form();
  form.allowed = "columns of points.csv";
  return form;
}

Form where_form() { return free_keys_form("a value of an axis each"); }

class SweepReader {
 public:
  SweepReader(const Node& root, Report& report) : root_(root), reader_(root, {}, report), report_(report) {}

  SweepFile read() {
    read_schema_version(reader_, root_);
    reader_.required("name", spec().name, FolderName{}, "names the results folder");
    file_.base = reader_.node("base", Presence::kRequired, experiment_form,
                              "the experiment that all points vary: a file, or its keys");
    if (file_.base.kind == Node::Kind::kNull || file_.base.kind == Node::Kind::kSequence) {
      reader_.reject("base", "must be a path or a mapping", describe(file_.base));
    }
    reader_.optional("mode", spec().mode, Choice<SweepMode>{},
                     "every combination of the axes' values, or their n-th values together");
    file_.fixed = read_settings(
        reader_.node("set", Presence::kOptional, settings_form, "of every point, unless the command line sets it"),
        reader_.path("set"), report_);
    read_axes();
    read_seeds();
    read_conditions();
    read_costs(reader_, spec());
    reader_.optional("keep_timelines", spec().keeps_timelines, Boolean{},
                     "each point leaves what `tessera run` does, and its records");
    read_limits(reader_.mapping("limits", Presence::kOptional, "of a point's simulation, beyond which it has failed"),
                spec());
    read_slurm(
        reader_.mapping("slurm", Presence::kOptional, "for `--slurm`; `--set slurm.KEY=VALUE` sets its keys too"),
        spec());
    read_metrics();
    read_plots();
    reader_.reject_unknown_keys();
    check_size();
    return std::move(file_);
  }

 private:
  SweepSpec& spec() { return file_.spec; }

  void read_axes() {
    const std::vector<Node>& axes =
        reader_.mappings("axes", Presence::kRequired, "what is varied; the first varies slowest");
    file_.axes_where = reader_.known_node("axes").where;
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
    const Node& node =
        reader_.node("seeds", Presence::kOptional, seeds_form,
                     "replicates of each point: numbers, or the first and how many; left out: the base's own");
    if (node.kind == Node::Kind::kInvalid) return;
    if (node.kind == Node::Kind::kMapping) {
      MappingReader range(node, reader_.path("seeds"), report_);
      std::uint64_t first = 1;
      std::uint64_t count = 0;
      range.optional("first", first, kSeed, "the first seed; the others follow it");
      range.required("count", count, kReplicates, "how many");
      range.reject_unknown_keys();
      if (count > 0 && first > kSeed.max - (count - 1)) {
        range.reject("first", "is too large for that many", std::to_string(first));
        return;
      }
      for (std::uint64_t i = 0; i < count; ++i) spec().seeds.push_back(first + i);
      return;
    }
    const std::vector<Node>& seeds = reader_.known_list("seeds", Presence::kRequired);
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
    const Node& node =
        reader_.node("when", Presence::kOptional, conditions_form, "points for which one does not hold are left out");
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
    const std::vector<Node>& metrics = reader_.list("metrics", Presence::kOptional, column_form,
                                                    "what `summary.md` shows; left out: `antt`, `stp`, `fairness`");
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
    const std::vector<Node>& plots = reader_.mappings("plots", Presence::kOptional, "diagrams");
    for (std::size_t i = 0; i < plots.size(); ++i) read_plot(plots[i], reader_.path("plots") / i);
    reject_duplicate_names(plots, reader_.path("plots"), report_);
  }

  void read_plot(const Node& node, const KeyPath& path) {
    SweepPlot plot;
    MappingReader reader(node, path, report_);
    reader.required("name", plot.name, FolderName{}, "of its files");
    reader.optional("title", plot.title, Text{}, "left out: its name");
    std::vector<std::string_view> columns = axis_names();
    const std::vector<std::string_view> measured = measured_columns(spec().cost);
    columns.insert(columns.end(), measured.begin(), measured.end());
    read_column(reader, "x", Presence::kRequired, plot.x, columns, "an axis, a metric or a cost");
    read_column(reader, "y", Presence::kRequired, plot.y, measured, "a metric or a cost");
    read_column(reader, "series", Presence::kOptional, plot.series, axis_names(), "an axis: a colour for each value");
    read_column(reader, "facets", Presence::kOptional, plot.facets, axis_names(), "an axis: a panel for each value");
    const Node& where = reader.node("where", Presence::kOptional, where_form, "shows the points with that value only");
    read_where(where, path / "where", plot);
    reader.optional("log_x", plot.is_log_x, Boolean{}, "a logarithmic axis");
    reader.optional("log_y", plot.is_log_y, Boolean{}, "a logarithmic axis");
    MappingReader pareto =
        reader.mapping("pareto", Presence::kOptional, "a point for each design; those that another beats are pale");
    const bool is_needed = reader.has("pareto");
    const Presence presence = is_needed ? Presence::kRequired : Presence::kOptional;
    Better x = Better::kMin, y = Better::kMin;
    pareto.read("x", presence, x, Choice<Better>{}, "which values are better");
    pareto.read("y", presence, y, Choice<Better>{}, "which values are better");
    pareto.reject_unknown_keys();
    reader.reject_unknown_keys();
    if (is_needed) {
      plot.pareto_x = x;
      plot.pareto_y = y;
    }
    spec().plots.push_back(std::move(plot));
  }

  void read_column(MappingReader& reader, std::string_view key, Presence presence, std::string& out,
                   const std::vector<std::string_view>& names, Meaning meaning) {
    if (!reader.read(key, presence, out, Text{}, meaning)) return;
    check_column(out, reader.known_node(key).where, reader.path(key), names);
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
