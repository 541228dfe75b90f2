// SPDX-License-Identifier: Apache-2.0
// The experiment is the paper's with another card and other processes; a variation changes the long kernel.
#include "campaign/g16/crossing.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "campaign/g16/figures.h"

namespace tessera::campaign::g16 {
namespace {

using spec::PolicyKind;
using spec::TechniqueKind;

constexpr Picoseconds kPicosecondsPerUs = 1'000'000;
constexpr Picoseconds kNeverYields = 5 * kPicosecondsPerSecond;  // one callback

const std::vector<std::string>& experiment() {
  static const std::vector<std::string> all{
      "gpu=../gpus/k20c.yaml",
      fmt::format("driver.threshold_us={}", kThresholdUs),
      "driver.switch_us=0",
      fmt::format("driver.kill_us={}", kKillUs),
      fmt::format("workload.processes=[{{name: long, application: ../applications/gloop/long_loops.yaml, priority: 0, "
                  "runs: 1}}, "
                  "{{name: short, application: ../applications/gloop/short_loops.yaml, priority: 1, runs: {}, "
                  "start_us: 1000}}]",
                  kShortRuns),
      "stop.max_time_us=20000000"};
  return all;
}

spec::EventDrivenSpec& long_loops(spec::Spec& spec) {
  const auto its = std::find_if(spec.applications.begin(), spec.applications.end(),
                                [](const spec::ApplicationSpec& one) { return one.name == "long_loops"; });
  if (its == spec.applications.end()) throw std::out_of_range("no application long_loops");
  return *its->kernels.front().event_driven;
}

// As much work in callbacks of another length.
void cut(spec::Spec& spec, std::uint32_t callback_us) {
  spec::EventDrivenSpec& loops = long_loops(spec);
  const Picoseconds work = loops.count * loops.body.front().callback;
  loops.body.front().callback = callback_us * kPicosecondsPerUs;
  loops.count = static_cast<std::uint32_t>(work / loops.body.front().callback);
}

void never_yield(spec::Spec& spec) {
  spec::EventDrivenSpec& loops = long_loops(spec);
  loops.count = 1;
  loops.body.front().callback = kNeverYields;
}

Scenario together(const Way& way, const std::string& variation = "", const Change& change = {}) {
  return {way.name + variation, "", 1,
          [way, change](spec::Spec& spec) {
            spec.driver.kind = way.has_token ? spec::DriverKind::kGloop : spec::DriverKind::kPassThrough;
            spec.driver.token_switch = way.token_switch;
            spec.scheduler.policy = way.policy;
            spec.scheduler.technique = way.technique;
            if (change) change(spec);
          },
          experiment()};
}

Scenario alone(const std::string& process, const std::string& variation = "", const Change& change = {}) {
  Scenario scenario = together(neither(), variation, change);
  scenario.name = alone_name(process) + variation;
  scenario.application = process;
  return scenario;
}

}  // namespace

const Way& token() {
  static const Way way{"GLoop, switch 0", true, PolicyKind::kFcfs, TechniqueKind::kDrain};
  return way;
}

const Way& fitted_token() {
  static const Way way{"GLoop, switch as fitted", true, PolicyKind::kFcfs, TechniqueKind::kDrain,
                       spec::DriverSpec{}.token_switch};
  return way;
}

const Way& neither() {
  static const Way way{"fcfs", false, PolicyKind::kFcfs, TechniqueKind::kDrain};
  return way;
}

const Way& ppq() {
  static const Way way{"ppq, context switch", false, PolicyKind::kPpq, TechniqueKind::kContextSwitch};
  return way;
}

std::vector<Way> hardware() {
  return {ppq(),
          {"ppq, drain", false, PolicyKind::kPpq, TechniqueKind::kDrain},
          {"ppq, flush", false, PolicyKind::kPpq, TechniqueKind::kFlush},
          {"dss, context switch", false, PolicyKind::kDss, TechniqueKind::kContextSwitch},
          {"dss, drain", false, PolicyKind::kDss, TechniqueKind::kDrain},
          {"dss, flush", false, PolicyKind::kDss, TechniqueKind::kFlush}};
}

Way under_token(Way way, const Way& token) {
  way.name = token.name + ", above " + way.name;
  way.has_token = true;
  way.token_switch = token.token_switch;
  return way;
}

std::vector<Way> ways() {
  std::vector<Way> all{token(), fitted_token(), neither()};
  const std::vector<Way> preempting = hardware();
  all.insert(all.end(), preempting.begin(), preempting.end());
  for (const Way& way : preempting) all.push_back(under_token(way, token()));
  return all;
}

const std::vector<std::uint32_t>& callbacks_us() {
  static const std::vector<std::uint32_t> all{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 4000};
  return all;
}

const std::vector<std::uint32_t>& state_bytes() {
  static const std::vector<std::uint32_t> all{64, 512, 4096, 8192, 16384, 24576, 32768, 65536, 131072, 262144};
  return all;
}

std::string callback_name(std::uint32_t us) { return fmt::format(", callbacks of {} us", us); }
std::string state_name(std::uint32_t bytes) { return fmt::format(", state of {} bytes", bytes); }
std::string alone_name(const std::string& process) { return process + " alone"; }

std::vector<Scenario> preemption_scenarios() {
  std::vector<Scenario> all{alone("long"), alone("short"), alone("long", kUnyielding, never_yield)};
  for (const Way& way : ways()) all.push_back(together(way));
  const Change unyielding_and_preempted = [](spec::Spec& spec) {
    never_yield(spec);
    spec.driver.on_timeout = spec::OnTimeout::kPreempt;
  };
  for (const Way& its : {token(), fitted_token()}) {
    all.push_back(together(its, kUnyielding, never_yield));
    all.push_back(together(under_token(ppq(), its), std::string(kUnyielding) + kPreempting, unyielding_and_preempted));
  }
  all.push_back(together(ppq(), kUnyielding, never_yield));
  for (const std::uint32_t us : callbacks_us()) {
    all.push_back(together(token(), callback_name(us), [us](spec::Spec& spec) { cut(spec, us); }));
  }
  for (const std::uint32_t bytes : state_bytes()) {
    all.push_back(together(token(), state_name(bytes), [bytes](spec::Spec& spec) {
      cut(spec, 1);
      long_loops(spec).state_bytes_per_slot = bytes;
    }));
  }
  return all;
}

}  // namespace tessera::campaign::g16
