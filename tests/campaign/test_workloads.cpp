// SPDX-License-Identifier: Apache-2.0
// Workloads are random, and fair to every application.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>

#include "campaign/workloads.h"

namespace tessera::campaign {
namespace {

constexpr std::uint32_t kApplications = 10;
constexpr std::uint64_t kSeed = 7;

std::vector<std::vector<std::uint32_t>> lists(const std::vector<Workload>& workloads) {
  std::vector<std::vector<std::uint32_t>> found;
  for (const Workload& workload : workloads) found.push_back(workload.applications);
  return found;
}

TEST(Workloads, HoldEveryApplicationEquallyOftenInEveryPlace) {
  for (const std::uint32_t num_processes : {1U, 2U, 4U, 8U, kApplications}) {
    constexpr std::uint32_t kBlocks = 4;
    std::map<std::pair<std::size_t, std::uint32_t>, std::uint32_t> seen;  // (place, application)
    for (const Workload& workload : make_workloads(kApplications, num_processes, kBlocks * kApplications, kSeed)) {
      ASSERT_EQ(workload.applications.size(), num_processes);
      for (std::size_t place = 0; place < num_processes; ++place) ++seen[{place, workload.applications[place]}];
    }
    EXPECT_EQ(seen.size(), num_processes * kApplications);
    for (const auto& [where, times] : seen) EXPECT_EQ(times, kBlocks) << "place " << where.first;
  }
}

TEST(Workloads, NeverRunAnApplicationTwice) {
  for (const Workload& workload : make_workloads(kApplications, 8, 100, kSeed)) {
    const std::set<std::uint32_t> different(workload.applications.begin(), workload.applications.end());
    EXPECT_EQ(different.size(), workload.applications.size());
  }
}

TEST(Workloads, OfALargerCampaignBeginWithThoseOfASmaller) {
  const auto many = lists(make_workloads(kApplications, 4, 45, kSeed));
  for (const std::uint32_t count : {0U, 1U, 9U, 10U, 11U, 44U}) {
    const auto few = lists(make_workloads(kApplications, 4, count, kSeed));
    ASSERT_EQ(few.size(), count);
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
  }
}

TEST(Workloads, FromSomePlaceOnAreThoseOfTheWholeList) {
  const auto all = make_workloads(kApplications, 4, 45, kSeed);
  for (const std::uint32_t first : {0U, 1U, 10U, 19U, 30U}) {
    const auto rest = make_workloads(kApplications, 4, 45 - first, kSeed, first);
    ASSERT_EQ(rest.size(), 45 - first);
    for (std::size_t i = 0; i < rest.size(); ++i) {
      EXPECT_EQ(rest[i].applications, all[first + i].applications);
      EXPECT_EQ(rest[i].is_held_out, all[first + i].is_held_out);
    }
  }
}

TEST(Workloads, DependOnTheSeedAndOnTheNumberOfProcesses) {
  EXPECT_NE(lists(make_workloads(kApplications, 4, 10, 1)), lists(make_workloads(kApplications, 4, 10, 2)));
  const auto four = lists(make_workloads(kApplications, 4, 10, 1));
  auto eight = lists(make_workloads(kApplications, 8, 10, 1));
  for (auto& list : eight) list.resize(4);
  EXPECT_NE(four, eight);
}

TEST(Workloads, OfOneBlockInTwoAreHeldOut) {
  std::set<bool> of_first_blocks;
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    const auto workloads = make_workloads(kApplications, 2, 2 * kApplications, seed);
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      EXPECT_EQ(workloads[i].is_held_out, workloads[i - i % kApplications].is_held_out) << "blocks stay whole";
    }
    EXPECT_NE(workloads[0].is_held_out, workloads[kApplications].is_held_out);
    of_first_blocks.insert(workloads[0].is_held_out);
  }
  EXPECT_EQ(of_first_blocks.size(), 2U) << "which one is a matter of chance";
}

TEST(AllPairs, HoldEveryOrderedPairOnceAndBothOrdersInOneHalf) {
  std::map<std::vector<std::uint32_t>, bool> is_held_out;
  for (const Workload& pair : all_pairs(kApplications)) {
    ASSERT_EQ(pair.applications.size(), 2U);
    EXPECT_NE(pair.applications[0], pair.applications[1]);
    EXPECT_TRUE(is_held_out.emplace(pair.applications, pair.is_held_out).second) << "a pair comes twice";
  }
  EXPECT_EQ(is_held_out.size(), kApplications * (kApplications - 1));
  std::size_t num_held_out = 0;
  for (const auto& [pair, held_out] : is_held_out) {
    EXPECT_EQ(held_out, is_held_out.at({pair[1], pair[0]}));
    num_held_out += held_out ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(num_held_out), static_cast<double>(is_held_out.size()) / 2, kApplications);
}

TEST(Starts, AreEvenInTheirSpanAndASeedsOwn) {
  constexpr Picoseconds kSpan = 1'000'000;
  const auto starts = [](std::uint64_t seed) {
    std::vector<Workload> workloads = make_workloads(kApplications, 8, 100, kSeed);
    draw_starts(workloads, kSpan, seed);
    std::vector<Picoseconds> all;
    for (const Workload& workload : workloads) {
      EXPECT_EQ(workload.starts.size(), 8U);
      all.insert(all.end(), workload.starts.begin(), workload.starts.end());
    }
    return all;
  };
  const std::vector<Picoseconds> all = starts(1);
  double sum = 0;
  for (const Picoseconds start : all) {
    EXPECT_GE(start, 0);
    EXPECT_LT(start, kSpan);
    sum += static_cast<double>(start);
  }
  EXPECT_NEAR(sum / static_cast<double>(all.size()), kSpan / 2.0, kSpan / 20.0);  // five standard errors
  EXPECT_EQ(all, starts(1));
  EXPECT_NE(all, starts(2));
}

TEST(Workloads, OfMoreProcessesThanApplicationsAreRefused) {
  EXPECT_THROW(make_workloads(3, 4, 1, kSeed), std::invalid_argument);
}

}  // namespace
}  // namespace tessera::campaign
