// SPDX-License-Identifier: Apache-2.0
// The token by hand: who gets it when, who is told when to give it up, and what becomes of who does not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "model/cooperative/token_scheduler.h"

namespace tessera::cooperative {
namespace {

using testing::ElementsAre;

constexpr TokenParameters kKills{1000, 30, 200, false};
constexpr TokenParameters kPreempts{1000, 30, 200, true};

// What the scheduler says, and when.
class TokenBench : private ITokenObserver {
 public:
  explicit TokenBench(const TokenParameters& parameters) : token(parameters, *this) {}

  void ask(Session session, Cycle at) {
    run_before(at);
    token.request(session, at);
    schedule(at);
  }
  void give_back(Session session, Cycle at) {
    run_before(at);
    token.release(session);
    schedule(at);
  }
  // Whatever is due by itself.
  void run_before(Cycle end) {
    while (token.next_due() < end) schedule(token.next_due());
  }

  TokenScheduler token;
  std::vector<std::string> said;

 private:
  void schedule(Cycle at) {
    now_ = at;
    token.schedule(at);
  }
  void say(Session session, const char* what, Cycle at) {
    said.push_back(std::to_string(at) + ": " + std::to_string(session) + " " + what);
  }
  void on_granted(Session session, Cycle, Cycle at) override { say(session, "granted", at); }
  void on_told_to_yield(Session session, Cycle) override { say(session, "told", now_); }
  void on_killed(Session session) override { say(session, "killed", now_); }
  void on_revoked(Session session, Cycle) override { say(session, "revoked", now_); }

  Cycle now_ = 0;
};

constexpr TokenParameters kSlices{1000, 30, 200, false, 400};

TEST(TokenScheduler, WhoseSliceIsOverIsToldWhoeverWaits) {
  TokenBench bench(kSlices);
  bench.ask(0, 5);
  bench.run_before(5000);
  EXPECT_THAT(bench.said, ElementsAre("5: 0 granted", "405: 0 told"));  // and nothing follows while nobody waits
  bench.give_back(0, 5000);
  bench.ask(0, 5001);
  EXPECT_EQ(bench.said.back(), "5001: 0 granted");  // without a switch
}

TEST(TokenScheduler, TheSliceOrTheThresholdWhicheverIsFirst) {
  TokenBench bench({100, 30, 200, false, 400});
  bench.ask(0, 5);
  bench.ask(1, 50);
  bench.run_before(200);
  EXPECT_EQ(bench.said.back(), "150: 0 told");
}

TEST(TokenScheduler, WhoDoesNotYieldAtTheEndOfItsSliceHasAsLongAsFromTheWord) {
  TokenBench bench(kSlices);
  bench.ask(0, 5);
  bench.ask(1, 1000);
  bench.run_before(2000);
  EXPECT_THAT(bench.said, ElementsAre("5: 0 granted", "405: 0 told", "1200: 0 killed"));
}

TEST(TokenScheduler, TheFirstOneHasItAtOnceAndNobodyTellsItToYield) {
  TokenBench bench(kKills);
  bench.ask(0, 5);
  bench.run_before(1'000'000);
  EXPECT_THAT(bench.said, ElementsAre("5: 0 granted"));
  EXPECT_EQ(bench.token.next_due(), kNever);
}

TEST(TokenScheduler, TheThresholdRunsFromTheRequestOfWhoWaits) {
  TokenBench bench(kKills);
  bench.ask(0, 5);
  bench.ask(1, 400);
  bench.give_back(0, 1500);
  EXPECT_THAT(bench.said, ElementsAre("5: 0 granted", "1400: 0 told", "1530: 1 granted"));
}

TEST(TokenScheduler, OfAThirdSessionItRunsFromTheGrant) {
  TokenBench bench(kKills);
  bench.ask(0, 5);
  bench.ask(1, 400);
  bench.ask(2, 410);  // by its own clock its time is over at 1410, before 1 has the token
  bench.give_back(0, 1500);
  bench.give_back(1, 2600);
  EXPECT_THAT(bench.said,
              ElementsAre("5: 0 granted", "1400: 0 told", "1530: 1 granted", "2530: 1 told", "2630: 2 granted"));
}

TEST(TokenScheduler, WhoGetsItAgainSwitchesNothing) {
  TokenBench bench(kKills);
  bench.ask(0, 5);
  bench.give_back(0, 10);
  bench.ask(0, 20);
  EXPECT_THAT(bench.said, ElementsAre("5: 0 granted", "20: 0 granted"));
}

TEST(TokenScheduler, WhoDoesNotYieldIsKilledOnce) {
  TokenBench bench(kKills);
  bench.ask(0, 5);
  bench.ask(1, 6);
  bench.run_before(5000);
  bench.give_back(0, 6000);
  EXPECT_THAT(bench.said, ElementsAre("5: 0 granted", "1006: 0 told", "1206: 0 killed", "6030: 1 granted"));
}

TEST(TokenScheduler, WhoLosesTheTokenWaitsForItAgainBehindTheOthers) {
  TokenBench bench(kPreempts);
  bench.ask(0, 5);
  bench.ask(1, 6);
  bench.ask(2, 7);
  bench.run_before(1300);
  EXPECT_THAT(bench.said, ElementsAre("5: 0 granted", "1006: 0 told", "1206: 0 revoked", "1236: 1 granted"));
  EXPECT_EQ(bench.token.num_waiting(), 2U);
  bench.give_back(1, 1400);
  bench.give_back(2, 1500);
  EXPECT_EQ(bench.said.back(), "1530: 0 granted");
}

TEST(TokenScheduler, WhoLeavesWithoutTheTokenWaitsNoMore) {
  TokenBench bench(kPreempts);
  bench.ask(0, 5);
  bench.ask(1, 6);
  bench.run_before(1300);
  bench.give_back(0, 1350);
  EXPECT_EQ(bench.token.num_waiting(), 0U);
  EXPECT_EQ(bench.token.holder(), 1U);
}

}  // namespace
}  // namespace tessera::cooperative
