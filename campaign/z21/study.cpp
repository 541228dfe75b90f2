// SPDX-License-Identifier: Apache-2.0
// A task of the worker pool is a block of the sets of a point.
#include "campaign/z21/study.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "model/realtime/generation.h"
#include "model/realtime/load.h"

namespace tessera::campaign::z21 {
namespace {

using realtime::Forbidden;
using realtime::Heuristic;
using realtime::PartitioningOptions;
using realtime::Stop;

constexpr std::uint32_t kBlocks = 5;  // of as many sets as there are workloads: 100 sets a point by default
constexpr std::uint64_t kMostSetsOfAPoint = 1'000'000;

PartitioningOptions options_of(Way way) {
  const Heuristic heuristic = way == kBfLiteral                  ? Heuristic::kBestFitLiteral
                              : way == kSmsIna || way == kSmsAct ? Heuristic::kSms
                                                                 : Heuristic::kBestFit;
  return {heuristic, way == kSmsAct || way == kBfAct ? Forbidden::kAct : Forbidden::kIna, Stop::kFixpoint};
}

bool is_pair(const realtime::TaskSet& set, const realtime::Partition& partition) {
  const std::vector<std::uint32_t>& tasks = partition.tasks;
  return tasks.size() == 2 && set.tasks[tasks[0]].kind != set.tasks[tasks[1]].kind;
}

Answer partitioned(const realtime::TaskSet& set, Way way) {
  const realtime::Partitioning partitioning = realtime::partition(set, options_of(way));
  Answer answer;
  answer.is_accepted = partitioning.is_schedulable;
  answer.load = realtime::load_of(set, partitioning.partitions);
  answer.num_partitions = static_cast<std::uint32_t>(partitioning.partitions.size());
  answer.num_pairs = static_cast<std::uint32_t>(
      std::count_if(partitioning.partitions.begin(), partitioning.partitions.end(),
                    [&](const realtime::Partition& partition) { return is_pair(set, partition); }));
  answer.merges_tried = partitioning.merges_tried;
  answer.task_tests = partitioning.task_tests;
  return answer;
}

Answer undivided(const SetOutcome& outcome, bool is_accepted) { return {is_accepted, outcome.most_load, 1, 0, 0, 0}; }

nlohmann::json to_json(const SetOutcome& outcome) {
  nlohmann::json json{outcome.least_load, outcome.most_load};
  for (const Answer& answer : outcome.answers) {
    json.push_back({answer.is_accepted, answer.load, answer.num_partitions, answer.num_pairs, answer.merges_tried,
                    answer.task_tests});
  }
  return json;
}

SetOutcome from_json(const nlohmann::json& json) {
  SetOutcome outcome{json.at(0), json.at(1), {}};
  for (std::size_t i = 2; i < json.size(); ++i) {
    const nlohmann::json& one = json[i];
    outcome.answers.push_back({one.at(0), one.at(1), one.at(2), one.at(3), one.at(4), one.at(5)});
  }
  return outcome;
}

// All blocks of a point stand behind each other; first blocks come first, so that the time left can be told.
struct Block {
  std::size_t points = 0;
  std::size_t point = 0;
  std::uint32_t first_set = 0;
};

std::vector<Block> blocks_of(const std::vector<Points>& points, std::uint32_t sets_of_block) {
  std::vector<Block> blocks;
  for (std::uint32_t block = 0; block < kBlocks; ++block) {
    for (std::size_t point = 0; point < points.front().size(); ++point) {
      for (std::size_t i = 0; i < points.size(); ++i) blocks.push_back({i, point, block * sets_of_block});
    }
  }
  return blocks;
}

}  // namespace

std::uint64_t set_number(std::uint32_t utilisation, std::uint32_t index) {
  return utilisation * kMostSetsOfAPoint + index;
}

SetOutcome outcome_of(const spec::Spec& base, std::uint32_t num_tasks, std::uint32_t utilisation, std::uint32_t index,
                      std::optional<std::uint32_t> most_of_a_task) {
  realtime::GenerationOptions options;
  options.num_tasks = num_tasks;
  options.utilisation = utilisation;
  options.num_sms = base.gpu.num_sms;
  options.max_task_utilisation = most_of_a_task;
  const realtime::TaskSet set = realtime::generate(options, base.seed, set_number(utilisation, index));
  SetOutcome outcome;
  outcome.least_load = realtime::load_without_contention(set);
  outcome.most_load = realtime::load_with_contention(set);
  for (const Way way : kHeuristics) outcome.answers.push_back(partitioned(set, way));
  outcome.answers.push_back(undivided(outcome, realtime::accepts_1g_as_printed(set)));
  outcome.answers.push_back(undivided(outcome, realtime::accepts_1g(set)));
  if (num_tasks == kFewTasks) outcome.answers.push_back(partitioned(set, kBfLiteral));
  return outcome;
}

std::optional<std::uint32_t> limit_of(const std::string& variant) {
  for (const Limit& limit : kLimits) {
    if (variant == limit.variant) return limit.most_of_a_task;
  }
  return std::nullopt;
}

Study::Study(const Request& request, const std::vector<std::uint32_t>& nums_tasks) {
  const spec::Spec base = request.load({});
  num_sms_ = base.gpu.num_sms;
  for (const std::uint32_t num_tasks : nums_tasks) {
    Points& points = points_.emplace_back();
    for (std::uint32_t u = kLeastUtilisation; u <= kMostUtilisation; u += kUtilisationStep) {
      points.push_back({num_tasks, u, std::vector<SetOutcome>(kBlocks * request.num_workloads)});
    }
  }
  const std::optional<std::uint32_t> most_of_a_task = limit_of(request.variant);
  const std::vector<Block> blocks = blocks_of(points_, request.num_workloads);
  std::vector<std::function<nlohmann::json()>> work;
  for (const Block& block : blocks) {
    const Point& point = points_[block.points][block.point];
    work.emplace_back([&request, &base, &point, most_of_a_task, first = block.first_set] {
      nlohmann::json sets = nlohmann::json::array();
      for (std::uint32_t i = 0; i < request.num_workloads && !request.options.is_interrupted(); ++i) {
        sets.push_back(to_json(outcome_of(base, point.num_tasks, point.utilisation, first + i, most_of_a_task)));
      }
      return sets;
    });
  }
  const std::vector<nlohmann::json> answers = answers_of(work, request.options);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::vector<SetOutcome>& sets = points_[blocks[i].points][blocks[i].point].sets;
    for (std::size_t k = 0; k < answers[i].size(); ++k) sets[blocks[i].first_set + k] = from_json(answers[i][k]);
  }
}

