// SPDX-License-Identifier: Apache-2.0
// What is no document, or not the whole of one, is told where it goes wrong, and a file is what its keys say.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/spec/document.h"
#include "model/spec/file_limit.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

using test::Files;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

std::vector<std::string> complaints(const std::string& text) {
  std::vector<std::string> lines;
  for (const Diagnostic& mistake : validate_text(text, "file.yaml")) lines.push_back(to_string(mistake));
  return lines;
}

// ---- quotes ------------------------------------------------------------------------------------------------------

TEST(SpecSyntax, AQuoteThatNothingClosesIsReportedWhereItOpens) {
  const std::string problem = "YAML syntax: the quote that opens here is not closed";
  for (const char* quote : {"'", "\""}) {
    for (const char* rest : {"", "\n", "desk\n", "desk\nlaunch_us: 3\n# the end\n", "desk\r\n\r\n"}) {
      EXPECT_THAT(complaints("schema_version: 1\nname: " + std::string(quote) + rest),
                  ElementsAre("file.yaml:2:7: " + problem));
      EXPECT_THAT(complaints("schema_version: 1\n" + std::string(quote) + rest),
                  ElementsAre("file.yaml:2:1: " + problem));
      EXPECT_THAT(complaints("kernels: [{num_tbs: 1, name: " + std::string(quote) + rest),
                  ElementsAre("file.yaml:1:30: " + problem));
      EXPECT_THAT(complaints("name: &a " + std::string(quote) + rest), ElementsAre("file.yaml:1:7: " + problem));
    }
  }
}

TEST(SpecSyntax, AnEscapedQuoteClosesNothing) {
  EXPECT_THAT(complaints("launch_us: 1\nname: 'it''\n"),
              ElementsAre(HasSubstr("file.yaml:2:7: YAML syntax: the quote")));
  EXPECT_THAT(complaints("launch_us: 1\nname: \"\\\"\n"),
              ElementsAre(HasSubstr("file.yaml:2:7: YAML syntax: the quote")));
}

TEST(SpecSyntax, QuotesThatAreClosedAndQuotesInWordsAndCommentsAreNone) {
  for (const char* name : {"'it''s'", "\"a \\\" b\"", "it's", "'a' # isn't it", "\"over\n  lines\"", "|\n  'tis"}) {
    EXPECT_THAT(complaints("schema_version: 1\nlaunch_us: 1\nname: " + std::string(name)),
                testing::Not(testing::Contains(HasSubstr("quote"))))
        << name;
  }
}

TEST(SpecSyntax, AnOverridesQuoteIsReportedInItsText) {
  const auto mistakes = Files().mistakes({"host.name='desk"});
  ASSERT_EQ(mistakes.size(), 1U);
  EXPECT_THAT(to_string(mistakes[0]), StartsWith("--set:1:11: YAML syntax: the quote that opens here"));
}

// ---- places ------------------------------------------------------------------------------------------------------

TEST(SpecSyntax, AnEmptyEntryOfAListIsReportedAtItsDash) {
  const std::string head = "schema_version: 1\nname: app\nprogram:\n";
  for (const char* rest : {"  -\n  - synchronise: {}\n", "  -   # - nothing\n\n  # - yet\n  - synchronise: {}\n"}) {
    EXPECT_THAT(complaints(head + rest), ElementsAre("file.yaml:4:3: program.0: must be a mapping (nothing)"));
  }
  EXPECT_THAT(complaints(head + "  - synchronise: {}\n  -\nkernels: []\n"),
              ElementsAre("file.yaml:5:3: program.1: must be a mapping (nothing)"));
}

TEST(SpecSyntax, ColumnsCountCharactersAndNotBytes) {
  EXPECT_THAT(complaints("schema_version: 1\nname: x\nlaunch_us: 1\n# \u00e4\n{\"\u00e4\u20ac\": }\n"),
              testing::SizeIs(1));
  EXPECT_THAT(complaints("{schema_version: 1, launch_us: 1, name: \"\u00e4\u20ac\U0001F600\", copy_us: x}"),
              testing::Contains(StartsWith("file.yaml:1:57: copy_us: is not a plain")));
  EXPECT_THAT(complaints("\xEF\xBB\xBFlaunch_us: x\nschema_version: 1\nname: x\n"),
              ElementsAre(StartsWith("file.yaml:1:12: launch_us: is not a plain")));
}

// ---- text --------------------------------------------------------------------------------------------------------

