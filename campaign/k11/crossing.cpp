// SPDX-License-Identifier: Apache-2.0
// Beyond the paper: who protects a process better, a driver that holds groups back or hardware that preempts? An urgent
// process beside a bomb on a K20c, over the length of its groups; and what drivers alone can do.
#include <fmt/format.h>

#include <algorithm>

#include "campaign/k11/cast.h"
#include "campaign/k11/figures.h"

namespace tessera::campaign::k11 {
namespace {

using spec::GroupDispatch;

constexpr double kLengthsUs[] = {30, 100, 300, 1000, 3000};
constexpr double kFrameUs = 3000;  // of GPU time, whatever it is cut into
constexpr double kCpuUs = 1000;
constexpr double kBombUs = 4000;
const std::vector<std::string> kMachine{"gpu=../gpus/k20c.yaml"};
const std::string kUrgent = "urgent";
const std::string kRival = "bomb";

Picoseconds ps(double us) { return static_cast<Picoseconds>(us * 1e6); }

// Eight thread blocks fill an SM and its registers: a large context, 20 us to save.
spec::KernelSpec machine_kernel(double us) {
  spec::KernelSpec kernel;
  kernel.name = "k";
  kernel.num_tbs = 104;
  kernel.regs_per_tb = 8192;
  kernel.threads_per_tb = 256;
  kernel.kernel_time = ps(us);
  return kernel;
}

// The processes of a crossing stand in for those that a scenario names.
void put_crossing(spec::Spec& spec, double length_us) {
  spec::ApplicationSpec urgent{kUrgent, {machine_kernel(length_us)}, {}};
  spec::Loop frame{static_cast<std::uint32_t>(kFrameUs / length_us), {spec::Launch{}}};
  urgent.program = {spec::CpuPhase{ps(kCpuUs)}, frame, spec::Synchronise{}};
  spec::ApplicationSpec rival{kRival, {machine_kernel(kBombUs)}, {}};
  rival.program = {spec::Loop{8, {spec::Launch{}}}, spec::Synchronise{}};
  spec.applications = {urgent, rival};
  for (std::size_t i = 0; i < spec.processes.size(); ++i) spec.processes[i].application = i == 0 ? 0 : 1;
}

struct Way {
  std::string name;
  spec::PolicyKind policy;
  spec::TechniqueKind technique;
  bool has_timegraph = false;
  Budget budget = {};  // of the bomb
  Change change = {};
  GroupDispatch bomb = GroupDispatch::kPrt;
};

const std::vector<Way>& ways() {
  constexpr auto kFcfs = spec::PolicyKind::kFcfs;
  constexpr auto kPpq = spec::PolicyKind::kPpq;
  constexpr auto kDss = spec::PolicyKind::kDss;
  constexpr auto kSwitch = spec::TechniqueKind::kContextSwitch;
  constexpr auto kDrain = spec::TechniqueKind::kDrain;
  const Change lingers = [](spec::Spec& spec) { spec.scheduler.linger = ps(100); };
  const Change joins = [](spec::Spec& spec) {
    spec.driver.joins = spec::Joins::kHigherPriority;
    spec.driver.accounting = spec::Accounting::kMeasured;
  };
  static const std::vector<Way> all{
      {"fcfs", kFcfs, kDrain},
      {"ppq, context switch", kPpq, kSwitch},
      {"ppq, drain", kPpq, kDrain},
      {"ppq, linger 100 us", kPpq, kSwitch, false, {}, lingers},
      {"dss, context switch", kDss, kSwitch},
      {"dss, drain", kDss, kDrain},
      {"fcfs, HT", kFcfs, kDrain, true},
      {"ppq, HT", kPpq, kSwitch, true},
      {"fcfs, HT, the bomb too", kFcfs, kDrain, true, {}, {}, GroupDispatch::kHt},
      {"fcfs, HT, PE 10 %", kFcfs, kDrain, true, pe(2500, 25000)},
      {"fcfs, HT, AE 10 %", kFcfs, kDrain, true, ae(2500, 25000)},
      {"ppq, aware", kPpq, kSwitch, true, {}, joins},
      {"ppq, aware, PE 10 %", kPpq, kSwitch, true, pe(2500, 25000), joins},
  };
  return all;
}

Scenario crossing_scenario(const Way& way, double length_us, std::size_t num_bombs, std::uint32_t bomb_priority = 0) {
  std::vector<Task> tasks{{kGames.front(), 1, GroupDispatch::kHt, {}, kUrgent}};
  for (std::size_t i = 1; i <= num_bombs; ++i) {
    tasks.push_back({kBomb, bomb_priority, way.bomb, way.budget, fmt::format("{}-{}", kRival, i)});
  }
  Scenario scenario = way.has_timegraph ? timegraph(tasks) : vanilla(tasks);
  scenario.name = fmt::format("k20c, {}, groups of {} us, {} bombs of priority {}: {}", way.name, length_us, num_bombs,
                              bomb_priority, scenario.name);
  scenario.overrides = kMachine;
  scenario.change = [way, length_us](spec::Spec& spec) {
    put_crossing(spec, length_us);
    spec.scheduler.policy = way.policy;
    spec.scheduler.technique = way.technique;
    if (way.change) way.change(spec);
  };
  return scenario;
}

double share(Batch& batch, const Way& way, double length_us, std::size_t num_bombs, std::uint32_t bomb_priority = 0) {
  const double alone = batch.of(crossing_scenario(ways().front(), length_us, 0)).rate();
  const double rate = batch.of(crossing_scenario(way, length_us, num_bombs, bomb_priority)).rate();
  return alone > 0 ? rate / alone : 0;
}

// The picture leaves out what coincides with another line.
bool is_drawn(const Way& way) {
  return way.technique == spec::TechniqueKind::kContextSwitch
             ? way.name != "ppq, HT"
             : way.name == "fcfs" || way.name == "fcfs, HT" || way.name == "fcfs, HT, PE 10 %";
}

// What throwaway models found before (readings): at 30, 300 and 1000 us.
std::optional<double> foreseen(const std::string& way, double length_us) {
  struct Row {
    const char* way;
    double at[3];
  };
  constexpr Row kRows[] = {
      {"fcfs", {0.00, 0.07, 0.23}},    {"ppq, context switch", {0.47, 0.91, 0.98}}, {"fcfs, HT", {0.49, 0.50, 0.50}},
      {"ppq, HT", {0.49, 0.50, 0.50}}, {"fcfs, HT, PE 10 %", {0.89, 0.91, 0.91}},   {"ppq, aware", {0.47, 0.91, 0.98}}};
  for (const Row& row : kRows) {
    if (way != row.way) continue;
    if (length_us == 30) return row.at[0];
    if (length_us == 300) return row.at[1];
    if (length_us == 1000) return row.at[2];
  }
  return std::nullopt;
}

}  // namespace

Figure driver_crossing(Batch& batch) {
  Figure figure;
  figure.name = "k11-driver-crossing";
  figure.title = "An urgent process beside a bomb of 4 ms on a K20c";
  figure.drawing = Drawing::kCurves;
  figure.log_axes = "x";
  figure.x_label = "length of its groups, us";
  figure.y_label = "frame rate over alone";
  figure.cluster_head = "groups";
  const auto panel_of = [](const Way& way) { return way.has_timegraph ? "TimeGraph" : "no driver"; };
  for (const Way& way : ways()) {
    Curve curve{panel_of(way), way.name, {}};
    for (const double us : kLengthsUs) {
      const double of_alone = share(batch, way, us, 1);
      curve.points.push_back({us, of_alone});
      figure.values.push_back(
          value_of(panel_of(way), way.name, fmt::format("{} us", us), of_alone, foreseen(way.name, us)));
    }
    if (is_drawn(way)) figure.curves.push_back(std::move(curve));
  }
  const auto at = [&](const char* way, double us) {
    for (const Way& one : ways()) {
      if (one.name == way) return share(batch, one, us, 1);
    }
    return 0.0;
  };
  const auto compare = [&](const char* text, double us, const char* more, const char* less) {
    figure.orderings.push_back(
        {text, at(more, us) > at(less, us), fmt::format("{:.2f} and {:.2f}", at(more, us), at(less, us))});
  };
  compare("at 30 us a driver with a reserve protects better than preemption", 30, "fcfs, HT, PE 10 %",
          "ppq, context switch");
  compare("at 1000 us preemption does", 1000, "ppq, context switch", "fcfs, HT, PE 10 %");
  compare("TimeGraph throws preemption away at 1000 us", 1000, "ppq, context switch", "ppq, HT");
  compare("a driver that knows of preemption does not", 1000, "ppq, aware", "ppq, HT");
  compare("at 30 us it needs a reserve on the bomb as well", 30, "ppq, aware, PE 10 %", "ppq, aware");
  compare("an HT bomb blocks for as long as its chain", 300, "fcfs, HT", "fcfs, HT, the bomb too");
  compare("lingering protects better than a reserve on the bomb at 30 us", 30, "ppq, linger 100 us",
          "fcfs, HT, PE 10 %");
  compare("lingering helps preemption at 30 us", 30, "ppq, linger 100 us", "ppq, context switch");
  figure.notes.emplace_back(
      "A frame: 1 ms of CPU, then 3 ms of groups. The column paper is none of a paper: it has what small models had "
      "found before the driver was written.");
  return figure;
}

Figure driver_strengths(Batch& batch) {
  Figure figure = bars("k11-driver-strengths", "What preemptive hardware does not give: groups of 300 us", "bombs",
                       "frame rate over alone");
  constexpr double kUs = 300;
  const Way by_ppq = ways()[1];
  Way capped = ways().back();
  Way capped_each = capped;
  capped_each.budget = pe(500, 25000);
  Way unadmitted = capped;
  unadmitted.name = "ppq, aware, limit 50 %";
  unadmitted.change = [joins = capped.change](spec::Spec& spec) {
    joins(spec);
    spec.driver.limit_percent = 50;
  };
  for (const std::size_t bombs : {1U, 5U, 6U}) {
    const std::string category = fmt::format("{} of equal priority", bombs);
    figure.values.push_back(value_of("equal priority", "ppq", category, share(batch, by_ppq, kUs, bombs, 1)));
    figure.values.push_back(
        value_of("equal priority", "ppq, aware, PE 10 % each", category, share(batch, capped, kUs, bombs, 1)));
    capped_each.name = "ppq, aware, PE 2 % each";
    figure.values.push_back(
        value_of("equal priority", "ppq, aware, PE 2 % each", category, share(batch, capped_each, kUs, bombs, 1)));
    figure.values.push_back(value_of("equal priority", "ppq, aware, PE 10 % each, limit 50 %", category,
                                     share(batch, unadmitted, kUs, bombs, 1)));
  }
  const auto value = [&](const char* way, std::size_t bombs) {
    const std::string category = fmt::format("{} of equal priority", bombs);
    const auto found = std::find_if(figure.values.begin(), figure.values.end(),
                                    [&](const Value& one) { return one.series == way && one.category == category; });
    return found->ours.mean;
  };
  const double by_hardware = value("ppq", 5);
  const double by_caps = value("ppq, aware, PE 2 % each", 5);
  const double admitted = value("ppq, aware, PE 10 % each", 6);
  const double refused = value("ppq, aware, PE 10 % each, limit 50 %", 6);
  figure.orderings.push_back({"at equal priority caps contain five bombs, hardware does not", by_caps > 2 * by_hardware,
                              fmt::format("{:.2f} and {:.2f}", by_caps, by_hardware)});
  figure.orderings.push_back({"a sixth bomb that is refused costs less than one that is admitted (limit 50 %)",
                              refused > admitted, fmt::format("{:.2f} and {:.2f}", refused, admitted)});
  figure.notes.emplace_back("Whoever is refused has the lowest priority and the Background reserve.");
  return figure;
}

}  // namespace tessera::campaign::k11
