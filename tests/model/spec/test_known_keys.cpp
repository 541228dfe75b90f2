// SPDX-License-Identifier: Apache-2.0
// Keys that readers ask for, and what is made of them: docs/guide/yaml_reference.md and configs/schema/ are what
// docs/generate.py writes, and so what the readers enforce.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

#include "model/spec/document.h"
#include "model/spec/schema/known_keys.h"
#include "model/spec/schema/reference_table.h"
#include "model/spec/schema/schema_file.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

bool starts_with(const std::string& text, const std::string& start) { return text.rfind(start, 0) == 0; }

std::string text_of_file(const std::string& name) {
  std::ifstream file(TESSERA_SOURCE_DIR "/" + name, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(YamlReference, HasTheTablesOfTheReaders) {
  const std::string page = text_of_file("docs/guide/yaml_reference.md");
  for (const FileKindName& kind : kFileKinds) {
    const std::string section = "\n## " + std::string(kind.title) + "\n";
    ASSERT_NE(page.find(section), std::string::npos) << section;
    const std::string rest = page.substr(page.find(section));
    const std::string table = rest.substr(rest.find("\n| Key |") + 1);
    const std::size_t end = std::min(table.find("\n\n"), table.size() - 1);
    EXPECT_EQ(table.substr(0, end + 1), reference_table(kind.kind)) << "run docs/generate.py: " << kind.title;
  }
}

TEST(YamlReference, EveryKeyHasAMeaning) {
  for (const FileKindName& kind : kFileKinds) {
    for (const KnownKey& key : known_keys(kind.kind))
      EXPECT_STRNE(key.meaning.text, "") << kind.word << ' ' << key.path;
  }
}

TEST(YamlReference, TwinsHaveTheKeysOfWhatTheyStandFor) {
  const auto keys_below = [](const Twin& twin, std::string_view start) {
    std::set<std::string> keys;
    for (const KnownKey& key : known_keys(twin.kind)) {
      const Twin* const of_key = twin_of(twin.kind, key.path);
      const bool is_of_another_twin = of_key != nullptr && of_key->path != start;
      if (starts_with(key.path, std::string(start)) && !is_of_another_twin) keys.insert(key.path.substr(start.size()));
    }
    return keys;
  };
  for (const Twin& twin : kTwins) {
    std::set<std::string> of_twin = keys_below(twin, twin.path), of_other = keys_below(twin, twin.of);
    EXPECT_FALSE(of_twin.empty());
    if (twin.of == "scheduler.") {  // a baseline has its partitions, and a driver of its own
      of_twin.erase("driver");
      for (auto key = of_other.begin(); key != of_other.end();)
        key = starts_with(*key, "partitions") ? of_other.erase(key) : std::next(key);
    }
    EXPECT_EQ(of_twin, of_other) << twin.path;
  }
}

// A list of mappings that a reader learns of needs an entry in a sample, or its keys stay unknown here.
TEST(YamlReference, EveryListHasAnEntryInASample) {
  for (const FileKindName& kind : kFileKinds) {
    const std::vector<KnownKey> keys = known_keys(kind.kind);
    for (const KnownKey& list : keys) {
      const Shape& shape = list.form.shapes[0];
      const bool holds_mappings = shape.kind == Shape::Kind::kList && shape.entries[0].kind == Shape::Kind::kMapping;
      const bool is_of_steps = holds_mappings && shape.entries[0].has_one_key && list.path != "program";
      if (!holds_mappings || is_of_steps) continue;
      EXPECT_TRUE(std::any_of(keys.begin(), keys.end(),
                              [&list](const KnownKey& key) { return starts_with(key.path, list.path + "[]."); }))
          << kind.word << ": samples_of() gives " << list.path << " no entry";
    }
  }
}

TEST(SpecSchema, OfEachKindLiesBesideTheConfigurations) {
  for (const FileKindName& kind : kFileKinds) {
    const std::string name = "configs/schema/" + schema_file_name(kind.kind);
    EXPECT_TRUE(text_of_file(name) == schema_text(kind.kind)) << "run docs/generate.py: " << name;
  }
}

// YAML 1.1 takes `yes`, `off` and `y` for booleans: a word of a choice must be a word to every parser.
TEST(SpecSchema, NoWordOfAChoiceIsANumberOrABooleanOfYaml) {
  const std::regex other("y|n|yes|no|on|off|true|false|null|~|[-+.0-9].*", std::regex::icase);
  for (const FileKindName& kind : kFileKinds) {
    for (const KnownKey& key : known_keys(kind.kind)) {
      for (const Shape& shape : key.form.shapes) {
        if (shape.kind != Shape::Kind::kWord) continue;
        for (const std::string& word : shape.words)
          EXPECT_FALSE(std::regex_match(word, other)) << key.path << ' ' << word;
      }
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
  for (const FileKindName& kind : kFileKinds) {
    for (const KnownKey& key : known_keys(kind.kind)) {
      const EmptyKey sample = empty_key(key.path);
      Report report;
      Node root = parse_document(sample.text + "\n\n# a comment\nlast_key: 1\n", {"sample.yaml", 1, 1}, report);
      root.is_file_root = true;
      read_alone(kind.kind, root, report);
      const std::string path = std::regex_replace(key.path, std::regex("\\[\\]"), ".0");
      const auto& mistakes = report.diagnostics();
      const auto found = std::find_if(mistakes.begin(), mistakes.end(),
                                      [&path](const Diagnostic& mistake) { return mistake.key == path; });
      ASSERT_NE(found, mistakes.end()) << kind.word << ' ' << key.path << '\n' << sample.text;
      EXPECT_EQ(found->line, sample.line) << kind.word << ' ' << key.path << '\n' << to_string(*found);
      EXPECT_EQ(found->column, sample.column) << kind.word << ' ' << key.path << '\n' << to_string(*found);
      ++num_keys;
    }
  }
  EXPECT_GT(num_keys, 90);
}

}  // namespace
}  // namespace tessera::spec