const Points& Study::points(std::uint32_t num_tasks) const {
  for (const Points& points : points_) {
    if (points.front().num_tasks == num_tasks) return points;
  }
  throw std::out_of_range(fmt::format("no sets of {} tasks", num_tasks));
}

std::string Study::measurements_csv() const {
  std::string csv =
      "tasks,utilisation,set,way,accepted,least load,most load,load,partitions,pairs,merges tried,task tests\n";
  for (const Points& points : points_) {
    for (const Point& point : points) {
      for (std::size_t set = 0; set < point.sets.size(); ++set) {
        const SetOutcome& outcome = point.sets[set];
        for (std::size_t way = 0; way < outcome.answers.size(); ++way) {
          const Answer& answer = outcome.answers[way];
          csv += fmt::format("{},{},{},\"{}\",{:d},{},{},{},{},{},{},{}\n", point.num_tasks, point.utilisation,
                             set_number(point.utilisation, static_cast<std::uint32_t>(set)), kWayNames[way],
                             answer.is_accepted, outcome.least_load, outcome.most_load, answer.load,
                             answer.num_partitions, answer.num_pairs, answer.merges_tried, answer.task_tests);
        }
      }
    }
  }
  return csv;
}

std::size_t accepted(const Point& point, Way way) {
  return static_cast<std::size_t>(std::count_if(
      point.sets.begin(), point.sets.end(), [&](const SetOutcome& set) { return set.answers.at(way).is_accepted; }));
}

stats::Estimate rate(const Point& point, Way way) {
  return stats::estimate_percent(accepted(point, way), point.sets.size());
}

stats::Estimate mean_of_accepted(const Point& point, Way way,
                                 const std::function<double(const SetOutcome&, const Answer&)>& value) {
  std::vector<stats::Observation> observations;
  for (const SetOutcome& set : point.sets) {
    const Answer& answer = set.answers.at(way);
    if (answer.is_accepted) observations.push_back({0, value(set, answer), 1});
  }
  return stats::estimate(observations);
}

const Point& at(const Points& points, std::uint32_t utilisation) {
  for (const Point& point : points) {
    if (point.utilisation == utilisation) return point;
  }
  throw std::out_of_range(fmt::format("no sets of utilisation {}", utilisation));
}

std::string Discordance::text(Way first, Way second) const {
  return fmt::format("of all sets {} alone accepts {}, {} alone {}; {} points speak for the latter", kWayNames[first],
                     only_first, kWayNames[second], only_second, points_for_second);
}

Discordance compare(const Points& points, Way first, Way second) {
  constexpr double kZ = 1.96;
  Discordance all;
  for (const Point& point : points) {
    std::size_t only_first = 0;
    std::size_t only_second = 0;
    for (const SetOutcome& set : point.sets) {
      const bool is_first = set.answers.at(first).is_accepted;
      const bool is_second = set.answers.at(second).is_accepted;
      only_first += is_first && !is_second;
      only_second += is_second && !is_first;
    }
    const auto more = static_cast<double>(only_second) - static_cast<double>(only_first);
    all.points_for_second += more > kZ * std::sqrt(static_cast<double>(only_first + only_second));
    all.only_first += only_first;
    all.only_second += only_second;
  }
  return all;
}

}  // namespace tessera::campaign::z21
