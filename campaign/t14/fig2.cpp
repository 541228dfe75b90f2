// SPDX-License-Identifier: Apache-2.0
// Figure 2: two kernels of low priority, then one of high priority, under three schedulers.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <stdexcept>
#include <tuple>

#include "campaign/t14/figures.h"
#include "platform/simulation.h"

namespace tessera::campaign::t14 {
namespace {

// Kernels of Table 1 in the roles of the paper's K1, K2 and K3.
struct Role {
  const char* name;
  const char* application;
  const char* kernel;
  std::uint32_t priority;
  Picoseconds launched;
};
constexpr Picoseconds kUs = 1'000'000;
constexpr Role kRoles[] = {{"K1", "lbm", "StreamCollide", 0, 0},
                           {"K2", "stencil", "block2Dregtiling", 0, 200 * kUs},
                           {"K3", "cutcp", "lattice6overlap", 1, 1000 * kUs}};
// Keeps a process from starting its second run before the first of all others has ended.
constexpr Picoseconds kEpilogue = 50'000 * kUs;

struct Panel {
  const char* title;
  spec::PolicyKind policy;
};
constexpr Panel kPanels[] = {
    {"(a) FCFS", spec::PolicyKind::kFcfs}, {"(b) NPQ", spec::PolicyKind::kNpq}, {"(c) PPQ", spec::PolicyKind::kPpq}};

const spec::KernelSpec& kernel_of(const spec::Spec& base, const Role& role) {
  for (const spec::ApplicationSpec& application : base.applications) {
    for (const spec::KernelSpec& kernel : application.kernels) {
      if (application.name == role.application && kernel.name == role.kernel) return kernel;
    }
  }
  throw std::invalid_argument(fmt::format("no kernel {} of {}", role.kernel, role.application));
}

spec::Spec spec_of(const spec::Spec& base, spec::PolicyKind policy) {
  spec::Spec spec = base;
  spec.scheduler.policy = policy;
  spec.scheduler.technique = spec::TechniqueKind::kContextSwitch;
  spec.applications.clear();
  spec.processes.clear();
  for (const Role& role : kRoles) {
    const auto index = static_cast<std::uint32_t>(spec.applications.size());
    spec.applications.push_back(
        {role.name, {kernel_of(base, role)}, {spec::Launch{}, spec::Synchronise{}, spec::CpuPhase{kEpilogue}}});
    spec::ProcessSpec process;
    process.name = role.name;
    process.application = index;
    process.priority = role.priority;
    process.start = role.launched;
    spec.processes.push_back(process);
  }
  spec.stop.min_runs = 1;
  spec.time_base = spec::TimeBase::kKernelTime;  // else K1 is over before K3 is launched
  return spec;
}

// Who has each SM when, and when each kernel arrived and finished, in cycles.
class OwnerSink : public record::ISink {
 public:
  bool wants_per_tb() const override { return false; }
  void consume(const record::Record& record) override {
    switch (record.kind) {
      case record::Kind::kSmSetUp:
        return begin(record.sm, kRoles[record.process].name, record.cycle);
      case record::Kind::kPreemptionRequested:
        return begin(record.sm, "preempted", record.cycle);
      case record::Kind::kSmReleased:
        return begin(record.sm, "", record.cycle);
      case record::Kind::kKernelArrived:
        if (record.run == 0) arrived_[record.process] = record.cycle;
        return;
      case record::Kind::kKernelFinished:
        if (finished_[record.process] == 0) finished_[record.process] = record.cycle;
        return;
      default:
        return;
    }
  }
  bool all_finished() const {
    return std::all_of(std::begin(finished_), std::end(finished_), [](Cycle cycle) { return cycle > 0; });
  }
  nlohmann::json result() const { return {{"slices", slices_}, {"arrived", arrived_}, {"finished", finished_}}; }

 private:
  void begin(std::uint16_t sm, const char* what, Cycle now) {
    auto& [since, owner] = owners_[sm];
    if (!owner.empty()) slices_.push_back({sm, owner, since, now});
    owners_[sm] = {now, what};
  }

