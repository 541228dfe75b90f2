// SPDX-License-Identifier: Apache-2.0
// The hosts of random lockstep by themselves.
#include <gtest/gtest.h>

#include "testbench/agents/host_agent.h"
#include "testbench/configurations.h"

namespace tessera::testbench::test {
namespace {

// Each end of a linger invokes the policy: if they went on, the core would not come to rest.
TEST(HostAgent, EndsTheLingerOnceWhenItIsStopped) {
  Profile profile = draw_profile(configuration("one_sm").params, 0x3F, 1);
  profile.host.has_stray_ticks = true;
  profile.host.linger = {1, 3};
  HostAgent host(profile, 1);
  rtl_model::SchedulerOutputs out;
  const auto num_ends = [&](Cycle from, Cycle to) {
    std::uint32_t ends = 0;
    for (Cycle now = from; now < to; ++now) {
      rtl_model::SchedulerInputs in;
      out.linger_start = now == from;
      host.drive(now, out, in);
      ends += in.linger_over ? 1 : 0;
    }
    return ends;
  };
  EXPECT_GT(num_ends(0, 1000), 100U);
  host.stop();
  EXPECT_LE(num_ends(1000, 2000), 2U);  // one that was due already, and that of the linger which starts
}

}  // namespace
}  // namespace tessera::testbench::test
