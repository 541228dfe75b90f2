// SPDX-License-Identifier: Apache-2.0
// The text of a message, and the order and uniqueness of many.
// The format is fixed: docs/guide/command_line.md, "Wrong input".
#include <gtest/gtest.h>

#include "model/spec/diagnostics.h"
#include "model/spec/nearest.h"

namespace tessera::spec {
namespace {

TEST(Diagnostics, TextHoldsPlaceKeyProblemValueAndAllowed) {
  EXPECT_EQ(to_string(Diagnostic{"a.yaml", 3, 9, "gpu.num_sms", "is out of range", "0", "1 .. 256"}),
            "a.yaml:3:9: gpu.num_sms: is out of range (0; 1 .. 256)");
}

TEST(Diagnostics, PartsThatDoNotApplyAreLeftOut) {
  EXPECT_EQ(to_string(Diagnostic{"a.yaml", 1, 1, "", "is empty", "", ""}), "a.yaml:1:1: is empty");
  EXPECT_EQ(to_string(Diagnostic{"a.yaml", 1, 1, "k", "p", "v", ""}), "a.yaml:1:1: k: p (v)");
  EXPECT_EQ(to_string(Diagnostic{"a.yaml", 1, 1, "k", "p", "", "x, y"}), "a.yaml:1:1: k: p (x, y)");
}

TEST(Diagnostics, TextIsAlwaysOneShortLine) {
  const std::string text = to_string(Diagnostic{"a\nb", 1, 1, "k\r", "p", std::string(100'000, 'v') + "\n", "\x01"});
  EXPECT_EQ(text.find_first_of("\n\r\x01"), std::string::npos);
  EXPECT_LT(text.size(), 300U);
}

TEST(Diagnostics, NothingOfTheUsersReachesATerminalRaw) {
  const std::string raw = "\x1b]0;x\x07\u009b\xff";
  const std::string text = to_string(Diagnostic{raw, 1, 1, raw, raw, raw, raw});
  EXPECT_EQ(text.find_first_of("\x1b\x07\xff"), std::string::npos);
  EXPECT_EQ(text.find("\u009b"), std::string::npos);
}

TEST(Diagnostics, OfManyOnlyTheFirstHundredAreToldAndTheOthersCounted) {
  std::vector<Diagnostic> many;
  for (int line = 1; line <= 100; ++line) many.push_back({"a", line, 1, "", "p", "", ""});
  EXPECT_EQ(to_string(many).find("more"), std::string::npos);
  many.push_back({"a", 101, 1, "", "p", "", ""});
  EXPECT_NE(to_string(many).find("\na:100:1: p\nand 1 more mistake"), std::string::npos);
}

TEST(Diagnostics, ErrorSortsByFileLineColumnAndKeepsEqualOnesOnce) {
  const Diagnostic a{"a", 10, 1, "", "p", "", ""};
  const Diagnostic b{"b", 2, 10, "", "p", "", ""};
  const Diagnostic c{"b", 10, 2, "", "p", "", ""};
  const Diagnostic d{"b", 10, 10, "", "p", "", ""};
  const InputError error({d, b, c, a, b, d});
  EXPECT_EQ(error.diagnostics(), (std::vector<Diagnostic>{a, b, c, d}));
  EXPECT_STREQ(error.what(), "a:10:1: p\nb:2:10: p\nb:10:2: p\nb:10:10: p");
}

TEST(Nearest, FindsTheWordWithTheFewestEdits) {
  EXPECT_EQ(nearest("num_smss", {"name", "num_sms", "num_lanes"}), "num_sms");
  EXPECT_EQ(nearest("plicy", {"technique", "policy"}), "policy");
  EXPECT_EQ(nearest("ab", {"cd", "ba", "xb"}), "ba");  // a swap is one edit, and so is a replacement: the first wins
  EXPECT_EQ(nearest("anything", {}), "");
}

TEST(Nearest, TakesCapitalsForSmallLetters) {
  EXPECT_EQ(nearest("PPQ", {"fcfs", "npq", "ppq"}), "ppq");
  EXPECT_EQ(nearest("Time_Slice", {"fcfs", "time_slice"}), "time_slice");
}

}  // namespace
}  // namespace tessera::spec