  std::map<std::uint16_t, std::pair<Cycle, std::string>> owners_;
  nlohmann::json slices_ = nlohmann::json::array();
  Cycle arrived_[std::size(kRoles)] = {};
  Cycle finished_[std::size(kRoles)] = {};
};

nlohmann::json simulate_panel(const spec::Spec& base, const Panel& panel, const std::function<bool()>& is_interrupted) {
  OwnerSink sink;
  const record::RunResult result = platform::simulate(spec_of(base, panel.policy), {&sink}, is_interrupted);
  if (!result.complete) return {};
  if (!sink.all_finished()) throw std::runtime_error("a kernel of Figure 2 does not end (stop.max_time_us?)");
  nlohmann::json answer = sink.result();
  answer["faults"] = faults_of(result, panel.title);
  return answer;
}

// Up to the end of the last of the three kernels; then the processes run again.
void add(Figure& figure, const char* panel, const nlohmann::json& answer, double ms_per_cycle) {
  const auto finished = answer.at("finished").get<std::vector<Cycle>>();
  const Cycle end = *std::max_element(finished.begin(), finished.end());
  auto slices = answer.at("slices").get<std::vector<std::tuple<int, std::string, Cycle, Cycle>>>();
  std::sort(slices.begin(), slices.end());
  for (const auto& [sm, owner, from, to] : slices) {
    if (from >= end) continue;
    figure.slices.push_back({panel, owner, fmt::format("SM {}", sm), static_cast<double>(from) * ms_per_cycle,
                             static_cast<double>(to) * ms_per_cycle});
  }
  for (std::size_t i = 0; i < std::size(kRoles); ++i) {
    Value value;
    value.panel = panel;
    value.series = fmt::format("{} from arrival to end, ms", kRoles[i].name);
    const double cycles = answer.at("finished").at(i).get<double>() - answer.at("arrived").at(i).get<double>();
    value.ours.mean = cycles * ms_per_cycle;
    figure.values.push_back(std::move(value));
  }
}

// What the three pictures show.
void add_claims(Figure& figure, const std::vector<nlohmann::json>& answers, double ms_per_cycle) {
  const auto end = [&](std::size_t scheme, std::size_t role) {
    return answers[scheme].at("finished").at(role).get<double>() * ms_per_cycle;
  };
  const auto claim_before = [&](const char* text, double first, double second) {
    figure.orderings.push_back({text, first < second, fmt::format("{:.3g} ms and {:.3g} ms", first, second)});
  };
  claim_before("(a) K3 waits for K1 and K2: it ends after K2", end(0, 1), end(0, 2));
  claim_before("(b) K3 waits for K1: it ends after K1", end(1, 0), end(1, 2));
  claim_before("(b) K3 does not wait for K2: it ends before K2", end(1, 2), end(1, 1));
  claim_before("(c) K3 does not wait for K1: it ends before K1", end(2, 2), end(2, 0));
}

}  // namespace

Figure fig2(const spec::Spec& base, const Options& options, std::vector<std::string>& violations) {
  std::vector<std::function<nlohmann::json()>> tasks;
  for (const Panel& panel : kPanels) {
    tasks.emplace_back([&] { return simulate_panel(base, panel, options.is_interrupted); });
  }
  const std::vector<nlohmann::json> answers = run_tasks(tasks, options, violations);
  Figure figure;
  figure.name = "t14-fig2";
  figure.title = "A kernel with a deadline (K3) under three schedulers";
  figure.drawing = Drawing::kTimeline;
  figure.x_label = "ms";
  const double ms_per_cycle = 1e3 / static_cast<double>(base.gpu.clock_hz);
  for (std::size_t i = 0; i < answers.size(); ++i) add(figure, kPanels[i].title, answers[i], ms_per_cycle);
  add_claims(figure, answers, ms_per_cycle);
  figure.notes.emplace_back(
      "The paper's picture has no numbers. K1, K2 and K3 are lbm's StreamCollide, stencil's block2Dregtiling and "
      "cutcp's lattice6overlap, launched at 0, 0.2 and 1 ms.");
  return figure;
}

}  // namespace tessera::campaign::t14
