// SPDX-License-Identifier: Apache-2.0
// Whatever the files hold, the loader returns a Spec or throws InputError.
// Valid files are damaged line by line and character by character, by a generator with a fixed seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>
#include <string_view>
#include <tuple>

#include "model/spec/document.h"
#include "model/spec/file_kind.h"
#include "model/spec/spec_json.h"
#include "tests/model/spec/support.h"

namespace tessera::spec {
namespace {

namespace fs = std::filesystem;

using test::Files;
using namespace std::string_view_literals;

class Damager {
 public:
  explicit Damager(std::uint32_t seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return random_() % limit; }

  std::string damaged(std::string text) {
    const std::size_t num_changes = 1 + below(3);
    for (std::size_t i = 0; i < num_changes; ++i) text = below(2) == 0 ? damage_line(text) : damage_character(text);
    return text;
  }

 private:
  std::string damage_line(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    if (lines.empty()) return text;
    const auto victim = lines.begin() + static_cast<std::ptrdiff_t>(below(lines.size()));
    const std::string other = lines[below(lines.size())];
    switch (below(3)) {
      case 0:
        lines.erase(victim);
        break;
      case 1:
        lines.insert(victim, other);
        break;
      default:
        *victim = other;
    }
    std::string joined;
    for (const std::string& line : lines) joined += line + '\n';
    return joined;
  }

  std::string damage_character(std::string text) {
    constexpr std::string_view kAlphabet = "0159-.:,{}[]#&*!|>'\"%@`?<~ \t\n\0\x04\x80\xFF\\xeaginf"sv;
    if (text.empty()) return text;
    const std::size_t position = below(text.size());
    const char replacement = kAlphabet[below(kAlphabet.size())];
    switch (below(3)) {
      case 0:
        text.erase(position, 1);
        break;
      case 1:
        text.insert(position, 1, replacement);
        break;
      default:
        text[position] = replacement;
    }
    return text;
  }

