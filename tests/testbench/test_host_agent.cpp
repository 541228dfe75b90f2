// SPDX-License-Identifier: Apache-2.0
// The hosts of random lockstep by themselves.
#include <gtest/gtest.h>

#include <algorithm>

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

// Page tables and partitions first; then a host that is asked in every cycle, with all buffers free.
class DrivenHost {
 public:
  explicit DrivenHost(const Profile& profile) : profile_(profile), host_(profile, 1) {
    out_.control_ready = true;
    for (std::uint32_t buffer = 0; buffer < profile.params.num_command_buffers; ++buffer) out_.buffer_free.set(buffer);
  }
  rtl_model::SchedulerInputs next() {
    rtl_model::SchedulerInputs in;
    host_.drive(now_++, out_, in);
    return in;
  }
  void boot() {
    while (!next().command.valid) {
    }
  }
  void finish(std::uint32_t context) { host_.see_finish(now_ - 1, context); }

 private:
  Profile profile_;
  HostAgent host_;
  rtl_model::SchedulerOutputs out_;
  Cycle now_ = 0;
};

TEST(Profile, KernelsStartLateOnlyWhereTheirCountersCarry) {
  std::uint32_t num_late = 0, num_carrying = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    const HostProfile host = draw_profile(configuration("k20c").params, 0xFF, seed).host;
    num_late += host.starts_late ? 1 : 0;
    num_carrying += host.carry_bits != 0 ? 1 : 0;
    EXPECT_TRUE(!host.starts_late || host.carry_bits != 0) << seed;
  }
  EXPECT_GT(num_late, 0U);
  EXPECT_LT(num_late, num_carrying);
}

TEST(HostAgent, LaunchesAboutAMultipleWhereCountersCarry) {
  Profile profile = draw_profile(configuration("one_sm").params, 0x3F, 1);
  profile.host.launches_endless = false;
  profile.host.carry_bits = 12;
  profile.host.command_gap = {0, 0};
  DrivenHost host(profile);
  host.boot();
  std::uint32_t num_below = 0, num_at = 0, num_above = 0;
  for (int i = 0; i < 500; ++i) {
    const rtl_model::CommandPins command = host.next().command;
    if (!command.valid || command.num_tbs < 4000) continue;
    const std::uint32_t beyond = command.num_tbs % 4096;
    ASSERT_TRUE(beyond <= 3 || beyond >= 4093) << command.num_tbs;
    ++(beyond == 0 ? num_at : beyond <= 3 ? num_above : num_below);
  }
  EXPECT_GT(std::min({num_below, num_at, num_above}), 10U);
}

TEST(HostAgent, WritesWhileTheCoreDealsWithAFinishedKernel) {
  Profile profile = draw_profile(configuration("k20c").params, 0x3F, 1);
  profile.host.write_gap = {kNever / 2, kNever / 2};
  profile.host.aim_permille = 0;
  profile.host.finish_permille = 1000;
  DrivenHost host(profile);
  host.boot();
  std::uint32_t num_token_writes = 0;
  for (std::uint32_t i = 0; i < 200; ++i) {
    const std::uint32_t context = i % profile.params.num_contexts;
    host.finish(context);
    std::uint32_t num_writes = 0;
    for (int cycle = 0; cycle < 16; ++cycle) {
      const rtl_model::ControlPins write = host.next().control;
      if (!write.valid) continue;
      ++num_writes;
      EXPECT_EQ(write.context, context);
      num_token_writes += write.reg == rtl_model::ControlRegister::kTokens ? 1 : 0;
    }
    EXPECT_EQ(num_writes, 1U);
  }
  EXPECT_GT(num_token_writes, 100U);
}

}  // namespace
}  // namespace tessera::testbench::test
