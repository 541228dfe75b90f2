// SPDX-License-Identifier: Apache-2.0
// The rows of rtl/tsr_policy_table.vh are those of rtl_model/policy/policy_table.h: Icarus prints them, rule by rule.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "model/spec/names.h"
#include "rtl_model/policy/policy_table.h"

namespace tessera::rtl_model::test {
namespace {

namespace fs = std::filesystem;
using Rules = std::set<std::string>;

// The names of the rules in Verilog, from what a row says here.
Rules rules_of(const PolicyRow& row) {
  static const std::map<Key, std::string> kEntryKeys{
      {Key::kPriority, "ENTERS_BY_PRIORITY"}, {Key::kUrgency, "ENTERS_BY_DUE"}, {Key::kOrder, "ENTERS_BY_ORDER"}};
  static const std::map<Key, std::string> kKeys{{Key::kPriority, "KEY_PRIORITY"},
                                                {Key::kUrgency, "KEY_DUE"},
                                                {Key::kOrder, "KEY_ORDER"},
                                                {Key::kTokens, "KEY_TOKENS"},
                                                {Key::kNearness, "KEY_NEARNESS"}};
  static const std::map<Condition, std::string> kMayHave{{Condition::kSharedOrSameKey, "A_OF_FIRST_KEY"},
                                                         {Condition::kSharedOrSameContext, "A_OF_FIRST_CONTEXT"},
                                                         {Condition::kScopeAll, "B_OF_SCOPE_ALL"}};
  static const std::map<Condition, std::string> kTakes{{Condition::kAlways, "TAKES_ALWAYS"},
                                                       {Condition::kRicherByTwo, "TAKES_IF_RICHER"},
                                                       {Condition::kSameContext, "TAKES_IN_TURN"}};
  static const std::map<Extras, std::string> kExtras{
      {kBudgets, "HAS_BUDGETS"}, {kLinger, "KEEPS_SMS"}, {kTurns, "TAKES_TURNS"}, {kPartitions, "IN_PARTITIONS"}};
  Rules rules;
  const auto add = [&rules](const auto& names, auto value) {
    const auto found = names.find(value);
    if (found != names.end()) rules.insert(found->second);
  };
  if (row.entry == Entry::kInTurn) rules.insert("ENTERS_IN_TURN");
  if (row.contexts == Contexts::kOne) rules.insert("ONE_CONTEXT");
  add(kEntryKeys, row.command_key);
  add(kKeys, row.key);
  add(kMayHave, row.a_may_have_sm);
  add(kMayHave, row.b_may_have_sm);
  add(kTakes, row.takes_away);
  for (const auto& [extra, name] : kExtras) {
    if (row.has(extra)) rules.insert(name);
  }
  return rules;
}

Rules all_rules() {
  return {"ENTERS_IN_TURN", "ENTERS_BY_PRIORITY", "ENTERS_BY_DUE",  "ENTERS_BY_ORDER",
          "ONE_CONTEXT",    "KEY_PRIORITY",       "KEY_DUE",        "KEY_ORDER",
          "KEY_TOKENS",     "KEY_NEARNESS",       "A_OF_FIRST_KEY", "A_OF_FIRST_CONTEXT",
          "B_OF_SCOPE_ALL", "HAS_BUDGETS",        "TAKES_ALWAYS",   "TAKES_IF_RICHER",
          "TAKES_IN_TURN",  "KEEPS_SMS",          "TAKES_TURNS",    "IN_PARTITIONS"};
}

class PolicyTableTest : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("iverilog -V >/dev/null 2>&1") != 0) GTEST_SKIP() << "iverilog is not there";
    folder_ = fs::temp_directory_path() / ("tessera_policy_table_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  // "<code> <rule>" for each rule that a code has.
  void print_the_verilog() {
    std::ofstream bench(folder_ / "bench.v");
    bench << "module bench;\n`include \"tsr_policy_table.vh\"\n  integer p;\n  initial begin\n"
          << "    for (p = 0; p < 16; p = p + 1) begin\n";
    for (const std::string& rule : all_rules()) {
      bench << "      if (policy_row(p[3:0]) & " << rule << ") $display(\"%0d " << rule << "\", p);\n";
    }
    bench << "    end\n    $display(\"16 %0d\", ANY_RULE == (";
    for (const std::string& rule : all_rules()) bench << rule << " + ";
    bench << "0));\n  end\nendmodule\n";
    bench.close();
    const std::string run = "cd " + folder_.string() +
                            " && iverilog -g2005 -I" TESSERA_SOURCE_DIR "/rtl -o bench bench.v && vvp -n bench > rows";
    ASSERT_EQ(std::system(run.c_str()), 0) << run;
    std::ifstream rows(folder_ / "rows");
    std::uint32_t code = 0;
    for (std::string rule; rows >> code >> rule;) verilog_[code].insert(rule);
  }

  fs::path folder_;
  std::map<std::uint32_t, Rules> verilog_;
};

TEST_F(PolicyTableTest, EachPolicyHasTheSameRulesInBothCores) {
  print_the_verilog();
  for (const PolicyRow& row : kPolicyRows) {
    EXPECT_EQ(verilog_[spec::info(row.kind).code], rules_of(row)) << spec::to_string(row.kind);
    verilog_.erase(spec::info(row.kind).code);
  }
  EXPECT_EQ(verilog_[16], Rules{"1"}) << "a rule of the Verilog that this test does not know, or two of the same bit";
  verilog_.erase(16);
  EXPECT_TRUE(verilog_.empty()) << "a row of the Verilog that rtl_model does not have: code "
                                << verilog_.begin()->first;
}

}  // namespace
}  // namespace tessera::rtl_model::test
