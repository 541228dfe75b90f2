// SPDX-License-Identifier: Apache-2.0
// tessera workloads: what a campaign would run.
#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>

#include "apps/tessera/commands.h"
#include "apps/tessera/config_path.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/words.h"
#include "campaign/reproduction.h"
#include "campaign/t14/studies.h"
#include "campaign/workloads.h"
#include "model/spec/loader.h"

namespace tessera::app {
namespace {

struct WorkloadsOptions {
  std::string name;
  std::optional<std::uint64_t> seed;
  std::uint32_t num_workloads = campaign::kWorkloads;
};

// CSV: a row a workload, its applications in the last column.
int print_workloads(const WorkloadsOptions& options) {
  const spec::Spec base = spec::load_experiment(built_in_config("papers/t14.yaml"));
  fmt::print("processes,workload,half,applications\n");
  for (const std::uint32_t num_processes : campaign::t14::kNumProcesses) {
    std::uint32_t number = 0;
    for (const campaign::Workload& workload :
         campaign::make_workloads(static_cast<std::uint32_t>(base.processes.size()), num_processes,
                                  options.num_workloads, options.seed.value_or(base.seed))) {
      std::string names;
      for (const std::uint32_t application : workload.applications) {
        names += (names.empty() ? "" : " ") + base.processes[application].name;
      }
      fmt::print("{},{},{},{}\n", num_processes, number++, workload.is_held_out ? "held_out" : "calibration", names);
    }
  }
  return kDone;
}

}  // namespace

void add_workloads_command(CLI::App& command, int& status) {
  auto options = std::make_shared<WorkloadsOptions>();
  command.add_option("NAME", options->name, "The campaign")->required()->check(OneOf({"t14"}));
  command.add_option("--seed", options->seed, "Seed")->default_str("the campaign's own");
  command.add_option("--workloads", options->num_workloads, "Workloads of each number of processes")
      ->check(CLI::Range(1U, 100'000U))
      ->capture_default_str();
  command.callback([options, &status] { status = print_workloads(*options); });
}

}  // namespace tessera::app
