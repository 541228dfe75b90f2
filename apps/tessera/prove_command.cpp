// SPDX-License-Identifier: Apache-2.0
// tessera prove: what is claimed of the Verilog core in every state that it can reach.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "apps/tessera/commands.h"
#include "apps/tessera/common_options.h"
#include "apps/tessera/exit_status.h"
#include "apps/tessera/watch.h"
#include "apps/tessera/words.h"
#include "model/base/program_files.h"
#include "testbench/formal/property.h"
#include "testbench/formal/prover.h"

namespace tessera::app {
namespace {

using testbench::ProofResult;
using testbench::PropertyResult;

struct ProveOptions {
  testbench::ProofRun run;
  bool is_quick = false;
  bool prints_json = false;
};

std::string method_of(const PropertyResult& result) { return result.is_bounded ? "bounded" : "induction"; }

unsigned depth_of(const PropertyResult& result) {
  unsigned depth = 0;
  for (const ProofResult& proof : result.proofs) depth = std::max(depth, proof.depth);
  return depth;
}

// What another prover said at the smallest size.
std::string second_of(const PropertyResult& result) {
  const std::optional<ProofResult::Second>& second = result.proofs.front().second;
  if (!second) return "-";
  return second->holds ? fmt::format("pdr {:.1f} s", second->seconds) : "NOT PROVED";
}

double seconds_of(const PropertyResult& result) {
  double seconds = 0;
  for (const ProofResult& proof : result.proofs) seconds += proof.seconds;
  return seconds;
}

// ---- JSON ----------------------------------------------------------------------------------------------------

nlohmann::ordered_json frame(const std::optional<unsigned>& number) {
  return number ? nlohmann::ordered_json(*number) : nlohmann::ordered_json();
}

nlohmann::ordered_json to_json(const PropertyResult& result) {
  nlohmann::ordered_json proofs = nlohmann::ordered_json::array();
  for (const ProofResult& proof : result.proofs) {
    nlohmann::ordered_json second;
    if (proof.second) second = {{"method", "pdr"}, {"holds", proof.second->holds}, {"seconds", proof.second->seconds}};
    proofs.push_back({{"parameters", proof.parameters},
                      {"holds", proof.holds},
                      {"depth", proof.depth},
                      {"seconds", proof.seconds},
                      {"second_prover", std::move(second)}});
  }
  nlohmann::ordered_json bug;
  if (result.was_bug_tried) bug = {{"file", result.property.bug.file}, {"fails_in_frame", frame(result.bug_frame)}};
  return {{"property", result.property.name}, {"proof", result.proof},       {"words", result.property.words},
          {"pass", result.is_as_claimed()},   {"method", method_of(result)}, {"depth", depth_of(result)},
          {"seconds", seconds_of(result)},    {"proofs", std::move(proofs)}, {"cover_frame", frame(result.cover_frame)},
          {"seeded_bug", std::move(bug)}};
}

// ---- text ----------------------------------------------------------------------------------------------------

std::string in_frame(const std::optional<unsigned>& number, const char* otherwise) {
  return number ? fmt::format("cycle {}", *number) : otherwise;
}

void print_text(const std::vector<PropertyResult>& results) {
  constexpr const char* kRow = "{:<38}{:<18}{:<8}{:<11}{:>5}{:>6}{:>10}{:>13}{:>12}{:>14}\n";
  fmt::print(kRow, "property", "of", "", "method", "depth", "sizes", "seconds", "second", "covered", "seeded bug");
  for (const PropertyResult& result : results) {
    fmt::print(kRow, result.property.name, result.proof, result.is_as_claimed() ? "pass" : "FAIL", method_of(result),
               depth_of(result), result.proofs.size(), fmt::format("{:.1f}", seconds_of(result)), second_of(result),
               in_frame(result.cover_frame, "NEVER"),
               result.was_bug_tried ? in_frame(result.bug_frame, "NOT FOUND") : "not tried");
  }
  fmt::print(
      "Properties of one module are proved together, so that they share the seconds. The seeded bug has to make\n"
      "the property fail.\n");
}

// Sorted; none where the Verilog is not found.
Words property_names() {
  std::set<std::string> names;
  const std::optional<std::filesystem::path> root = folder_with("rtl/formal/properties.json");
  if (!root) return {};
  for (const testbench::Proof& proof : testbench::listed_proofs(*root)) {
    for (const testbench::Property& property : proof.properties) names.insert(property.name);
  }
  return {names.begin(), names.end()};
}

int prove(ProveOptions& options) {
  Progress progress("proofs");
  options.run.on_result = [&progress](const std::string& line) {
    progress.clear();
    fmt::print(stderr, "{}\n", line);
  };
  watch(options.run, progress);
  if (options.is_quick) options.run.scope = testbench::ProofScope::kSmallest;
  const std::vector<PropertyResult> results = run_proofs(options.run);
  bool is_as_claimed = true;
  for (const PropertyResult& result : results) is_as_claimed = is_as_claimed && result.is_as_claimed();
  if (options.prints_json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const PropertyResult& result : results) list.push_back(to_json(result));
    fmt::print("{}\n", list.dump(2));
  } else {
    print_text(results);
  }
  return is_as_claimed ? kDone : kFailed;
}

}  // namespace

void add_prove_command(CLI::App& command, int& status) {
  auto options = std::make_shared<ProveOptions>();
  command.add_option("PROPERTY", options->run.names, "Only these; they are proved with those they lean on")
      ->check(OneOf(property_names));
  command.add_flag("--quick", options->is_quick, "The smallest sizes only, and no seeded bugs");
  add_jobs_option(command, options->run.num_workers, "Provers")->capture_default_str();
  command.add_option("--timeout", options->run.max_seconds, "Seconds for each call of a prover")
      ->check(CLI::Range(1U, 1'000'000U))
      ->capture_default_str();
  command.add_flag("--json", options->prints_json, "Print the result as JSON");
  command.callback([options, &status] {
    try {
      status = prove(*options);
    } catch (const testbench::Interrupted&) {
      fmt::print(stderr, "tessera: interrupted\n");
      status = kInterrupted;
    }
  });
}

}  // namespace tessera::app
