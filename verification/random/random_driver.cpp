// SPDX-License-Identifier: Apache-2.0
// Capacities are often small against what groups take, so that budgets run out.
#include "verification/random/random_driver.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "model/spec/spec.h"

namespace tessera::verification {
namespace {

constexpr std::uint32_t kMaxPriority = 15;
constexpr Picoseconds kShortestPeriod = 1'000'000;
constexpr std::uint64_t kLongestTick = 100'000;  // ns
constexpr std::uint64_t kMaxCost = 3'000;        // ns of CPU time
constexpr std::uint64_t kMaxBytes = 60'000;

class DriverDraw {
 public:
  DriverDraw(Draws& draw, const RandomDriverRanges& ranges, spec::Spec& spec)
      : draw_(draw), ranges_(ranges), spec_(spec), driver_(spec.driver) {}

  void operator()() {
    driver_.kind = spec::DriverKind::kTimegraph;
    draw_lines();
    driver_.limit_percent = draw_.one_in(2) ? 100 : draw_.in32(0, 100);
    driver_.default_priority = draw_.in32(0, kMaxPriority);
    draw_seam();
    draw_rules();
    draw_background();
    draw_focus();
  }

 private:
  void draw_lines() {
    for (const spec::ProcessSpec& process : spec_.processes) {
      if (!draw_.one_in(4)) driver_.entries.push_back(line(process.name));
    }
    for (const spec::ApplicationSpec& application : spec_.applications) {
      if (draw_.one_in(2)) driver_.entries.push_back(line(application.name));
    }
  }

  spec::TimegraphEntry line(const std::string& name) {
    spec::TimegraphEntry entry;
    entry.name = name;
    entry.dispatch = draw_.any<spec::GroupDispatch>();
    entry.reservation = draw_.any<spec::Reservation>();
    if (!draw_.one_in(4)) entry.priority = draw_.in32(0, draw_.of(std::array<std::uint32_t, 2>{3, kMaxPriority}));
    const bool is_own =
        entry.reservation == spec::Reservation::kPosterior || entry.reservation == spec::Reservation::kApriori;
    if (!is_own) return entry;
    entry.period = period();
    entry.capacity = std::min(entry.period, draw_.nanoseconds(100, draw_.in(100, ranges_.longest_period / 1'000)));
    if (draw_.one_in(2)) share(entry);
    return entry;
  }

  // Whoever names a Shared reserve says the same of it.
  void share(spec::TimegraphEntry& entry) {
    entry.shared_reserve = draw_.one_in(2) ? "r" : "s";
    for (const spec::TimegraphEntry& other : driver_.entries) {
      if (other.shared_reserve != entry.shared_reserve) continue;
      entry.reservation = other.reservation;
      entry.capacity = other.capacity;
      entry.period = other.period;
    }
  }

  void draw_seam() {
    if (draw_.one_in(4)) driver_.invocation = spec::Invocation::kTick;
    const std::uint64_t shortest = ranges_.shortest_tick / 1'000;
    driver_.tick = draw_.nanoseconds(shortest, draw_.in(shortest, kLongestTick));
    driver_.notifier = draw_.any<spec::Notifier>();
    driver_.arrival = draw_.nanoseconds(0, kMaxCost);
    driver_.completion = draw_.nanoseconds(0, kMaxCost);
    driver_.prediction = draw_.one_in(2) ? 0 : draw_.nanoseconds(0, kMaxCost);
  }

  void draw_rules() {
    driver_.history_records = draw_.in32(1, draw_.of(std::array<std::uint32_t, 2>{3, 100}));
    driver_.history_scope = draw_.any<spec::HistoryScope>();
    driver_.accounting = draw_.any<spec::Accounting>();
    driver_.online_scope = draw_.any<spec::OnlineScope>();
    driver_.joins = draw_.any<spec::Joins>();
    driver_.max_online = draw_.in32(1, draw_.of(std::array<std::uint32_t, 2>{4, 256}));
  }

  void draw_background() {
    driver_.background_period = period();
    driver_.background_capacity =
        draw_.one_in(2) ? driver_.background_period : std::min(driver_.background_period, draw_.nanoseconds(1, 50'000));
  }

  void draw_focus() {
    const std::uint32_t last = static_cast<std::uint32_t>(spec_.processes.size()) - 1;
    for (std::uint64_t left = draw_.in(0, 4); left > 0; --left) {
      driver_.focus.push_back({draw_.one_in(2) ? 0 : draw_.nanoseconds(0, 500'000), draw_.in32(0, last)});
    }
    std::stable_sort(driver_.focus.begin(), driver_.focus.end(),
                     [](const spec::Focus& a, const spec::Focus& b) { return a.at < b.at; });
  }

  Picoseconds period() { return draw_.nanoseconds(kShortestPeriod / 1'000, ranges_.longest_period / 1'000); }

  Draws& draw_;
  const RandomDriverRanges& ranges_;
  spec::Spec& spec_;
  spec::DriverSpec& driver_;
};

// Launches and copies of one stream.
spec::HostStep random_group(Draws& draw, std::uint32_t num_kernels, std::uint32_t num_streams) {
  const std::uint32_t stream = draw.in32(0, num_streams - 1);
  std::vector<spec::HostStep> work;
  for (std::uint64_t left = draw.in(1, 4); left > 0; --left) {
    spec::HostStep step = spec::Launch{draw.in32(0, num_kernels - 1), stream};
    if (draw.one_in(2)) step = spec::Copy{draw.any<spec::CopyDirection>(), draw.in(1, kMaxBytes), stream, true};
    if (draw.one_in(2)) step = spec::Loop{draw.in32(1, 4), {step}};
    work.push_back(step);
  }
  return spec::Group{std::move(work), stream};
}

}  // namespace

void add_random_driver(Draws& draw, const RandomDriverRanges& ranges, spec::Spec& spec) {
  DriverDraw(draw, ranges, spec)();
}

void add_random_groups(Draws& draw, const RandomDriverRanges& ranges, spec::Spec& spec) {
  for (spec::ApplicationSpec& application : spec.applications) {
    for (std::uint64_t left = draw.in(0, 3); left > 0; --left) {
      const auto place = static_cast<std::ptrdiff_t>(draw.in(0, application.program.size()));
      const auto num_kernels = static_cast<std::uint32_t>(application.kernels.size());
      application.program.insert(application.program.begin() + place,
                                 random_group(draw, num_kernels, ranges.num_streams));
    }
  }
}

}  // namespace tessera::verification
