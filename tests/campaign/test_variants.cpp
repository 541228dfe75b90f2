// SPDX-License-Identifier: Apache-2.0
// Variants of any paper: who has which, what they change, and how they are counted. No simulation.
#include <gmock/gmock.h>

#include <set>

#include "campaign/own_keys.h"
#include "campaign/papers.h"
#include "campaign/variants.h"
#include "model/spec/spec.h"
#include "model/spec/spec_json.h"

namespace tessera::campaign {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The value of a figure is the seed.
Reproduction own_reproduction(const Request& request) {
  Reproduction reproduction;
  for (const char* const name : {"p-fig1", "p-fig2"}) {
    if (!is_wanted(request, name, "p")) continue;
    Figure& figure = reproduction.figures.emplace_back();
    figure.name = name;
    const double seed = static_cast<double>(request.load({}).seed);
    figure.values = {value_of("a", "b", "", seed, 2.2), value_of("c", "d", "", seed)};
    figure.orderings = {{"more than two", seed > 2, ""}};
  }
  reproduction.effort.simulations = 1;
  return reproduction;
}

const Paper kPaper{"",
                   "p",
                   {},
                   {{"fast", {"p-fig1"}, {"seed=2"}, "why", "where", {"seed"}},
                    {"slow", {"p-fig1", "p-fig2"}, {"seed=3"}, "why not", "nowhere", {}}},
                   own_reproduction};

Request request_for(const std::string& target) {
  Request request;
  request.target = target;
  request.load = [](const std::vector<std::string>& overrides) {
    spec::Spec spec;
    spec.seed = overrides.empty() ? 1 : static_cast<std::uint64_t>(overrides.back().back() - '0');
    return spec;
  };
  return request;
}

std::vector<std::string> names_of(const Reproduction& reproduction) {
  std::vector<std::string> names;
  for (const Figure& figure : reproduction.figures) names.push_back(figure.name);
  return names;
}

double entry(const Figure& table, const std::string& panel, const std::string& variant) {
  for (const Value& value : table.values) {
    if (value.panel == panel && value.category == variant) return value.ours.mean;
  }
  ADD_FAILURE() << panel << ", " << variant;
  return -1;
}

TEST(Variants, WithoutAnyATargetIsAsConfigured) {
  EXPECT_THAT(names_of(reproduce_with_variants(kPaper, request_for("p-fig1"), {})), ElementsAre("p-fig1"));
}

TEST(Variants, OfAllFiguresComeWithThoseThatTheySaySomethingAbout) {
  const Reproduction reproduction = reproduce_with_variants(kPaper, request_for("p"), {"fast", "slow"});
  EXPECT_THAT(names_of(reproduction),
              ElementsAre("p-fig1", "p-fig2", "p-fig1-fast", "p-fig1-slow", "p-fig2-slow", "p-variants"));
  EXPECT_EQ(reproduction.figures[2].values[0].ours.mean, 2);
  EXPECT_EQ(reproduction.effort.simulations, 3U);
}

// 2 is within 15 % of 2.2, 1 and 3 are not; what is not printed is no miss.
TEST(Variants, AreCountedOverTheSameFiguresAsConfigured) {
  const Reproduction reproduction = reproduce_with_variants(kPaper, request_for("p"), {"fast", "slow"});
  const Figure& table = reproduction.figures.back();
  EXPECT_EQ(entry(table, "printed numbers", "fast"), 1);
  EXPECT_EQ(entry(table, "hits", "fast"), 1);
  EXPECT_EQ(entry(table, "hits as configured", "fast"), 0);
  EXPECT_EQ(entry(table, "printed numbers", "slow"), 2);
  EXPECT_EQ(entry(table, "hits", "slow"), 0);
  EXPECT_EQ(entry(table, "held", "slow"), 2);
  EXPECT_EQ(entry(table, "held as configured", "slow"), 0);
  EXPECT_THAT(meaning_of(table, "fast"), ElementsAre("p-fig1", "why", "where", "seed"));
}

TEST(Variants, BelongToFiguresAndToTheWhole) {
  EXPECT_EQ(variants_of(kPaper, "p-fig1").size(), 2U);
  EXPECT_EQ(variants_of(kPaper, "p-fig2").size(), 1U);
  EXPECT_EQ(variants_of(kPaper, "p").size(), 2U);
  EXPECT_THROW(reproduce_with_variants(kPaper, request_for("p-fig2"), {"fast"}), std::out_of_range);
}

// An application is replaced by another reading of it, and something is different.
void expect_same_cast_on_another_input(const Paper& paper, const Variant& variant) {
  const std::string file = std::string(TESSERA_SOURCE_DIR "/configs/") + paper.config;
  const spec::Spec configured = load_paper(file);
  const spec::Spec changed = load_paper(file, variant.overrides);
  if (!variant.overrides.empty()) EXPECT_NE(spec::to_json(changed), spec::to_json(configured)) << variant.name;
  ASSERT_EQ(changed.processes.size(), configured.processes.size());
  for (std::size_t i = 0; i < changed.processes.size(); ++i) {
    EXPECT_EQ(changed.applications[changed.processes[i].application].name,
              configured.applications[configured.processes[i].application].name)
        << variant.name << ", " << changed.processes[i].name;
  }
}

TEST(Variants, OfThePapersNameTheirFiguresReasonsAndSourcesAndLoad) {
  std::set<std::string> names;
  for (const Paper& paper : papers()) {
    std::set<std::string> targets;
    for (const Target& target : paper.targets) targets.insert(target.name);
    EXPECT_EQ(targets.count(paper.whole), 1U) << paper.whole;
    for (const Variant& variant : paper.variants) {
      EXPECT_TRUE(names.insert(variant.name).second) << variant.name;
      EXPECT_FALSE(variant.reason.empty() || variant.source.empty()) << variant.name;
      for (const std::string& figure : variant.figures) {
        EXPECT_EQ(targets.count(figure), 1U) << figure;
        EXPECT_NO_THROW(refuse_own_keys(paper, figure, variant.overrides)) << figure;
      }
      expect_same_cast_on_another_input(paper, variant);
    }
  }
}

}  // namespace
}  // namespace tessera::campaign
