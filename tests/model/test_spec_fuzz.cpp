// SPDX-License-Identifier: Apache-2.0
// Whatever the files hold, the loader returns a Spec or throws InputError.
// Valid files are damaged line by line and character by character, by a generator with a fixed seed.
#include <gtest/gtest.h>

#include <random>
#include <sstream>
#include <string_view>

#include "model/spec/spec_json.h"
#include "tests/model/test_spec_support.h"

namespace tessera::spec {
namespace {

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

}  // namespace
}  // namespace tessera::spec
