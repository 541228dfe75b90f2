// SPDX-License-Identifier: Apache-2.0
// Keys are fingerprints of texts, so that equal content has equal keys on every machine.
#include "sweep/plan.h"

#include <algorithm>
#include <utility>

#include "cosim/core_cache.h"
#include "cosim/text_file.h"
#include "model/base/program_files.h"
#include "model/spec/json_text.h"
#include "model/spec/spec_json.h"
#include "model/spec/sweep/sweep_names.h"
#include "sweep/columns.h"

namespace tessera::sweep {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// What a netlist is made of.
std::string verilog_text() {
  const auto folder = folder_with("rtl/rtl.f");
  if (!folder) return "";
  std::vector<fs::path> files;
  for (const char* name : {"rtl", "rtl/syn"}) {
    for (const fs::directory_entry& entry : fs::directory_iterator(*folder / name)) {
      if (entry.is_regular_file()) files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  std::string text;
  for (const fs::path& file : files) text += cosim::read_text(file);
  return text;
}

std::string key_of_point(const spec::SweepSpec& sweep, const spec::Spec& spec, const std::string& program) {
  const Json asked{{"cost", spec::to_string(sweep.cost)},
                   {"decision_time", spec::to_string(sweep.decision_time)},
                   {"core_policies", spec::to_string(sweep.core_policies)},
                   {"target_mhz", sweep.target_mhz},
                   {"keep_timelines", sweep.keeps_timelines}};
  return cosim::fingerprint(program + asked.dump() + spec::json_text(spec::to_json(spec)));
}

void add_name(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

void add_resolved(Plan& plan, const spec::SweepPoint& point, const spec::Spec& spec) {
  plan.points.push_back({point, key_of_point(plan.spec(), spec, plan.program),
                         std::string(spec::to_string(spec.gpu.framework.engine)), 0});
  for (const std::string& key : spec.left_out_keys) add_name(plan.left_out, key);
  if (plan.spec().cost != spec::SweepCost::kSynth) return;
  plan.points.back().core = index_of_core(core_of(spec, plan.spec()), plan.cores);
}

Json plot_json(const spec::SweepPlot& plot) {
  Json json{{"name", plot.name},      {"title", plot.title},   {"x", plot.x},         {"y", plot.y},
            {"series", plot.series},  {"facets", plot.facets}, {"where", plot.where}, {"log_x", plot.is_log_x},
            {"log_y", plot.is_log_y}, {"pareto", nullptr}};
  if (plot.pareto_x) {
    json["pareto"] = {{"x", spec::to_string(*plot.pareto_x)}, {"y", spec::to_string(*plot.pareto_y)}};
  }
  return json;
}

}  // namespace

std::vector<std::string> Plan::labels_of(const spec::SweepPoint& point) const {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < point.choice.size(); ++i) labels.push_back(spec().axes[i].labels[point.choice[i]]);
  return labels;
}

Json Plan::axes_of(const spec::SweepPoint& point) const {
  const std::vector<std::string> labels = labels_of(point);
  Json axes = Json::object();
  for (std::size_t i = 0; i < labels.size(); ++i) axes[spec().axes[i].name] = labels[i];
  return axes;
}

std::string Plan::key_of(const Core& core) const {
  return cosim::fingerprint(program + std::to_string(spec().target_mhz) + " " + text_of(core));
}

void Plan::add_point(std::size_t combination, std::size_t index) {
  spec::SweepPoint point = sweep.at(combination);
  point.index = index;
  add_resolved(*this, point, sweep.resolve(point));
}

std::string program_hash(const spec::SweepSpec& spec) {
  const std::string program = cosim::read_text("/proc/self/exe");
  return cosim::fingerprint(spec.cost == spec::SweepCost::kSynth ? program + verilog_text() : program);
}

Plan make_plan(spec::Sweep sweep, const std::string& program) {
  Plan plan{std::move(sweep), program, {}, {}, {}};
  if (program.empty()) plan.program = program_hash(plan.spec());
  plan.sweep.for_each_point([&plan](const spec::SweepPoint& point, const spec::Spec& spec) {
    add_resolved(plan, point, spec);
    for (const spec::ProcessSpec& process : spec.processes) {
      add_name(plan.processes, process.name);
      if (process.releases) add_name(plan.released, process.name);
      if (spec.applications[process.application].has_event_driven_kernels()) {
        add_name(plan.event_driven, process.name);
      }
    }
  });
  return plan;
}

std::string engines_note(const Plan& plan) {
  const auto is_other = [&plan](const PlannedPoint& point) { return point.engine != plan.points.front().engine; };
  if (std::none_of(plan.points.begin(), plan.points.end(), is_other)) return "";
  return "Points run on two engines, serialised and ideal (column `engine`): differences between them are the "
         "engine's too.";
}

Json to_json(const Plan& plan) {
  Json json{{"schema", "tessera-sweep-1"},
            {"name", plan.spec().name},
            {"tessera_version", TESSERA_VERSION},
            {"program", plan.program},
            {"mode", spec::to_string(plan.spec().mode)},
            {"num_points", plan.points.size()},
            {"axes", Json::array()},
            {"seeds", plan.spec().seeds},
            {"plots", Json::array()},
            {"columns", Json::array()},
            {"metrics", plan.spec().metrics},
            {"keep_timelines", plan.spec().keeps_timelines}};
  for (const spec::SweepAxis& axis : plan.spec().axes) {
    json["axes"].push_back({{"name", axis.name}, {"keys", axis.keys}, {"values", axis.labels}});
  }
  for (const spec::SweepPlot& plot : plan.spec().plots) json["plots"].push_back(plot_json(plot));
  for (const Column& column : columns_of(plan)) {
    json["columns"].push_back({{"name", column.name}, {"kind", to_string(column.kind)}, {"unit", column.unit}});
  }
  return json;
}

std::string plan_hash(const Plan& plan) {
  std::string keys;
  for (const PlannedPoint& point : plan.points) keys += point.key;
  constexpr std::size_t kDigits = 12;
  return cosim::fingerprint(keys).substr(0, kDigits);
}

}  // namespace tessera::sweep
