// SPDX-License-Identifier: Apache-2.0
// A driver that holds groups back, with lines of its specification for some processes and applications, and groups.
#include <algorithm>

#include "tests/platform/machine_bench.h"
#include "tests/platform/random_experiment.h"

namespace tessera::platform::test {
namespace {

constexpr std::uint32_t kMaxPriority = 15;

bool is_reserve_of_its_own(const spec::TimegraphEntry& entry) {
  return entry.reservation == spec::Reservation::kPosterior || entry.reservation == spec::Reservation::kApriori;
}

spec::TimegraphEntry any_entry(const std::string& name, const std::vector<spec::TimegraphEntry>& others) {
  spec::TimegraphEntry entry;
  entry.name = name;
  entry.dispatch = any<spec::GroupDispatch>();
  entry.reservation = any<spec::Reservation>();
  if (in(0, 3) != 0) entry.priority = in(0U, in_one_of(1, {3, kMaxPriority}));
  if (!is_reserve_of_its_own(entry)) return entry;
  entry.period = nanoseconds(1'000, 300'000);
  entry.capacity = std::min(entry.period, nanoseconds(100, in<std::uint64_t>(100, 300'000)));
  if (flip()) return entry;
  // Whoever names a Shared reserve says the same of it.
  entry.shared_reserve = flip() ? "r" : "s";
  for (const spec::TimegraphEntry& other : others) {
    if (other.shared_reserve != entry.shared_reserve) continue;
    entry.reservation = other.reservation;
    entry.capacity = other.capacity;
    entry.period = other.period;
  }
  return entry;
}

std::vector<spec::Focus> any_focus(std::uint32_t num_processes) {
  std::vector<spec::Focus> focus;
  for (int left = in(0, 4); left > 0; --left) {
    focus.push_back({flip() ? 0 : nanoseconds(0, 500'000), in(0U, num_processes - 1)});
  }
  std::sort(focus.begin(), focus.end(), [](const spec::Focus& a, const spec::Focus& b) { return a.at < b.at; });
  return focus;
}

// Launches and copies of one stream.
spec::HostStep any_group(std::uint32_t num_kernels) {
  const std::uint32_t stream = in(0U, 3U);
  std::vector<spec::HostStep> work;
  for (int left = in(1, 4); left > 0; --left) {
    const spec::HostStep step = flip() ? launch(in(0U, num_kernels - 1), stream)
                                       : copy_async(any<spec::CopyDirection>(), in<std::uint64_t>(1, 60'000), stream);
    work.push_back(flip() ? step : loop(in(1U, 4U), {step}));
  }
  return group(work, stream);
}

}  // namespace

void add_any_driver(spec::Spec& spec) {
  spec::DriverSpec& driver = spec.driver;
  driver.kind = spec::DriverKind::kTimegraph;
  for (const spec::ProcessSpec& process : spec.processes) {
    if (in(0, 3) != 0) driver.entries.push_back(any_entry(process.name, driver.entries));
  }
  for (const spec::ApplicationSpec& application : spec.applications) {
    if (flip()) driver.entries.push_back(any_entry(application.name, driver.entries));
  }
  driver.limit_percent = flip() ? 100 : in(0U, 100U);
  driver.default_priority = in(0U, kMaxPriority);
  if (in(0, 3) == 0) driver.invocation = spec::Invocation::kTick;
  driver.tick = nanoseconds(1, in<std::uint64_t>(1, 100'000));
  driver.notifier = any<spec::Notifier>();
  driver.arrival = nanoseconds(0, 3000);
  driver.completion = nanoseconds(0, 3000);
  driver.prediction = flip() ? 0 : nanoseconds(0, 3000);
  driver.history_records = in_one_of(1, {3, 100});
  driver.history_scope = any<spec::HistoryScope>();
  driver.accounting = any<spec::Accounting>();
  driver.online_scope = any<spec::OnlineScope>();
  driver.joins = any<spec::Joins>();
  driver.max_online = in_one_of(1, {4, 256});
  driver.background_period = nanoseconds(1'000, 300'000);
  driver.background_capacity =
      flip() ? driver.background_period : std::min(driver.background_period, nanoseconds(1, 50'000));
  driver.focus = any_focus(static_cast<std::uint32_t>(spec.processes.size()));
}

void add_any_groups(spec::Spec& spec) {
  for (spec::ApplicationSpec& application : spec.applications) {
    for (int left = in(0, 3); left > 0; --left) {
      const std::size_t place = in<std::size_t>(0, application.program.size());
      application.program.insert(application.program.begin() + static_cast<std::ptrdiff_t>(place),
                                 any_group(static_cast<std::uint32_t>(application.kernels.size())));
    }
  }
}

}  // namespace tessera::platform::test
