// SPDX-License-Identifier: Apache-2.0
#include "testbench/random_lockstep.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cosim/core_library.h"
#include "platform/worker_pool.h"

namespace tessera::testbench {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LockstepCounts, cycles, active_cycles, episodes, resets, kernels, turns, switches,
                                   snapshots)

namespace {

constexpr Cycle kShardCycles = 250'000;  // long enough that its start costs little
constexpr Cycle kSeedsPerRound = 4;
constexpr Cycle kWaveCycles = 1000;  // kept before a failure

struct Shard {
  std::size_t configuration = 0;  // index
  std::uint64_t seed = 0;
  Cycle active_cycles = 0;
};

cosim::BuildRequest request_for(const RandomLockstep& options, std::size_t index, const cosim::Variant& variant) {
  if (!options.netlists.empty()) {
    cosim::BuildRequest request(options.netlists[index].elaboration, variant);
    request.verilog_files = {options.netlists[index].file};
    request.is_netlist = true;
    return request;
  }
  const Configuration& configuration = options.configurations[index];
  cosim::Elaboration elaboration(configuration.params);
  elaboration.policies = configuration.policies;
  cosim::BuildRequest request(elaboration, variant);
  request.verilog_files = options.verilog_files;
  return request;
}

void build_cores(const RandomLockstep& options) {
  std::vector<std::function<nlohmann::json()>> builds;
  for (std::size_t i = 0; i < options.configurations.size(); ++i) {
    builds.emplace_back([&options, i]() -> nlohmann::json {
      return cosim::build_core(request_for(options, i, options.variant)).string();
    });
  }
  try {
    platform::run_in_workers(builds, options.num_workers, {}, {}, options.is_interrupted);
  } catch (const std::runtime_error&) {
    if (!options.is_interrupted()) throw;  // else a compiler was interrupted as well
  }
}

// In rounds, after each of which a failure ends the run.
std::vector<std::vector<Shard>> rounds_of(const RandomLockstep& options) {
  std::vector<std::vector<Shard>> rounds;
  const Cycle share = (options.active_cycles + options.configurations.size() - 1) / options.configurations.size();
  for (Cycle number = 0; number * kShardCycles < share; ++number) {
    if (number % kSeedsPerRound == 0) rounds.emplace_back();
    for (std::size_t i = 0; i < options.configurations.size(); ++i) {
      rounds.back().push_back({i, options.seed + number, std::min(kShardCycles, share - number * kShardCycles)});
    }
  }
  return rounds;
}

// The episode once more, with the last cycles before the failure in a file.
nlohmann::json with_wave(const RandomLockstep& options, std::size_t index, Failure failure) {
  const Configuration& configuration = options.configurations[index];
  cosim::Variant variant = options.variant;
  variant.has_coverage = false;
  variant.has_wave = true;
  LockstepBench bench(configuration, cosim::make_core(request_for(options, index, variant)));
  bench.keep_wave(fmt::format("{}/cosim-{}-{}.fst", options.folder, configuration.name, failure.seed),
                  failure.cycle - std::min(failure.cycle, kWaveCycles));
  const std::optional<Failure> again = bench.run_episode(failure.seed, failure.episode);
  return again ? *again : failure;
}

nlohmann::json run_shard(const RandomLockstep& options, const Shard& shard) {
  const Configuration& configuration = options.configurations[shard.configuration];
  LockstepBench bench(configuration, cosim::make_core(request_for(options, shard.configuration, options.variant)));
  const std::optional<Failure> failure = bench.run(shard.seed, shard.active_cycles, options.is_interrupted);
  if (!options.coverage_folder.empty()) {
    bench.core().write_coverage(fmt::format("{}/{}-{}.dat", options.coverage_folder, configuration.name, shard.seed));
  }
  nlohmann::json result{{"counts", bench.counts()}, {"hits", nlohmann::json::array()}};
  for (const Coverage::Point& point : bench.coverage().points()) result["hits"].push_back(point.hits);
  if (failure) result["failure"] = *failure;
  return result;
}

std::vector<nlohmann::json> run_round(const RandomLockstep& options, const std::vector<Shard>& shards,
                                      const std::function<void(std::size_t)>& on_done) {
  std::vector<std::function<nlohmann::json()>> tasks;
  for (const Shard& shard : shards) {
    tasks.emplace_back([&options, shard] { return run_shard(options, shard); });
  }
  return platform::run_in_workers(tasks, options.num_workers, on_done, {}, options.is_interrupted);
}

void add(ConfigurationResult& sum, const nlohmann::json& result) {
  const auto counts = result["counts"].get<LockstepCounts>();
  sum.counts.cycles += counts.cycles;
  sum.counts.active_cycles += counts.active_cycles;
  sum.counts.episodes += counts.episodes;
  sum.counts.resets += counts.resets;
  sum.counts.kernels += counts.kernels;
  sum.counts.turns += counts.turns;
  sum.counts.switches += counts.switches;
  sum.counts.snapshots += counts.snapshots;
  for (std::size_t i = 0; i < sum.points.size(); ++i) sum.points[i].hits += result["hits"][i].get<std::uint64_t>();
  if (!sum.failure && result.contains("failure")) sum.failure = result["failure"].get<Failure>();
}

void keep_waves(const RandomLockstep& options, std::vector<ConfigurationResult>& results) {
  std::vector<std::function<nlohmann::json()>> tasks;
  std::vector<ConfigurationResult*> failed;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!results[i].failure) continue;
    failed.push_back(&results[i]);
    tasks.emplace_back([&options, i, failure = *results[i].failure] { return with_wave(options, i, failure); });
  }
  const std::vector<nlohmann::json> failures = platform::run_in_workers(tasks, options.num_workers);
  for (std::size_t i = 0; i < failed.size(); ++i) failed[i]->failure = failures[i].get<Failure>();
}

}  // namespace

std::vector<ConfigurationResult> run_random_lockstep(const RandomLockstep& options) {
  build_cores(options);
  if (options.is_interrupted()) return {};
  std::vector<ConfigurationResult> results;
  for (const Configuration& configuration : options.configurations) {
    results.push_back({configuration.name, {}, CoreCoverage().points().points(), {}});
  }
  const std::vector<std::vector<Shard>> rounds = rounds_of(options);
  std::size_t num_shards = 0, num_done = 0;
  for (const std::vector<Shard>& round : rounds) num_shards += round.size();
  bool has_failed = false;
  for (std::size_t i = 0; i < rounds.size() && !has_failed && !options.is_interrupted(); ++i) {
    const std::vector<nlohmann::json> done =
        run_round(options, rounds[i], [&](std::size_t more) { options.on_progress(num_done + more, num_shards); });
    if (options.is_interrupted()) return results;
    num_done += done.size();
    for (std::size_t shard = 0; shard < done.size(); ++shard) {
      add(results[rounds[i][shard].configuration], done[shard]);
      has_failed = has_failed || done[shard].contains("failure");
    }
  }
  options.on_progress(num_shards, num_shards);
  if (options.keeps_waves) keep_waves(options, results);
  return results;
}

std::vector<Coverage::Point> all_points(const std::vector<ConfigurationResult>& results) {
  std::vector<Coverage::Point> all = results.front().points;
  for (std::size_t i = 1; i < results.size(); ++i) {
    for (std::size_t point = 0; point < all.size(); ++point) all[point].hits += results[i].points[point].hits;
  }
  return all;
}

}  // namespace tessera::testbench
