// SPDX-License-Identifier: Apache-2.0
// Figure 4: what two instances of a workload take over one alone. What is fitted is moved beside it.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "campaign/g16/figures.h"

namespace tessera::campaign::g16 {
namespace {

// [G16] Figure 4 and its text; only the first two have times.
struct Printed {
  const char* application;
  double slowdown[2];
  std::optional<double> seconds[2];
};
constexpr Printed kPrinted[] = {{"throttle", {2.07, 2.08}, {8.72, 8.78}},
                                {"copy1gb", {1.73, 1.71}, {1.47, 1.45}},
                                {"copy1gb_cold", {2.78, 3.21}, {{}, {}}}};

constexpr std::uint32_t kSwitchesUs[] = {0, 100, 200, 380, 800};
constexpr std::uint64_t kPages[] = {128 << 10, 256 << 10, 512 << 10};

Scenario concurrent(const std::string& application, std::uint32_t instances) {
  return {fmt::format("{} x {}", instances, application), application, instances, {}};
}

Scenario with_switch(std::uint32_t us) {
  return {fmt::format("throttle, switch {} us", us), "throttle", 2,
          [us](spec::Spec& spec) { spec.driver.token_switch = Picoseconds{us} * 1'000'000; }};
}

// As many bytes in pages of another size.
Scenario with_page(std::uint64_t bytes, std::uint32_t instances) {
  return {fmt::format("copy1gb, {} x page {}", instances, bytes), "copy1gb", instances, [bytes](spec::Spec& spec) {
            for (spec::ApplicationSpec& application : spec.applications) {
              if (application.name != "copy1gb") continue;
              spec::EventDrivenSpec& loops = *application.kernels.front().event_driven;
              const std::uint64_t before = loops.body.front().bytes;
              loops.count = static_cast<std::uint32_t>(loops.count * before / bytes);
              for (spec::LoopStep& step : loops.body) step.bytes = step.is_callback() ? 0 : bytes;
            }
          }};
}

// How long a run that was killed took says nothing.
void require_whole_runs(const std::vector<Outcome>& outcomes) {
  for (const Outcome& outcome : outcomes) {
    for (const Session& session : outcome.sessions) {
      if (session.killed > 0) throw std::runtime_error("a run was killed: driver.kill_us is too short for g16-fig4");
    }
  }
}

void add_claims(Figure& figure, const std::string& application, const std::vector<double>& slowdowns,
                const Outcome& outcome) {
  const std::string evidence = fmt::format("{:.2f} and {:.2f}", slowdowns[0], slowdowns[1]);
  const double least = std::min(slowdowns[0], slowdowns[1]);
  const double most = std::max(slowdowns[0], slowdowns[1]);
  if (application == "copy1gb") {
    figure.orderings.push_back(
        {"copy1gb: two take longer than one, and less than one after the other", least > 1 && most < 2, evidence});
    figure.orderings.push_back({"copy1gb: I/O is served while its kernel is suspended", outcome.io_while_suspended > 0,
                                fmt::format("{:.0f} % of its time", 100 * outcome.io_while_suspended)});
  } else {
    figure.orderings.push_back({application + ": two take more than twice as long as one", least > 2, evidence});
  }
  if (application != "copy1gb_cold") {
    figure.orderings.push_back(
        {application + ": both take almost the same time (within 2 %)", most < 1.02 * least, evidence});
  }
  figure.orderings.push_back({application + ": the kernels are not executed one after the other",
                              outcome.suspensions > 10, fmt::format("{} suspensions", outcome.suspensions)});
}

}  // namespace

std::vector<Scenario> fig4_scenarios() {
  std::vector<Scenario> all;
  for (const Printed& printed : kPrinted) {
    all.push_back(concurrent(printed.application, 1));
    all.push_back(concurrent(printed.application, 2));
  }
  for (const std::uint32_t us : kSwitchesUs) all.push_back(with_switch(us));
  for (const std::uint64_t page : kPages) {
    all.push_back(with_page(page, 1));
    all.push_back(with_page(page, 2));
  }
  return all;
}

std::vector<Figure> fig4_figures(const std::vector<Outcome>& outcomes) {
  require_whole_runs(outcomes);
  Figure figure;
  figure.name = "g16-fig4";
  figure.title = "Figure 4: two instances of a workload against one alone, under GLoop";
  figure.drawing = Drawing::kBars;
  figure.cluster_head = "workload";
  figure.y_label = "time over alone";
  std::size_t next = 0;
  const auto slowdowns_of = [](const Outcome& alone, const Outcome& both) {
    return std::vector<double>{both.seconds.at(0) / alone.seconds.at(0), both.seconds.at(1) / alone.seconds.at(0)};
  };
  const Outcome& throttle_alone = outcomes.at(0);
  for (const Printed& printed : kPrinted) {
    const Outcome& alone = outcomes.at(next++);
    const Outcome& both = outcomes.at(next++);
    const std::vector<double> slowdowns = slowdowns_of(alone, both);
    for (std::size_t i = 0; i < 2; ++i) {
      figure.values.push_back(value_of("over alone", fmt::format("concurrent{}", i + 1), printed.application,
                                       slowdowns[i], printed.slowdown[i]));
    }
    figure.values.push_back(value_of("seconds", "alone", printed.application, alone.seconds[0]));
    for (std::size_t i = 0; i < 2; ++i) {
      figure.values.push_back(value_of("seconds", fmt::format("concurrent{}", i + 1), printed.application,
                                       both.seconds[i], printed.seconds[i]));
    }
    add_claims(figure, printed.application, slowdowns, both);
  }
  for (const std::uint32_t us : kSwitchesUs) {
    figure.values.push_back(value_of("throttle over alone, by switch_us", "concurrent1", fmt::format("{} us", us),
                                     slowdowns_of(throttle_alone, outcomes.at(next++))[0]));
  }
  for (const std::uint64_t page : kPages) {
    const Outcome& alone = outcomes.at(next++);
    const Outcome& both = outcomes.at(next++);
    figure.values.push_back(value_of("copy1gb over alone, by page", "concurrent1", fmt::format("{} KiB", page >> 10),
                                     slowdowns_of(alone, both)[0]));
  }
  figure.notes.emplace_back(
      "Fitted: driver.switch_us to Figure 4a, io.request_us to 0.85 s of copy1gb alone, io.disk_switch_us to Figure "
      "4c. The page of copy1gb is not printed; the claim is that two take between one and two times as long.");
  figure.notes.emplace_back("Figure 3 (grep) needs the application's code, and is left out.");
  return {figure};
}

}  // namespace tessera::campaign::g16
