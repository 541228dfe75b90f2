// SPDX-License-Identifier: Apache-2.0
// First all steps as they are; then, where that saves much, launches and copies alone, and a vote on the waits between.
#include "importer/program_tree.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace tessera::importer {
namespace {

constexpr std::size_t kReadable = 400;  // positions that nobody minds
constexpr double kWorthAVote = 0.75;    // of the positions, at most, that a vote has to leave

bool is_operation(const Step& step) {
  using K = StepKind;
  return step.kind == K::kLaunch || step.kind == K::kCopyToGpu || step.kind == K::kCopyToHost || step.kind == K::kGraph;
}

using StepKey = std::tuple<StepKind, std::uint32_t, std::uint64_t, bool, std::uint32_t, bool>;
StepKey key_of(const Step& step) {
  return {step.kind, step.stream, step.target, step.is_sync, step.factor_ppm, step.is_special()};
}

std::size_t num_positions(const std::vector<Repeated>& tree) {
  std::size_t count = 0;
  for (const Repeated& each : tree) count += each.body.empty() ? 1 : num_positions(each.body);
  return count;
}

ProgramTree unrepeated(const HostProgram& program) {
  ProgramTree tree;
  for (std::uint32_t i = 0; i < program.steps.size(); ++i) tree.positions.push_back({1, {}, {i}, 1});
  return tree;
}

// What comes just behind a wait is told apart: the GPU is idle then, so that the host's time before it is no mean with
// that of other rounds, which passes while the GPU works.
ProgramTree as_recorded(const HostProgram& program, Nanoseconds noticeable) {
  std::map<std::pair<StepKey, bool>, std::uint32_t> numbers;
  std::vector<std::uint32_t> tokens;
  bool is_behind_wait = true;
  for (const Step& step : program.steps) {
    const std::pair key(key_of(step), is_behind_wait && step.cpu_before >= noticeable);
    tokens.push_back(numbers.emplace(key, static_cast<std::uint32_t>(numbers.size())).first->second);
    is_behind_wait = waits(step);
  }
  return {find_repetition(tokens), 0};
}

class Vote {
 public:
  explicit Vote(const HostProgram& program) : program_(program) {
    std::map<StepKey, std::uint32_t> numbers;
    for (std::uint32_t i = 0; i < program.steps.size(); ++i) {
      if (!is_operation(program.steps[i])) {
        (operations_.empty() ? first_waits_ : waits_behind_.back()).push_back(i);
        continue;
      }
      operations_.push_back(i);
      waits_behind_.emplace_back();
      tokens_.push_back(
          numbers.emplace(key_of(program.steps[i]), static_cast<std::uint32_t>(numbers.size())).first->second);
    }
  }

  ProgramTree run() {
    for (const std::uint32_t step : first_waits_) tree_.positions.push_back({1, {}, {step}, 1});
    put(find_repetition(tokens_), tree_.positions);
    return std::move(tree_);
  }

 private:
  using Waits = std::vector<StepKey>;

  Waits waits_behind(std::uint32_t operation) const {
    Waits waits;
    for (const std::uint32_t step : waits_behind_[operation]) waits.push_back(key_of(program_.steps[step]));
    return waits;
  }

  void put(const std::vector<Repeated>& from, std::vector<Repeated>& to) {
    for (const Repeated& each : from) {
      if (each.body.empty()) {
        put_position(each, to);
        continue;
      }
      Repeated loop{each.count, {}, {}, 0};
      put(each.body, loop.body);
      to.push_back(std::move(loop));
    }
  }

  // A position's operation, and behind it the waits of most rounds. CPU time of waits that are left out is the
  // operation's.
  void put_position(const Repeated& position, std::vector<Repeated>& to) {
    std::map<Waits, std::size_t> votes;
    for (const std::uint32_t operation : position.members) ++votes[waits_behind(operation)];
    const Waits most = std::max_element(votes.begin(), votes.end(), [](const auto& a, const auto& b) {
                         return a.second < b.second;
                       })->first;
    const auto num_rounds = static_cast<std::uint32_t>(position.members.size());
    std::vector<Repeated> waits(most.size(), Repeated{1, {}, {}, num_rounds});
    Repeated itself{1, {}, {}, num_rounds};
    std::vector<std::uint32_t> left_out;
    for (const std::uint32_t operation : position.members) {
      itself.members.push_back(operations_[operation]);
      const std::vector<std::uint32_t>& own = waits_behind_[operation];
      if (waits_behind(operation) == most) {
        for (std::size_t i = 0; i < own.size(); ++i) waits[i].members.push_back(own[i]);
      } else {
        left_out.insert(left_out.end(), own.begin(), own.end());
        tree_.num_waits_altered += std::max(own.size(), most.size());
      }
    }
    itself.members.insert(itself.members.end(), left_out.begin(), left_out.end());
    to.push_back(std::move(itself));
    std::move(waits.begin(), waits.end(), std::back_inserter(to));
  }

  const HostProgram& program_;
  std::vector<std::uint32_t> operations_;                 // steps
  std::vector<std::vector<std::uint32_t>> waits_behind_;  // steps, by operation
  std::vector<std::uint32_t> first_waits_;                // before all operations
  std::vector<std::uint32_t> tokens_;                     // of operations
  ProgramTree tree_;
};

}  // namespace

ProgramTree program_tree(const HostProgram& program, bool is_exact, Nanoseconds noticeable) {
  if (is_exact) return unrepeated(program);
  ProgramTree recorded = as_recorded(program, noticeable);
  const std::size_t size = num_positions(recorded.positions);
  if (size <= kReadable) return recorded;
  ProgramTree voted = Vote(program).run();
  const bool is_worth_it =
      static_cast<double>(num_positions(voted.positions)) <= kWorthAVote * static_cast<double>(size);
  return is_worth_it ? voted : recorded;
}

}  // namespace tessera::importer