TEST(SpecSyntax, BytesThatAreNoUtf8AreReportedWhereTheyStand) {
  for (const char* bytes : {"\xff", "\xc3", "\xc0\xaf", "\xed\xa0\x80", "\xe2\x82", "\xf4\x90\x80\x80"}) {
    EXPECT_THAT(complaints("launch_us: 1 # \u00e4" + std::string(bytes) + "\n"),
                ElementsAre(StartsWith("file.yaml:1:17: a byte that is not UTF-8 (0x")))
        << bytes;
  }
  const auto mistakes = Files().mistakes({"name=x\xff"});
  ASSERT_EQ(mistakes.size(), 1U);
  EXPECT_EQ(to_string(mistakes[0]), "--set:1:7: a byte that is not UTF-8 (0xff; UTF-8 text)");
  EXPECT_THAT(Files().mistakes({"na\xffme=x"}), testing::SizeIs(1));
}

TEST(SpecSyntax, NestingHasALimitThatIsTold) {
  const auto nested = [](std::size_t depth) {
    return "launch_us: " + std::string(depth, '[') + std::string(depth, ']') + "\nschema_version: 1\nname: x\n";
  };
  EXPECT_THAT(complaints(nested(63)), ElementsAre(StartsWith("file.yaml:1:12: launch_us: must be a number")));
  EXPECT_THAT(complaints(nested(64)), ElementsAre("file.yaml:1:75: is nested too deeply (at most 64 levels)"));
  EXPECT_THAT(complaints("name:\n" + std::string(5'000, ' ') + "- - - x"), testing::SizeIs(1));
}

// ---- kinds -------------------------------------------------------------------------------------------------------

TEST(SpecKind, AFileWithoutATypicalKeyIsOfNoKindUnlessSomebodyRefersToIt) {
  for (const char* text :
       {"schema_version: 1\n", "name: x\n", "schema_version: 1\nname: x\n", "schema_version: 1\nname:"}) {
    EXPECT_THAT(complaints(text), ElementsAre(HasSubstr("cannot determine the file type from its keys"))) << text;
  }
  Files files;
  files.write("parts/host.yaml", "schema_version: 1\nname: desk\n");
  EXPECT_THAT(files.mistakes(), IsEmpty());  // a host all of whose costs are the defaults
}

TEST(SpecKind, AFileWithAsManyKeysOfOneKindAsOfAnotherIsAmbiguous) {
  EXPECT_THAT(complaints("gpu: x\nnum_sms: 3\n"),
              ElementsAre(HasSubstr("cannot determine the file type from its keys (an experiment or a GPU file; ")));
}

TEST(SpecKind, AnExperimentThatIsCutAfterItsNameLacksWhatFollows) {
  Files files;
  files.write("experiment.yaml", "schema_version: 1\nname: small_test\n");
  std::vector<std::string> missing;
  for (const Diagnostic& mistake : files.mistakes()) {
    EXPECT_EQ(mistake.problem, "is missing");
    missing.push_back(mistake.key);
  }
  EXPECT_THAT(missing, testing::UnorderedElementsAre("gpu", "scheduler", "workload"));
}

// ---- amounts -----------------------------------------------------------------------------------------------------

TEST(SpecAmount, OfManyMistakesTheFirstAreToldAndTheRestCounted) {
  std::string text = "schema_version: 1\nname: x\nlaunch_us: 1\n";
  for (int i = 0; i < 20'000; ++i) text += fmt::format("key_{}: 1\n", i);
  const std::vector<Diagnostic> mistakes = validate_text(text, "file.yaml");
  EXPECT_EQ(mistakes.size(), 20'000U);
  const std::string told = to_string(mistakes);
  EXPECT_EQ(std::count(told.begin(), told.end(), '\n'), 100);  // and no newline at the end
  EXPECT_THAT(told, StartsWith("file.yaml:4:1: key_0: unknown key (nearest known key: "));
  EXPECT_THAT(told, testing::EndsWith("\nand 19900 more mistakes"));
}

TEST(SpecAmount, AFileHasALimit) {
  Files files;
  files.write("parts/host.yaml", "#" + std::string(kMaxFileBytes, ' '));
  const auto mistakes = files.mistakes();
  ASSERT_EQ(mistakes.size(), 1U);
  EXPECT_EQ(mistakes[0].key, "host");
  EXPECT_EQ(mistakes[0].problem, "is longer than 16 MiB");
}

}  // namespace
}  // namespace tessera::spec
