// SPDX-License-Identifier: Apache-2.0
// tessera reproduce: a paper's table or figure, theirs and ours.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/common_options.h"
#include "apps/tessera/config_path.h"
#include "apps/tessera/durations.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/interrupt.h"
#include "apps/tessera/progress.h"
#include "apps/tessera/results_folder.h"
#include "apps/tessera/words.h"
#include "campaign/figure_plot.h"
#include "campaign/own_keys.h"
#include "campaign/papers.h"
#include "campaign/variants.h"
#include "model/base/printable.h"
#include "model/spec/diagnostics.h"
#include "model/spec/json_text.h"
#include "model/spec/loader.h"
#include "model/spec/names.h"
#include "model/spec/spec.h"
#include "model/spec/spec_json.h"
#include "plot/draw.h"

namespace tessera::app {
namespace {

using Json = nlohmann::ordered_json;
using campaign::Figure;
using campaign::Reproduction;

struct ReproduceOptions {
  std::string name;
  std::vector<std::string> overrides;
  OutOption out;
  unsigned num_workers = std::max(1U, std::thread::hardware_concurrency());
  std::uint32_t num_workloads = campaign::kWorkloads;
  bool lists = false;
  bool is_quick = false;
  bool is_full = false;
  bool prints_json = false;
  std::vector<std::string> variants;

