// SPDX-License-Identifier: Apache-2.0
// A task for each netlist and each simulation, in processes of their own.
#include "synthesis/study.h"

#include <algorithm>
#include <utility>

#include "model/spec/names.h"
#include "platform/worker_pool.h"
#include "stats/pareto.h"

namespace tessera::synthesis {
namespace {

using Task = std::function<nlohmann::json()>;

// Of one core: its netlist, its modules, its policies, and perhaps the front end's and the FPGA's netlist.
std::vector<Task> tasks_of(const spec::CoreSpec& core, std::uint32_t target_mhz, const StudyOptions& options) {
  std::vector<Task> tasks;
  tasks.emplace_back([core, target_mhz] { return map_core(elaboration_of(core), target_mhz); });
  tasks.emplace_back([core, target_mhz] { return map_modules(elaboration_of(core), target_mhz); });
  for (const spec::PolicyKind policy : core.policies) {
    tasks.emplace_back([core, policy] { return simulate_decisions(core, policy); });
  }
  if (options.with_front_end) {
    tasks.emplace_back([core, target_mhz] { return map_front_end(elaboration_of(core), target_mhz); });
  }
  if (options.with_ice40) tasks.emplace_back([core] { return map_ice40(elaboration_of(core)); });
  return tasks;
}

CoreResult result_of(const spec::CoreSpec& core, const StudyOptions& options, const nlohmann::json* answers) {
  CoreResult result;
  result.core = core;
  result.mapped = (answers++)->get<MappedCore>();
  result.modules = (answers++)->get<std::vector<MappedModule>>();
  for (const spec::PolicyKind policy : core.policies) {
    result.decisions[std::string(spec::to_string(policy))] = (answers++)->get<Decisions>();
  }
  if (options.with_front_end) result.front_end = (answers++)->get<MappedCore>();
  if (options.with_ice40) result.ice40 = (answers++)->get<Ice40Core>();
  return result;
}

}  // namespace

const std::string& CoreResult::slowest_policy() const {
  return std::max_element(decisions.begin(), decisions.end(),
                          [](const auto& a, const auto& b) { return a.second.steady.mean() < b.second.steady.mean(); })
      ->first;
}

double CoreResult::decision_ns() const { return decisions.at(slowest_policy()).steady.mean() * period_ns(); }

std::vector<CoreResult> run_study(const spec::SynthesisSpec& synthesis, const StudyOptions& options) {
  std::vector<Task> tasks;
  std::vector<std::size_t> first_of;  // task of each core
  for (const spec::CoreSpec& core : synthesis.cores) {
    first_of.push_back(tasks.size());
    for (Task& task : tasks_of(core, synthesis.target_mhz, options)) {
      tasks.emplace_back([task = std::move(task), &options]() -> nlohmann::json {
        return options.is_interrupted() ? nlohmann::json() : task();
      });
    }
  }
  const std::vector<nlohmann::json> answers = platform::run_in_workers(
      tasks, options.num_workers, [&](std::size_t done) { options.on_progress(done, tasks.size()); }, {},
      options.is_interrupted);
  std::vector<CoreResult> results;
  if (options.is_interrupted()) return results;
  for (std::size_t i = 0; i < synthesis.cores.size(); ++i) {
    results.push_back(result_of(synthesis.cores[i], options, &answers[first_of[i]]));
  }
  return results;
}

bool does_all_of(const spec::CoreSpec& core, const spec::CoreSpec& other) {
  const auto has = [&core](spec::PolicyKind policy) {
    return std::find(core.policies.begin(), core.policies.end(), policy) != core.policies.end();
  };
  return core.num_sms == other.num_sms && core.max_tbs_per_sm >= other.max_tbs_per_sm &&
         core.num_ksrs >= other.num_ksrs && core.num_command_buffers >= other.num_command_buffers &&
         core.num_contexts >= other.num_contexts && core.tb_id_bits >= other.tb_id_bits &&
         core.wait_bits >= other.wait_bits && core.parity_bits >= other.parity_bits && core.linger >= other.linger &&
         core.kept_turn >= other.kept_turn && core.setup_tag_bits >= other.setup_tag_bits &&
         core.refill_lane >= other.refill_lane && std::all_of(other.policies.begin(), other.policies.end(), has);
}

bool is_on_front(const CoreResult& result, const std::vector<CoreResult>& results) {
  std::vector<stats::ParetoPoint> points{{result.kge(), result.decision_ns()}};
  for (const CoreResult& other : results) {
    if (does_all_of(other.core, result.core)) points.push_back({other.kge(), other.decision_ns()});
  }
  return stats::pareto_front(points).front();
}

std::vector<std::vector<const CoreResult*>> pareto_fronts(const std::vector<CoreResult>& results) {
  std::vector<std::vector<const CoreResult*>> fronts;
  for (const CoreResult& result : results) {
    if (!is_on_front(result, results)) continue;
    const auto does_the_same = [&result](const std::vector<const CoreResult*>& front) {
      return does_all_of(front[0]->core, result.core) && does_all_of(result.core, front[0]->core);
    };
    const auto front = std::find_if(fronts.begin(), fronts.end(), does_the_same);
    (front == fronts.end() ? fronts.emplace_back() : *front).push_back(&result);
  }
  for (std::vector<const CoreResult*>& front : fronts) {
    std::sort(front.begin(), front.end(), [](const CoreResult* a, const CoreResult* b) { return a->kge() < b->kge(); });
  }
  return fronts;
}

}  // namespace tessera::synthesis
