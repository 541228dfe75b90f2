// SPDX-License-Identifier: Apache-2.0
// Beyond the paper: what the analysis promises, held against what happens on the machine.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "campaign/z21/machine_figures.h"

namespace tessera::campaign::z21 {
namespace {

constexpr std::uint32_t kBoundsLeast = 6;
constexpr std::uint32_t kBoundsMost = 42;  // above, hardly a set is accepted
constexpr std::uint32_t kBoundsStep = 4;
constexpr std::size_t kListed = 3;  // late jobs that notes have; measurements.csv has all

constexpr Scheme kInPartitions[] = {
    {"context switch", true, spec::PolicyKind::kStaticPartition, spec::TechniqueKind::kContextSwitch},
    {"drain", true, spec::PolicyKind::kStaticPartition, spec::TechniqueKind::kDrain}};

// Over all utilisations of a scheme and conditions.
struct Total {
  std::size_t drawn = 0;
  std::size_t run = 0;
  std::size_t missed = 0;  // sets with a late job
  double worst_of_deadline = 0;
  double worst_of_bound = 0;
  double sum_of_bound = 0;
  std::vector<std::string> late;
  std::map<std::string, std::size_t> causes;  // of the first late jobs
};

std::string in_words(std::uint32_t utilisation, std::size_t set, const LateJob& late) {
  std::string text = fmt::format("U = {}, set {}: job {} of {}, {:.3f} ms{}, due after {:.3f} ms; of {:.3f} ms ",
                                 utilisation, set, late.run, late.task, late.response_ms,
                                 late.has_ended ? "" : " so far", late.deadline_ms, late.busy_ms);
  for (std::size_t i = 0; i < late.lost_ms.size(); ++i) {
    text += fmt::format("{:.3f} for {}, ", late.lost_ms[i], kLossNames[i]);
  }
  return text + "cause: " + late.cause();
}

Total total_of(Survival& survival, const Scheme& scheme, const Conditions& conditions) {
  Total total;
  for (std::uint32_t u = kBoundsLeast; u <= kBoundsMost; u += kBoundsStep) {
    std::size_t index = 0;
    for (const MachineOutcome& set : survival.of(scheme, conditions, u)) {
      ++total.drawn;
      const std::size_t number = index++;
      if (set.is_rejected) continue;
      ++total.run;
      total.worst_of_deadline = std::max(total.worst_of_deadline, set.worst_of_deadline);
      total.worst_of_bound = std::max(total.worst_of_bound, set.worst_of_bound);
      total.sum_of_bound += set.worst_of_bound;
      if (set.missed == 0) continue;
      ++total.missed;
      if (!set.first_late) continue;
      total.late.push_back(in_words(u, number, *set.first_late));
      ++total.causes[set.first_late->cause()];
    }
  }
  return total;
}

std::string in_words(const Conditions& conditions) {
  return fmt::format("unit {} us, overheads {}, {}", conditions.time_unit / 1000,
                     conditions.has_overheads ? "machine" : "none",
                     conditions.has_offsets ? "random offsets" : "released together");
}

std::vector<Conditions> conditions_of_bounds() {
  std::vector<Conditions> all;
  for (const realtime::Nanoseconds unit : {1'000'000, 100'000}) {
    for (const bool has_overheads : {false, true}) {
      for (const bool has_offsets : {false, true}) {
        all.push_back({ContentionOf::kPartition, 1, unit, has_offsets, has_overheads});
      }
    }
  }
  return all;
}

void add_values(Figure& figure, const Scheme& scheme, const Conditions& conditions, const Total& total) {
  const auto add = [&](const char* what, double value) {
    Value one = value_of(what, fmt::format("{}, {}", scheme.name, in_words(conditions)), "", value);
    one.ours.number = total.run;
    figure.values.push_back(std::move(one));
  };
  add("accepted, %", 100.0 * static_cast<double>(total.run) / static_cast<double>(total.drawn));
  add("sets with a miss", static_cast<double>(total.missed));
  add("worst response / deadline", total.worst_of_deadline);
  add("worst response / bound", total.worst_of_bound);
  add("mean of the sets' worst / bound", total.run > 0 ? total.sum_of_bound / static_cast<double>(total.run) : 0);
  for (const auto& [cause, number] : total.causes) {
    figure.notes.push_back(fmt::format("Late first, {}, {}: {} of {} sets by {}", scheme.name, in_words(conditions),
                                       number, total.missed, cause));
  }
  for (std::size_t i = 0; i < std::min(kListed, total.late.size()); ++i) {
    figure.notes.push_back(fmt::format("Late, {}, {}: {}", scheme.name, in_words(conditions), total.late[i]));
  }
}

}  // namespace

Figure fig_bounds(Survival& survival) {
  Figure figure;
  figure.name = "z21-bounds";
  figure.title = "Accepted sets on the machine, for a hyperperiod each";
  figure.is_matrix = true;
  figure.unit_head = "sets run";
  Total promised;  // of what counts overheads
  for (const Conditions& conditions : conditions_of_bounds()) {
    for (const Scheme& scheme : kInPartitions) {
      const Total total = total_of(survival, scheme, conditions);
      add_values(figure, scheme, conditions, total);
      if (!conditions.has_overheads) continue;
      promised.run += total.run;
      promised.missed += total.missed;
      promised.worst_of_bound = std::max(promised.worst_of_bound, total.worst_of_bound);
    }
  }
  figure.orderings.push_back({"no set that is accepted with the machine's overheads misses a deadline",
                              promised.run > 0 && promised.missed == 0,
                              fmt::format("{} of {} sets miss", promised.missed, promised.run)});
  figure.orderings.push_back({"no response is above its bound with the machine's overheads",
                              promised.run > 0 && promised.worst_of_bound <= 1,
                              fmt::format("{:.3f} of it", promised.worst_of_bound)});
  figure.notes.emplace_back(
      "Without overheads the analysis knows of no launch, no switch and, under drain, of no waiting for thread blocks: "
      "what is late there is so by them. Of a late job: since when its partition had it, or others due no later, "
      "without a break, "
      "up to its end, and what of that was lost, in SM time over the partition's SMs.");
  return figure;
}

}  // namespace tessera::campaign::z21
