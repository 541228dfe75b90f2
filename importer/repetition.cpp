// SPDX-License-Identifier: Apache-2.0
// The longest stretch that equals itself one period later, for the most likely periods; then the same before it, after
// it, and inside one round of it.
#include "importer/repetition.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <utility>

namespace tessera::importer {
namespace {

constexpr std::size_t kMaxPeriods = 48;        // that are tried for a stretch
constexpr std::size_t kMaxFarPlaces = 20'000;  // that look far for a period
constexpr std::size_t kMaxShortPeriod = 24;    // of what is looked for everywhere, in one pass
constexpr std::size_t kLeastGain = 4;          // positions that a loop has to save
constexpr std::size_t kLeastLongGain = 48;     // to be looked for by the longer way
constexpr int kMaxDepth = 7;                   // loops in loops; YAML takes 8
constexpr std::size_t kMaxVisits = 400'000'000;

struct Position {
  std::uint32_t token = 0;
  std::vector<std::uint32_t> members;
};
using Sequence = std::vector<Position>;

struct Stretch {
  std::size_t begin = 0;
  std::size_t period = 0;
  std::size_t rounds = 0;
  std::size_t gain() const { return rounds < 2 ? 0 : (rounds - 1) * period; }
};

class Finder {
 public:
  std::vector<Repeated> find(Sequence sequence, int depth) {
    if (depth >= kMaxDepth || sequence.size() < 2) return plain(std::move(sequence));
    const Stretch best = longest(sequence);
    if (best.gain() < kLeastLongGain) return find_short(std::move(sequence), depth);
    const auto begin = sequence.begin() + static_cast<std::ptrdiff_t>(best.begin);
    const auto end = begin + static_cast<std::ptrdiff_t>(best.period * best.rounds);
    const auto part = [](Sequence::iterator from, Sequence::iterator to) {
      return Sequence(std::make_move_iterator(from), std::make_move_iterator(to));
    };
    Sequence before = part(sequence.begin(), begin);
    Sequence rounds = part(begin, end);
    Sequence after = part(end, sequence.end());
    sequence = {};  // a trace is long: only its parts are kept while they are looked at
    std::vector<Repeated> result = find(std::move(before), depth);
    result.push_back(loop(std::move(rounds), best, depth));
    for (Repeated& each : find(std::move(after), depth)) result.push_back(std::move(each));
    return result;
  }

 private:
  static Repeated leaf(std::vector<std::uint32_t> members) {
    const auto num_rounds = static_cast<std::uint32_t>(members.size());
    return {1, {}, std::move(members), num_rounds};
  }

  static std::vector<Repeated> plain(Sequence sequence) {
    std::vector<Repeated> result;
    for (Position& position : sequence) result.push_back(leaf(std::move(position.members)));
    return result;
  }

  // The rounds are laid upon each other.
  Repeated loop(Sequence rounds, const Stretch& stretch, int depth) {
    Sequence body(rounds.begin(), rounds.begin() + static_cast<std::ptrdiff_t>(stretch.period));
    for (std::size_t i = stretch.period; i < rounds.size(); ++i) {
      std::vector<std::uint32_t>& members = body[i % stretch.period].members;
      members.insert(members.end(), rounds[i].members.begin(), rounds[i].members.end());
    }
    return {static_cast<std::uint32_t>(stretch.rounds), find(std::move(body), depth + 1), {}, 0};
  }

  // Distances at which tokens come again, the most frequent first. A period of r rounds shows in every token of it.
  static std::vector<std::size_t> periods_of(const Sequence& sequence) {
    std::unordered_map<std::uint32_t, std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < sequence.size(); ++i) places[sequence[i].token].push_back(i);
    std::unordered_map<std::size_t, std::size_t> votes;
    // Some tokens come several times a round: distances over a few of them count too, and over many of them those from
    // some places, which stand for the others.
    constexpr std::size_t kReach = 4;
    constexpr std::size_t kLongReach = 64;
    const std::size_t one_in = 1 + sequence.size() / kMaxFarPlaces;
    for (const auto& [token, at] : places) {
      for (std::size_t i = 0; i < at.size(); ++i) {
        const bool is_far = i % one_in == 0;
        const std::size_t last = std::min(at.size() - 1, i + (is_far ? kLongReach : kReach));
        for (std::size_t j = i + 1; j <= last; ++j) votes[at[j] - at[i]] += j > i + kReach ? one_in : 1;
      }
    }
    std::vector<std::pair<std::size_t, std::size_t>> ranked;  // what it would save, period
    for (const auto& [period, count] : votes) ranked.emplace_back(count, period);
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::vector<std::size_t> periods;
    for (std::size_t i = 0; i < ranked.size() && i < kMaxPeriods; ++i) periods.push_back(ranked[i].second);
    // Long periods of few rounds have few votes each, and save most.
    std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
      return a.first * a.second != b.first * b.second ? a.first * a.second > b.first * b.second : a.second < b.second;
    });
    for (std::size_t i = 0; i < ranked.size() && i < kMaxPeriods; ++i) periods.push_back(ranked[i].second);
    std::sort(periods.begin(), periods.end());
    periods.erase(std::unique(periods.begin(), periods.end()), periods.end());
    return periods;
  }

  Stretch longest(const Sequence& sequence) {
    Stretch best;
    if (sequence.size() < 2 * kLeastLongGain / 2 || visits_ > kMaxVisits) return best;
    for (const std::size_t period : periods_of(sequence)) {
      visits_ += sequence.size();
      std::size_t run = 0;
      for (std::size_t i = period; i <= sequence.size(); ++i) {
        if (i < sequence.size() && sequence[i].token == sequence[i - period].token) {
          ++run;
          continue;
        }
        const Stretch stretch{i - period - run, period, run / period + 1};
        if (stretch.gain() > best.gain()) best = stretch;  // of equal ones the shorter period, which came first
        run = 0;
      }
    }
    return best;
  }

  // One pass from left to right: at each place the short loop that saves most.
  std::vector<Repeated> find_short(Sequence sequence, int depth) {
    std::vector<Repeated> result;
    for (std::size_t i = 0; i < sequence.size();) {
      const Stretch best = short_loop_at(sequence, i);
      if (best.gain() < kLeastGain) {
        result.push_back(leaf(std::move(sequence[i].members)));
        ++i;
        continue;
      }
      const auto begin = sequence.begin() + static_cast<std::ptrdiff_t>(i);
      const std::size_t size = best.period * best.rounds;
      Sequence rounds(begin, begin + static_cast<std::ptrdiff_t>(size));
      result.push_back(loop(std::move(rounds), best, depth));
      i += size;
    }
    return result;
  }

  static Stretch short_loop_at(const Sequence& sequence, std::size_t at) {
    Stretch best;
    for (std::size_t period = 1; period <= kMaxShortPeriod && at + 2 * period <= sequence.size(); ++period) {
      std::size_t run = 0;
      while (at + run + period < sequence.size() && sequence[at + run].token == sequence[at + run + period].token)
        ++run;
      const Stretch stretch{at, period, run / period + 1};
      if (stretch.gain() > best.gain()) best = stretch;
    }
    return best;
  }

  std::size_t visits_ = 0;
};

}  // namespace

std::vector<Repeated> find_repetition(const std::vector<std::uint32_t>& tokens) {
  Sequence sequence;
  for (std::uint32_t i = 0; i < tokens.size(); ++i) sequence.push_back({tokens[i], {i}});
  return Finder().find(std::move(sequence), 0);
}

}  // namespace tessera::importer