  std::uint32_t workloads() const { return is_quick ? std::max(1U, num_workloads / 10) : num_workloads; }
  bool is_default() const {
    return overrides.empty() && variants.empty() && !is_full && workloads() == campaign::kWorkloads;
  }
  // What tells its results from those of the default campaign.
  std::string extent() const {
    const bool is_usual = workloads() == campaign::kWorkloads;
    const std::string of_variants = variants.empty() ? "" : fmt::format("-{}", fmt::join(variants, "-"));
    return of_variants + (is_usual ? "" : fmt::format("-{}-workloads", workloads())) + (is_full ? "-full" : "");
  }
};

int list() {
  for (const campaign::Paper& paper : campaign::papers()) {
    for (const campaign::Target& target : paper.targets) {
      const std::optional<double> seconds = last_duration(target.name);
      fmt::print("{:<16} {:<76} {}\n", target.name, target.description,
                 seconds ? fmt::format("{:.0f} s the last time", *seconds) : "never run here");
    }
    for (const campaign::Variant& variant : paper.variants) {
      fmt::print("  --variant {}: {} ({}; {})\n", variant.name, variant.reason, variant.source,
                 fmt::join(variant.figures, ", "));
    }
  }
  return kDone;
}

Words names() {
  Words names;
  for (const campaign::Paper& paper : campaign::papers()) {
    for (const campaign::Target& target : paper.targets) names.push_back(target.name);
  }
  return names;
}

Words variants() {
  Words names;
  for (const campaign::Paper& paper : campaign::papers()) {
    for (const campaign::Variant& variant : paper.variants) names.push_back(variant.name);
  }
  return names;
}

// What the user sets beats what a variant sets: of the same key, the variant would be none.
void check_variant(const campaign::Paper& paper, const ReproduceOptions& options, const std::string& name) {
  const std::vector<const campaign::Variant*> all = campaign::variants_of(paper, options.name);
  const auto variant = std::find_if(all.begin(), all.end(), [&](const auto* one) { return one->name == name; });
  if (variant == all.end()) {
    std::vector<std::string> names;
    for (const campaign::Variant* const one : all) names.push_back(one->name);
    throw CLI::ValidationError("--variant",
                               fmt::format("{} has no variant {} ({})", options.name, name,
                                           names.empty() ? "it has none" : fmt::format("{}", fmt::join(names, ", "))));
  }
  if (std::count(options.variants.begin(), options.variants.end(), name) > 1) {
    throw CLI::ValidationError("--variant", name + " is there twice");
  }
  const auto key_of = [](const std::string& text) { return text.substr(0, text.find('=')); };
  for (const std::string& own : (*variant)->overrides) {
    for (const std::string& set : options.overrides) {
      if (key_of(own) != key_of(set)) continue;
      throw CLI::ValidationError("--set", fmt::format("{} is what variant {} sets", key_of(set), name));
    }
  }
}

const campaign::Paper& checked_paper(const ReproduceOptions& options) {
  if (options.name.empty()) throw CLI::RequiredError("NAME");
  const campaign::Paper& paper = campaign::paper_of(options.name);
  if (options.is_full && !paper.has_averages(options.name)) {
    throw CLI::ValidationError("--full", options.name + " has no averages that more workloads would tell better");
  }
  for (const std::string& name : options.variants) check_variant(paper, options, name);
  return paper;
}

std::string effort_text(const campaign::Effort& effort) {
  return fmt::format("{} simulations, {:.1f} million thread blocks, {:.2f} million preemptions, {:.1f} s of GPU time",
                     effort.simulations, static_cast<double>(effort.tbs) / 1e6,
                     static_cast<double>(effort.preemptions) / 1e6, effort.simulated_seconds);
}

void append(nlohmann::ordered_json& list, const nlohmann::ordered_json& more) {
  list.insert(list.end(), more.begin(), more.end());
}

// docs/papers/reproducing_t14.md tells the keys.
nlohmann::ordered_json to_json(const ReproduceOptions& options, const Reproduction& reproduction,
                               const spec::Spec& base) {
  Json json{{"schema", "tessera-reproduction-1"},
            {"tessera_version", TESSERA_VERSION},
            {"name", options.name},
            {"seed", base.seed},
            {"engine", spec::to_string(base.gpu.framework.engine)},
            {"variant", options.variants.empty() ? Json(nullptr) : Json(options.variants)},
            {"workloads", options.workloads()},
            {"full", options.is_full},
            {"effort", campaign::effort_json(reproduction.effort)},
            {"violations", reproduction.violations},
            {"figures", Json::array()},
            {"values", Json::array()},
            {"orderings", Json::array()}};
  for (const Figure& figure : reproduction.figures) {
    json["figures"].push_back({{"figure", figure.name},
                               {"title", figure.title},
                               {"time_base", figure.time_base.empty() ? Json(nullptr) : Json(figure.time_base)},
                               {"notes", figure.notes}});
    append(json["values"], campaign::values_json(figure));
    append(json["orderings"], campaign::orderings_json(figure));
  }
  json["spec"] = spec::to_json(base);
  return json;
}

// False where there is no gnuplot to draw with; its script is there all the same.
bool write_figure(const Figure& figure, ResultsFolder& results) {
  results.write(figure.name + ".csv", campaign::values_csv(figure));
  const std::string curves = campaign::curves_csv(figure);
  if (!curves.empty()) results.write(figure.name + "-curves.csv", curves);
  const std::string script = campaign::plot_script(figure);
  if (script.empty()) return true;
  results.write(figure.name + ".gp", script);
  try {
    for (const char* format : {"svg", "png"}) {
      if (!plot::draw(results.file(figure.name + ".gp"), format, results.file(figure.name + "." + format))) {
        return false;
      }
    }
  } catch (const std::runtime_error& error) {
    fmt::print(stderr, "tessera: {}\n", error.what());  // the numbers are worth more than the picture
  }
  return true;
}

std::string markdown(const ReproduceOptions& options, const Reproduction& reproduction, spec::Engine engine) {
  std::string text = fmt::format("# {}\n\nOn the {} engine", options.name, spec::to_string(engine));
  text += engine == spec::Engine::kIdeal ? ", which does at once all that comes in a cycle.\n\n" : ".\n\n";
  if (reproduction.effort.simulations > 0) text += effort_text(reproduction.effort) + ".\n\n";  // of a campaign
  for (const std::string& violation : reproduction.violations) text += fmt::format("- **{}**\n", violation);
  for (const Figure& figure : reproduction.figures) {
    text += campaign::figure_markdown(figure);
    if (!campaign::plot_script(figure).empty()) text += fmt::format("![{0}]({0}.svg)\n\n", figure.name);
  }
  return text;
}

campaign::Request request_of(const ReproduceOptions& options, const std::filesystem::path& path) {
  campaign::Request request;
  request.target = options.name;
  request.load = [path, overrides = options.overrides](const std::vector<std::string>& more) {
    return campaign::load_paper(path, spec::with_precedence(more, overrides));
  };
  request.config = path;
  request.num_workloads = options.workloads();
  request.goes_on = options.is_full;
  request.options.num_workers = options.num_workers;
  request.options.is_interrupted = is_interrupted;
  request.options.on_progress = [progress = Progress()](std::size_t done, std::size_t total) mutable {
    progress.show(done, total);
  };
  return request;
}

// False where the figures could not be drawn.
bool write_results(const Reproduction& reproduction, const std::string& json, const std::string& text,
                   ResultsFolder& results) {
  results.write("reproduction.json", json);
  results.write("reproduction.md", text);
  bool is_drawn = true;
  for (const Figure& figure : reproduction.figures) is_drawn = write_figure(figure, results) && is_drawn;
  if (!reproduction.measurements_csv.empty()) results.write("measurements.csv", reproduction.measurements_csv);
  results.publish(true);
  return is_drawn;
}

int reproduce(const ReproduceOptions& options) {
  if (options.lists) return list();
  // 1. Everything that can be wrong with the input is found before anything is written.
  const campaign::Paper& paper = checked_paper(options);
  const campaign::Request request = request_of(options, built_in_config(paper.config));
  const spec::Spec base = request.load({});
  campaign::refuse_own_keys(paper, options.name, options.overrides);
  const std::string default_out =
      fmt::format("results/{}{}-{}", options.name, options.extent(), spec::content_hash(base));
  ResultsFolder results = options.out.folder(default_out);
  // 2. The simulations.
  catch_interrupts();
  const auto start = std::chrono::steady_clock::now();
  const Reproduction reproduction = campaign::reproduce_with_variants(paper, request, options.variants);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  if (options.is_default()) keep_duration(options.name, elapsed.count());  // others are no measure of it
  // 3. The results, whole.
  const std::string json = spec::json_text(to_json(options, reproduction, base), 2) + "\n";
  const std::string text = markdown(options, reproduction, base.gpu.framework.engine);
  const bool is_drawn = write_results(reproduction, json, text, results);
  // 4. What a person reads goes to standard error when a program reads standard output.
  fmt::print(options.prints_json ? stderr : stdout, "{}results in {}/ after {:.0f} s\n", text,
             printable(results.place().string()), elapsed.count());
  if (!is_drawn) fmt::print(stderr, "tessera: no gnuplot (package gnuplot-nox): the figures are not drawn\n");
  for (const std::string& violation : reproduction.violations) fmt::print(stderr, "{}\n", violation);
  if (options.prints_json) fmt::print("{}", json);
  return reproduction.violations.empty() ? kDone : kFailed;
}

int reproduce_unless_interrupted(const ReproduceOptions& options) {
  try {
    return reproduce(options);
  } catch (const campaign::Interrupted&) {
    fmt::print(stderr, "tessera: interrupted: partial results discarded\n");
    return kInterrupted;
  }
}

}  // namespace

void add_reproduce_command(CLI::App& command, int& status) {
  auto options = std::make_shared<ReproduceOptions>();
  command.add_option("NAME", options->name, "What to redo; --list tells what each is")->check(OneOf(names()));
  command.add_flag("--list", options->lists, "List targets with their last run time");
  add_set_option(command, options->overrides, "Override a key of the paper's file in configs/papers: seed=7, ...");
  add_jobs_option(command, options->num_workers, "Simulations");
  command.add_option("--workloads", options->num_workloads, "Workloads of each study and number of processes")
      ->check(CLI::Range(1U, 100'000U))
      ->capture_default_str();
  command.add_option("--variant", options->variants, "Also under other readings and inputs, which --list tells: A,B")
      ->delimiter(',')
      ->check(OneOf(variants()))
      ->type_name("NAME");
  CLI::Option* quick = command.add_flag("--quick", options->is_quick, "A tenth of the workloads");
  command.add_flag("--full", options->is_full, "Go on until the averages are known to 5 %")->excludes(quick);
  add_out_option(command, options->out, "Results folder")->default_str("results/<name>-<hash>");
  command.add_flag("--json", options->prints_json,
                   "Print the values as JSON on standard output; human-readable output goes to standard error");
  command.callback([options, &status] { status = reproduce_unless_interrupted(*options); });
}

}  // namespace tessera::app