  std::mt19937 random_;
};

// What the loader did: true where it took the input. Anything but InputError fails the test.
bool loads(const Files& files, const std::vector<std::string>& overrides) {
  try {
    const Spec spec = files.load(overrides);
    EXPECT_EQ(content_hash(spec).size(), 12U);  // a Spec that came through is whole
    return true;
  } catch (const InputError& error) {
    EXPECT_FALSE(error.diagnostics().empty());
    for (const Diagnostic& diagnostic : error.diagnostics()) {
      EXPECT_GE(diagnostic.line, 1);
      EXPECT_GE(diagnostic.column, 1);
      EXPECT_FALSE(diagnostic.problem.empty());
    }
  }
  return false;
}

TEST(SpecFuzz, DamagedFilesLoadOrAreRefused) {
  constexpr int kRounds = 2000;
  Files files;
  Damager damager(1);
  int num_loaded = 0;
  const std::vector<std::string> names = {"experiment.yaml", "parts/gpu.yaml", "parts/host.yaml", "parts/app.yaml"};
  for (int round = 0; round < kRounds; ++round) {
    const std::string& name = names[damager.below(names.size())];
    const std::string original = files.text(name);
    files.write(name, damager.damaged(original));
    SCOPED_TRACE(files.text(name));
    num_loaded += loads(files, {}) ? 1 : 0;
    validate_file(files.path(name));
    ASSERT_FALSE(testing::Test::HasFailure());
    files.write(name, original);
  }
  EXPECT_GT(num_loaded, 0);        // the damage is neither always fatal
  EXPECT_LT(num_loaded, kRounds);  // nor always harmless
}

TEST(SpecFuzz, DamagedOverridesLoadOrAreRefused) {
  constexpr int kRounds = 1000;
  const Files files;
  Damager damager(2);
  int num_loaded = 0;
  const std::vector<std::string> valid = {"gpu.num_sms=32",
                                          "gpu=parts/gpu.yaml",
                                          "stop={min_runs: 2}",
                                          "workload.processes.0.application.program.2.loop.count=4",
                                          "gpu.shared_memory_bytes=[16384, 32768]",
                                          "baseline.policy=npq"};
  for (int round = 0; round < kRounds; ++round) {
    const std::vector<std::string> overrides = {damager.damaged(valid[damager.below(valid.size())]),
                                                damager.damaged(valid[damager.below(valid.size())])};
    SCOPED_TRACE(overrides[0] + " | " + overrides[1]);
    num_loaded += loads(files, overrides) ? 1 : 0;
    ASSERT_FALSE(testing::Test::HasFailure());
  }
  EXPECT_GT(num_loaded, 0);
  EXPECT_LT(num_loaded, kRounds);
}

TEST(SpecFuzz, DeepNestingIsRefusedAndNotACrash) {
  for (const std::string& open : {std::string("["), std::string("{a: "), std::string("- ")}) {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += open;
    Files files;
    files.write("parts/gpu.yaml", text);
    EXPECT_FALSE(loads(files, {}));
  }
}

// ---- files that are cut ------------------------------------------------------------------------------------------

std::string read_text(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

Node parsed(const std::string& text) {
  Report report;
  return parse_document(text, {"text", 1, 1}, report);
}

// Does `part` hold nothing that `whole` does not: the same keys and entries up to its end, the last scalar cut?
bool is_beginning_of(const Node& part, const Node& whole, bool is_last) {
  if (part.kind == Node::Kind::kScalar && whole.kind == Node::Kind::kScalar) {
    return part.text == whole.text || (is_last && whole.text.rfind(part.text, 0) == 0);
  }
  if (part.kind != whole.kind || part.children.size() > whole.children.size()) return false;
  for (std::size_t i = 0; i < part.children.size(); ++i) {
    const bool ends_it = is_last && i + 1 == part.children.size();
    if (part.children[i].key != whole.children[i].key) return false;
    if (!is_beginning_of(part.children[i], whole.children[i], ends_it)) return false;
  }
  return is_last || part.children.size() == whole.children.size();
}

int line_count(const std::string& text) { return 1 + static_cast<int>(std::count(text.begin(), text.end(), '\n')); }

class CutFile : public testing::TestWithParam<fs::path> {};

// Cuts are so far apart that they add up to some 10 MB: one byte, but for what was imported, and for a large sweep, and
// for measurements: each of their cuts has all points, or the experiments of all rows, checked.
std::size_t cut_distance(std::size_t size, FileKind kind) {
  const bool is_large_sweep = kind == FileKind::kSweep && size > 4096;
  const std::size_t of_kind = kind == FileKind::kMeasurements ? 199 : is_large_sweep ? 7 : 1;
  return (1 + size * size / 20'000'000) * of_kind;
}

// A cut at any byte is refused at a place in what is left, or leaves a document of the same kind: one whose keys tell
// it, and that holds the beginning of the whole and nothing else.
TEST_P(CutFile, IsRefusedWithItsPlaceOrIsAWholeDocumentOfTheSameKind) {
  const std::string whole = read_text(GetParam());
  const Node tree = parsed(whole);
  const std::vector<FileKind> kind = likely_kinds(tree);
  ASSERT_EQ(kind.size(), 1U);
  int num_refused = 0;
  for (std::size_t length = 0; length < whole.size(); length += cut_distance(whole.size(), kind[0])) {
    const std::string part = whole.substr(0, length);
    const std::vector<Diagnostic> mistakes = validate_text(part, GetParam());
    num_refused += mistakes.empty() ? 0 : 1;
    for (const Diagnostic& mistake : mistakes) {
      if (mistake.file != GetParam().string()) continue;  // an experiment cut inside a path refers to another file
      ASSERT_TRUE(mistake.line >= 1 && mistake.line <= line_count(part) && mistake.column >= 1)
          << "cut at " << length << ": " << to_string(mistake);
    }
    if (!mistakes.empty()) continue;
    const Node cut = parsed(part);
    ASSERT_EQ(likely_kinds(cut), kind) << "cut at " << length;
    ASSERT_TRUE(is_beginning_of(cut, tree, true)) << "cut at " << length << ":\n" << part;
  }
  EXPECT_GT(num_refused, 0);
}

std::vector<fs::path> shipped_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(TESSERA_SOURCE_DIR) / "configs")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

INSTANTIATE_TEST_SUITE_P(Shipped, CutFile, testing::ValuesIn(shipped_files()),
                         [](const testing::TestParamInfo<fs::path>& test) {
                           const fs::path configs = fs::path(TESSERA_SOURCE_DIR) / "configs";
                           std::string name = test.param.lexically_relative(configs).replace_extension().string();
                           const auto is_odd = [](unsigned char c) { return std::isalnum(c) == 0; };
                           std::replace_if(name.begin(), name.end(), is_odd, '_');  // '-', and b+tree's '+'
                           return name;
                         });

// The same in the middle of a quoted text, which none of the shipped files has.
TEST(CutQuote, IsNeverTakenForAWholeText) {
  for (const std::string quote : {"'", "\""}) {
    const std::string head = "schema_version: 1\nlaunch_us: 3\nname: " + quote;
    const std::string text = "a long name";
    for (std::size_t length = 0; length <= text.size(); ++length) {
      const auto mistakes = validate_text(head + text.substr(0, length), "host.yaml");
      ASSERT_EQ(mistakes.size(), 1U);
      EXPECT_EQ(std::tie(mistakes[0].line, mistakes[0].column), std::make_tuple(3, 7));
    }
    EXPECT_TRUE(validate_text(head + text + quote, "host.yaml").empty());
  }
}

}  // namespace
}  // namespace tessera::spec
