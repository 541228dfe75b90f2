// SPDX-License-Identifier: Apache-2.0
// docs/guide/yaml_reference.md has a line for every key that a reader knows, with its type, values and default, and no
// other. A test that fails prints the line that is missing; its last cell, the meaning, is for a person to write.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/model/spec/known_keys.h"

namespace tessera::spec {
namespace {

using test::kKinds;
using test::known_keys;

// Keys that stand in for those of another mapping, and have no lines of their own.
struct Twin {
  const char* kind;
  const char* path;
  const char* of;
};
constexpr Twin kTwins[] = {{"Experiment", "baseline.", "scheduler."},
                           {"Experiment", "baseline.driver.", "driver."},
                           {"Synthesis", "sweeps[].", "core."}};
constexpr const char* kDriverOfABaseline = "baseline.driver";

// Defaults that are no constants.
const std::map<std::string, std::string> kWorkedOut = {
    {"framework.num_ksrs", "`num_sms`"},
    {"framework.tb_issue_cycles", "by engine"},
    {"framework.setup_tag_bits", "as needed"},
    {"framework.refill_lane", "by size"},
    {"core.policies", "all"},
    {"scheduler.estimator", "by technique"},
    {"workload.processes[].time_slice_us", "`scheduler.time_slice_us`"},
    {"workload.processes[].slice_end", "`scheduler.technique`"},
    {"tasks[].deadline", "`period`"},
    {"tasks[].offset", "`0`"},
    {"tasks[].tail", "by kind"},
    {"wake_us", "`interrupt_us`"}};

bool starts_with(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

bool is_twin(const std::string& kind, const std::string& path) {
  return std::any_of(std::begin(kTwins), std::end(kTwins),
                     [&](const Twin& twin) { return kind == twin.kind && starts_with(path, twin.path); });
}

std::string unit_of(const std::string& key) {
  const std::pair<const char*, const char*> units[] = {
      {"_us", "us"}, {"_us_per_warp", "us"}, {"_us_per_kib", "us"}, {"_mhz", "MHz"},           {"_gbps", "GB/s"},
      {"_ns", "ns"}, {"_cycles", "cycles"},  {"bytes", "bytes"},    {"bytes_per_tb", "bytes"}, {"_bits", "bits"}};
  for (const auto& [end, unit] : units) {
    const std::string tail = end;
    if (key.size() >= tail.size() && key.compare(key.size() - tail.size(), tail.size(), tail) == 0) return unit;
  }
  return "";
}

bool is_step(const std::string& path) { return std::regex_match(path, std::regex("program\\[\\]\\.[a-z_]+")); }

std::string preset_of(const KnownKey& key) {
  if (is_step(key.path)) return "one of them";
  if (key.is_required) return "required";
  const auto worked_out = kWorkedOut.find(key.path);
  if (worked_out != kWorkedOut.end()) return worked_out->second;
  return key.preset.empty() ? "none" : "`" + key.preset + "`";
}

// All cells but the meaning.
std::string line_of(const KnownKey& key) {
  const std::string unit = unit_of(key.path);
  return fmt::format("| `{}` | {}{} | {} | {} |", key.path, key.type, unit.empty() ? "" : ", " + unit, key.allowed,
                     preset_of(key));
}

std::string key_of(const std::string& line) { return line.substr(3, line.find('`', 3) - 3); }

// By kind, the lines of its tables that begin with a key.
std::map<std::string, std::vector<std::string>> documented_lines() {
  std::ifstream document(TESSERA_SOURCE_DIR "/docs/guide/yaml_reference.md");
  std::map<std::string, std::vector<std::string>> lines;
  std::string kind;
  for (std::string line; std::getline(document, line);) {
    if (starts_with(line, "## ")) kind = line.substr(3);
    if (starts_with(line, "| `")) lines[kind].push_back(line);
  }
  return lines;
}

class YamlReference : public testing::TestWithParam<const char*> {
 protected:
  const std::string kind_ = GetParam();
  const std::vector<std::string> documented_ = documented_lines()[kind_];
};

TEST_P(YamlReference, HasALineForEveryKeyThatTheReadersKnow) {
  for (const KnownKey& key : known_keys(kind_)) {
    if (is_twin(kind_, key.path)) continue;
    const auto found = std::find_if(documented_.begin(), documented_.end(),
                                    [&key](const std::string& line) { return key_of(line) == key.path; });
    const std::string wanted = line_of(key);
    if (found == documented_.end()) {
      ADD_FAILURE() << "docs/guide/yaml_reference.md, ## " << kind_ << " lacks\n" << wanted << " MEANING |";
      continue;
    }
    EXPECT_TRUE(starts_with(*found, wanted)) << "is     " << *found << "\nmust be " << wanted << " MEANING |";
    EXPECT_GT(found->size(), wanted.size() + 3) << "without a meaning: " << *found;
  }
}

TEST_P(YamlReference, HasNoLineForAKeyThatNoReaderKnows) {
  std::set<std::string> known;
  for (const KnownKey& key : known_keys(kind_)) known.insert(key.path);
  std::set<std::string> seen;
  for (const std::string& line : documented_) {
    EXPECT_TRUE(known.count(key_of(line)) > 0 && !is_twin(kind_, key_of(line))) << "no reader knows " << line;
    EXPECT_TRUE(seen.insert(key_of(line)).second) << "twice: " << line;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, YamlReference, testing::ValuesIn(kKinds),
                         [](const testing::TestParamInfo<const char*>& test) {
                           return std::regex_replace(test.param, std::regex(" "), "");
                         });

TEST(YamlReference, TwinsHaveTheKeysOfWhatTheyStandFor) {
  for (const Twin& twin : kTwins) {
    std::set<std::string> of_twin, of_other;
    for (const KnownKey& key : known_keys(twin.kind)) {
      const bool is_another_twins =
          starts_with(key.path, kDriverOfABaseline) && !starts_with(twin.path, kDriverOfABaseline);
      if (starts_with(key.path, twin.path) && !is_another_twins)
        of_twin.insert(key.path.substr(std::string(twin.path).size()));
      if (starts_with(key.path, twin.of)) of_other.insert(key.path.substr(std::string(twin.of).size()));
    }
    EXPECT_FALSE(of_twin.empty());
    EXPECT_EQ(of_twin, of_other) << twin.path;
  }
}

// A list of mappings that a reader learns of needs an entry in a sample, or its keys stay unknown here.
TEST(YamlReference, EveryListHasAnEntryInASample) {
  for (const std::string kind : kKinds) {
    const std::vector<KnownKey> keys = known_keys(kind);
    for (const KnownKey& list : keys) {
      const bool holds_steps =
          list.path == "program[].loop.body" || list.path == "program[].group" || list.path == "program[].graph.nodes";
      const bool holds_mappings = list.type == "list" && list.allowed.empty() && !holds_steps;
      if (!holds_mappings) continue;
      EXPECT_TRUE(std::any_of(keys.begin(), keys.end(),
                              [&list](const KnownKey& key) { return starts_with(key.path, list.path + "[]."); }))
          << kind << ": samples_of() gives " << list.path << " no entry";
    }
  }
}

// ---- a key without a value ---------------------------------------------------------------------------------------

// `a.b[].c` as block YAML whose last line is the key alone, and where that key stands.
struct EmptyKey {
  std::string text;
  int line = 0;
  int column = 0;
};
EmptyKey empty_key(const std::string& path) {
  EmptyKey result;
  std::string words = std::regex_replace(path, std::regex("\\[\\]"), ".-");
  std::size_t indent = 0;
  bool goes_on = false;  // behind a dash
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find('.', begin), words.size());
    const std::string word = words.substr(begin, end - begin);
    if (!goes_on) {
      result.text += std::string(indent, ' ');
      ++result.line;
      result.column = static_cast<int>(indent) + 1;
    } else {
      result.column = static_cast<int>(indent) + 1;
    }
    goes_on = word == "-";
    result.text += goes_on ? "- " : word + ":\n";
    indent += 2;
    begin = end + 1;
  }
  return result;
}

TEST(SpecKnownKeys, AKeyWithoutAValueIsReportedAtTheKeyItself) {
  int num_keys = 0;
  for (const std::string kind : kKinds) {
    for (const KnownKey& key : known_keys(kind)) {
      const EmptyKey sample = empty_key(key.path);
      Report report;
      Node root = parse_document(sample.text + "\n\n# a comment\nlast_key: 1\n", {"sample.yaml", 1, 1}, report);
      root.is_file_root = true;
      test::read_as(kind, root, report);
      const std::string path = std::regex_replace(key.path, std::regex("\\[\\]"), ".0");
      const auto& mistakes = report.diagnostics();
      const auto found = std::find_if(mistakes.begin(), mistakes.end(),
                                      [&path](const Diagnostic& mistake) { return mistake.key == path; });
      ASSERT_NE(found, mistakes.end()) << kind << ' ' << key.path << '\n' << sample.text;
      EXPECT_EQ(found->line, sample.line) << kind << ' ' << key.path << '\n' << to_string(*found);
      EXPECT_EQ(found->column, sample.column) << kind << ' ' << key.path << '\n' << to_string(*found);
      ++num_keys;
    }
  }
  EXPECT_GT(num_keys, 90);
}

}  // namespace
}  // namespace tessera::spec
