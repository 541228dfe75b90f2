// SPDX-License-Identifier: Apache-2.0
// Other files of the applications, by their places in papers/k11.yaml.
#include "campaign/k11/variants.h"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tessera::campaign::k11 {
namespace {

const std::vector<std::string> kThatHangOnThem{"k11-fig7", "k11-fig8", "k11-fig9"};

// As papers/k11.yaml numbers its processes.
std::string application(std::size_t process, std::string_view file) {
  return fmt::format("workload.processes.{}.application=../applications/timegraph/{}.yaml", process, file);
}

std::vector<std::string> games(std::string_view reading) {
  std::vector<std::string> overrides;
  std::size_t process = 0;
  for (const char* const game : {"openarena", "padman", "urbanterror", "ut2004"})
    overrides.push_back(application(process++, fmt::format("{}_{}", game, reading)));
  return overrides;
}

std::vector<std::string> with_five_groups(std::vector<std::string> overrides) {
  overrides.push_back(application(4, "engine_five_groups"));
  return overrides;
}

constexpr const char* kWidget = "the widget's frame is 5 groups of 600 us and not 50 of 60";
constexpr const char* kThirds = "games let the GPU run dry three times a frame, a third of their CPU time each";
constexpr const char* kLast = "games let the GPU run dry three times a frame, with their CPU time at its end";
constexpr const char* kNobody = "nobody: [K11] prints no commands of its applications";

}  // namespace

std::vector<Variant> variants() {
  return {
      {"five-groups", kThatHangOnThem, with_five_groups({}), kWidget, kNobody, {"groups of the widget"}},
      {"three-waits",
       kThatHangOnThem,
       games("three_waits"),
       kThirds,
       kNobody,
       {"waits a frame", "CPU time before each"}},
      {"three-waits-five-groups",
       kThatHangOnThem,
       with_five_groups(games("three_waits")),
       fmt::format("{}; {}", kThirds, kWidget),
       kNobody,
       {"waits a frame", "CPU time before each", "groups of the widget"}},
      {"three-waits-cpu-last-five-groups",
       kThatHangOnThem,
       with_five_groups(games("three_waits_cpu_last")),
       fmt::format("{}; {}", kLast, kWidget),
       kNobody,
       {"waits a frame", "groups of the widget"}},
  };
}

}  // namespace tessera::campaign::k11
