// SPDX-License-Identifier: Apache-2.0
// Loops are found, unroll to what was there, and take no more than a moment to find.
#include <gtest/gtest.h>

#include <numeric>

#include "importer/kernel_names.h"
#include "importer/repetition.h"

namespace tessera::importer::test {
namespace {

void unroll(const std::vector<Repeated>& tree, const std::vector<std::uint32_t>& tokens,
            std::vector<std::uint32_t>& out) {
  for (const Repeated& each : tree) {
    for (std::uint32_t round = 0; round < each.count; ++round) {
      if (each.body.empty()) out.push_back(tokens[each.members.front()]);
      unroll(each.body, tokens, out);
    }
  }
}

std::size_t size_of(const std::vector<Repeated>& tree) {
  std::size_t size = 0;
  for (const Repeated& each : tree) size += 1 + size_of(each.body);
  return size;
}

void collect(const std::vector<Repeated>& tree, const std::vector<std::uint32_t>& tokens,
             std::vector<std::uint32_t>& all) {
  for (const Repeated& each : tree) {
    for (const std::uint32_t i : each.members) EXPECT_EQ(tokens[i], tokens[each.members.front()]);
    all.insert(all.end(), each.members.begin(), each.members.end());
    collect(each.body, tokens, all);
  }
}

// Finds, and checks what has to hold of every finding.
std::vector<Repeated> found(const std::vector<std::uint32_t>& tokens) {
  std::vector<Repeated> tree = find_repetition(tokens);
  std::vector<std::uint32_t> unrolled;
  unroll(tree, tokens, unrolled);
  EXPECT_EQ(unrolled, tokens);
  std::vector<std::uint32_t> members;
  collect(tree, tokens, members);
  std::sort(members.begin(), members.end());
  std::vector<std::uint32_t> all(tokens.size());
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_EQ(members, all);
  return tree;
}

std::vector<std::uint32_t> repeated(const std::vector<std::uint32_t>& once, int times) {
  std::vector<std::uint32_t> all;
  for (int i = 0; i < times; ++i) all.insert(all.end(), once.begin(), once.end());
  return all;
}

TEST(Repetition, AStepThatRepeatsIsALoop) {
  std::vector<std::uint32_t> step(300);
  std::iota(step.begin(), step.end(), 0U);
  std::vector<std::uint32_t> tokens{900, 901};  // a prologue
  const std::vector<std::uint32_t> steps = repeated(step, 20);
  tokens.insert(tokens.end(), steps.begin(), steps.end());
  tokens.push_back(902);
  const std::vector<Repeated> tree = found(tokens);
  ASSERT_EQ(tree.size(), 4U);
  EXPECT_EQ(tree[2].count, 20U);
  EXPECT_EQ(tree[2].body.size(), step.size());
  EXPECT_EQ(tree[2].body[0].members.size(), 20U);
}

TEST(Repetition, LayersRepeatInsideAStep) {
  std::vector<std::uint32_t> step{1, 2, 3};
  const std::vector<std::uint32_t> layers = repeated({10, 11, 12, 13, 14}, 12);
  step.insert(step.end(), layers.begin(), layers.end());
  step.push_back(4);
  const std::vector<Repeated> tree = found(repeated(step, 50));
  ASSERT_EQ(tree.size(), 1U);
  EXPECT_EQ(tree[0].count, 50U);
  EXPECT_EQ(size_of(tree), 1 + 3 + 1 + 5 + 1U);
}

TEST(Repetition, LayersThatRepeatOftenDoNotHideTheStep) {
  std::vector<std::uint32_t> step;  // sixteen times sixty, and forty more
  for (std::uint32_t i = 0; i < 1000; ++i) step.push_back(i % 60);
  const std::vector<Repeated> tree = found(repeated(step, 100));
  ASSERT_EQ(tree.size(), 1U);
  EXPECT_EQ(tree[0].count, 100U);
  EXPECT_EQ(size_of(tree), 1U + (1 + 60) + 40);
}

TEST(Repetition, OneKernelAgainAndAgainIsALoop) {
  const std::vector<Repeated> tree = found(std::vector<std::uint32_t>(100'000, 7));
  ASSERT_EQ(tree.size(), 1U);
  EXPECT_EQ(tree[0].count, 100'000U);
}

TEST(Repetition, WhatDoesNotRepeatStaysAsItIs) {
  std::vector<std::uint32_t> tokens(1000);
  std::iota(tokens.begin(), tokens.end(), 0U);
  EXPECT_EQ(found(tokens).size(), tokens.size());
  EXPECT_TRUE(found({}).empty());
  EXPECT_EQ(found({1, 1, 2}).size(), 3U);  // a loop would be longer than what it saves
}

TEST(Repetition, AHundredThousandStepsOfAnyKindTakeAMoment) {
  std::vector<std::uint32_t> noise(100'000);
  std::uint32_t state = 1;
  for (std::uint32_t& token : noise) token = (state = state * 1664525 + 1013904223) >> 27;
  found(noise);
  std::vector<std::uint32_t> step(1000);
  for (std::uint32_t& token : step) token = (state = state * 1664525 + 1013904223) >> 25;
  EXPECT_LE(size_of(found(repeated(step, 100))), 1 + step.size());
}

TEST(KernelNames, TemplatesParametersNamespacesAndPathsGo) {
  EXPECT_EQ(short_kernel_name("void at::native::vectorized_elementwise_kernel<4, at::native::F<float>>(int, F)"),
            "vectorized_elementwise_kernel");
  EXPECT_EQ(short_kernel_name("void at::native::(anonymous namespace)::multi_tensor<int>(int*)"), "multi_tensor");
  EXPECT_EQ(short_kernel_name("_Z9vectorAddPKfS0_Pfi"), "vectorAdd");
  EXPECT_EQ(short_kernel_name("/home/somebody/src/kernel.cu"), "kernel_cu");
  EXPECT_EQ(short_kernel_name("user@host::run"), "run");
  EXPECT_EQ(short_kernel_name(""), "kernel_");
  EXPECT_EQ(short_kernel_name("\xff\n7: {x}\""), "kernel___7");  // bytes that are no name
  EXPECT_LE(short_kernel_name(std::string(5000, 'a')).size(), 40U);
  std::set<std::string> taken;
  EXPECT_EQ(unique_name("f", taken), "f");
  EXPECT_EQ(unique_name("f", taken), "f.2");
}

}  // namespace
}  // namespace tessera::importer::test
