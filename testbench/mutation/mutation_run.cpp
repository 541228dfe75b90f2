// SPDX-License-Identifier: Apache-2.0
#include "testbench/mutation/mutation_run.h"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cosim/compare.h"
#include "cosim/core_library.h"
#include "platform/worker_pool.h"
#include "testbench/mutation/equivalence.h"
#include "testbench/mutation/mutated_netlist.h"
#include "testbench/mutation/recording.h"

namespace tessera::testbench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(MutantResult::Catch, cycles, signal)

namespace {

using Catch = MutantResult::Catch;

cosim::BuildRequest request_for(const cosim::Elaboration& elaboration, const MutatedNetlist& netlist) {
  cosim::BuildRequest request(elaboration);
  request.verilog_files = {netlist.verilog};
  request.has_mutant_select = true;
  return request;
}

// What differs after `num_steps` of an episode; empty: nothing.
std::string difference_after(std::size_t num_steps, cosim::IVerilatedCore& core, const Recording::Episode& episode) {
  const rtl_model::SchedulerOutputs& out = num_steps == 0 ? episode.first : episode.steps[num_steps - 1].out;
  if (const auto difference = cosim::first_difference(out, core.outputs())) return difference->signal;
  if (num_steps == 0 || num_steps % Recording::kStepsBetweenSnapshots != 0) return {};
  rtl_model::CoreSnapshot registers;
  read_registers(core, registers);
  const auto& recorded = episode.registers[num_steps / Recording::kStepsBetweenSnapshots - 1];
  const auto difference = cosim::first_difference(recorded, registers);
  return difference ? difference->signal : "";
}

// `cycles` counts on.
std::optional<Catch> replay(cosim::IVerilatedCore& core, const Recording::Episode& episode, std::uint32_t mutant,
                            std::uint64_t& cycles) {
  cosim::Straps straps = episode.straps;
  straps.mutant = mutant;
  core.reset(straps);
  for (std::size_t i = 0;; ++i, ++cycles) {
    const std::string signal = difference_after(i, core, episode);
    if (!signal.empty()) return Catch{cycles, signal};
    if (i == episode.steps.size()) return {};
    core.cycle(episode.steps[i].in);
  }
}

std::optional<Catch> replay(cosim::IVerilatedCore& core, const Recording& recording, std::uint32_t mutant,
                            const std::function<bool()>& is_interrupted) {
  std::uint64_t cycles = 0;
  try {
    for (const Recording::Episode& episode : recording.episodes) {
      if (is_interrupted()) break;
      if (const auto caught = replay(core, episode, mutant, cycles)) return caught;
    }
  } catch (const std::runtime_error& error) {
    return Catch{cycles, error.what()};  // a loop without a register that does not settle
  }
  return {};
}

// The cycles until each mutant was caught, or null. The first is no mutant.
std::vector<nlohmann::json> replay_all(const MutationRun& options, const MutatedNetlist& netlist,
                                       cosim::IVerilatedCore& core, const Recording& recording) {
  std::vector<std::function<nlohmann::json()>> tasks;
  const auto add_task = [&](std::uint32_t number) {
    tasks.emplace_back([&, number]() -> nlohmann::json {
      const auto caught = replay(core, recording, number, options.is_interrupted);
      return caught ? nlohmann::json(*caught) : nlohmann::json();
    });
  };
  add_task(0);
  for (const Mutant& mutant : netlist.mutants) add_task(mutant.number);
  return platform::run_in_workers(
      tasks, options.num_workers, [&](std::size_t done) { options.on_progress(done, tasks.size()); }, {},
      options.is_interrupted);
}

void prove_survivors(const MutationRun& options, const std::filesystem::path& design,
                     std::vector<MutantResult>& results) {
  std::vector<MutantResult*> survivors;
  std::vector<std::function<nlohmann::json()>> tasks;
  for (MutantResult& result : results) {
    if (result.caught) continue;
    survivors.push_back(&result);
    tasks.emplace_back([&options, &design, &result]() -> nlohmann::json {
      return !options.is_interrupted() && is_proved_equivalent(result.mutant, design);
    });
  }
  const std::vector<nlohmann::json> answers = platform::run_in_workers(
      tasks, options.num_workers, [&](std::size_t done) { options.on_progress(done, tasks.size()); }, {},
      options.is_interrupted);
  if (options.is_interrupted()) return;
  for (std::size_t i = 0; i < survivors.size(); ++i) survivors[i]->is_equivalent = answers[i].get<bool>();
}

}  // namespace

MutationResult run_mutation(const MutationRun& options) {
  const cosim::Elaboration elaboration(options.configuration.params);
  const MutatedNetlist netlist = make_mutated_netlist(elaboration, options.num_mutants, options.seed);
  // One for all: it is forked before its first cycle, so that no mutant sees what another left behind.
  const std::unique_ptr<cosim::IVerilatedCore> core = cosim::make_core(request_for(elaboration, netlist));
  const Recording recording = record(options.configuration, options.seed, options.cycles);
  const std::vector<nlohmann::json> answers = replay_all(options, netlist, *core, recording);
  if (options.is_interrupted()) return {};
  if (!answers.front().is_null()) {
    throw std::runtime_error("the netlist differs from rtl/ without any mutant: " + answers.front().dump());
  }

  MutationResult result{recording.num_cycles(), recording.episodes.size(), {}};
  for (std::size_t i = 0; i < netlist.mutants.size(); ++i) {
    MutantResult& each = result.mutants.emplace_back();
    each.mutant = netlist.mutants[i];
    if (!answers[i + 1].is_null()) each.caught = answers[i + 1].get<Catch>();
  }
  if (options.proves_equivalence) prove_survivors(options, netlist.design, result.mutants);
  return result;
}

}  // namespace tessera::testbench
