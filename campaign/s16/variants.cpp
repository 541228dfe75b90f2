// SPDX-License-Identifier: Apache-2.0
// Other keys of the search, and other files of the guest.
#include "campaign/s16/variants.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace tessera::campaign::s16 {
namespace {

const std::vector<std::string> kThatHangOnIt{"s16-fig4_1", "s16-fig4_3", "s16-fig4_4", "s16-fig4_5"};

// The synthetic kernel is the last process of papers/s16.yaml.
Variant guest(const char* name, const char* file, const char* reason, std::vector<std::string> free_inputs,
              const std::vector<std::string>& figures = kThatHangOnIt) {
  return {name,
          figures,
          {fmt::format("workload.processes.12.application=../applications/rodinia/{}.yaml", file)},
          reason,
          "nobody: [S16] 4.2 prints registers, shared memory and threads of a thread block",
          std::move(free_inputs)};
}

// The guest of 60 thread blocks, under other keys.
Variant with(const char* name, std::vector<std::string> keys, const char* reason, const char* source) {
  Variant variant = guest(name, "s16_guest_60", reason, {"num_tbs"});
  variant.overrides.insert(variant.overrides.end(), keys.begin(), keys.end());
  variant.source = source;
  return variant;
}

}  // namespace

std::vector<Variant> variants() {
  return {
      {"whole-tables",
       kThatHangOnIt,
       {"scheduler.search_width=15"},
       "candidate sets are made while the kernel is being launched, so that the decision adds next to nothing: whole "
       "tables are searched at once",
       "[S16] 3.1",
       {}},
      {"hidden-sets",
       kThatHangOnIt,
       {"scheduler.candidate_sets=launch"},
       "candidate sets are made behind the launch, and the decision compares their costs: one walk over the tables for "
       "each SM in the place of two",
       "[S16] 3.1: \"hence the above latency can be hidden\"",
       {}},
      guest("three-an-sm", "s16_guest_3_an_sm", "a guest of 45 thread blocks with a quota of 3 an SM",
            {"num_tbs", "max_tbs_per_sm"}),
      guest("four-an-sm", "s16_guest_4_an_sm", "a guest of 60 thread blocks with a quota of 4 an SM",
            {"num_tbs", "max_tbs_per_sm"}),
      guest("five-an-sm", "s16_guest_5_an_sm", "a guest of 75 thread blocks with a quota of 5 an SM",
            {"num_tbs", "max_tbs_per_sm"}),
      guest("sixty", "s16_guest_60", "60 thread blocks without a quota: ten whole SMs are enough", {"num_tbs"}),
      with("sixty-spread", {"scheduler.fill=breadth_first"}, "60 thread blocks handed round the SMs, without a quota",
           "GPGPU-Sim's issue goes round the SMs"),
      with("sixty-all-sms", {"scheduler.exclusive_scope=all"},
           "60 thread blocks without a quota, and all SMs are preempted: the places that come first are used",
           "nobody: [S16] 4.2 does not say how many SMs are preempted"),
      guest("long-spread", "s16_guest_long_spread",
            "thread blocks of 25 us with a spread of 0.5: what a place that comes early is worth by the request",
            {"tb_time_us", "tb_time_spread"}, {"s16-fig4_1", "s16-fig4_5"}),
  };
}

}  // namespace tessera::campaign::s16
