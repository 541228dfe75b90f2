// SPDX-License-Identifier: Apache-2.0
#include "testbench/formal/prover.h"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>

#include "cosim/core_builder.h"
#include "cosim/text_file.h"
#include "cosim/tool.h"
#include "model/base/program_files.h"
#include "platform/worker_pool.h"
#include "testbench/formal/scripts.h"
#include "testbench/formal/workplace.h"

namespace tessera::testbench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kList = "rtl/formal/properties.json";
constexpr const char* kScript = "script.ys";
constexpr const char* kLog = "log.txt";

std::optional<unsigned> number_in(const std::string& text, const std::regex& pattern) {
  std::optional<unsigned> last;
  for (std::sregex_iterator match(text.begin(), text.end(), pattern), end; match != end; ++match) {
    last = static_cast<unsigned>(std::stoul((*match)[1]));
  }
  return last;
}

std::string run_yosys(const fs::path& folder, const std::string& script) {
  cosim::write_text(folder / kScript, script);
  cosim::run_tool({"yosys", "-q", "-l", kLog, "-s", kScript}, folder);  // on its output: complaints alone
  return cosim::read_text(folder / kLog);
}

// ---- what is asked of a prover: results are JSON, since each comes from a process of its own ------------------------

json induction(const fs::path& root, const Proof& proof, const ParameterSet& parameters, unsigned max_seconds) {
  static const std::regex kStep(R"(\[induction step (\d+)\])");
  const ProofWorkplace place(root);
  const std::string output =
      run_yosys(place.folder(), induction_script(proof, parameters, place.verilog_of(proof), max_seconds));
  return {{"holds", output.find("Induction step proven: SUCCESS!") != std::string::npos},
          {"depth", number_in(output, kStep).value_or(0)}};
}

// Assertion -> the frame in which it fails, or null; and how many frames were looked at.
json counterexamples(const ProofWorkplace& place, const Proof& proof, const std::vector<std::string>& assertions,
                     unsigned max_seconds) {
  static const std::regex kAsserted(R"(was asserted in frame (\d+))"), kNone(R"(No output asserted in (\d+) frames)");
  run_yosys(place.folder(), aiger_script(proof, proof.sets.front(), place.verilog_of(proof), assertions));
  json found = json::object();
  for (const std::string& name : assertions) {
    const std::string output =
        cosim::run_tool({"yosys-abc", "-c", search_command(name, proof.frames, max_seconds)}, place.folder());
    const std::optional<unsigned> frame = number_in(output, kAsserted);
    found[name] = {{"frame", frame ? json(*frame) : json()}, {"searched", number_in(output, kNone).value_or(0)}};
  }
  return found;
}

std::vector<std::string> names_of(const Proof& proof, const std::string& prefix = "") {
  std::vector<std::string> names;
  for (const Property& property : proof.properties) names.push_back(prefix + property.name);
  return names;
}

// Without a counterexample in any of the frames, all of which were looked at.
json bounded(const fs::path& root, const Proof& proof, const ParameterSet& parameters, unsigned max_seconds) {
  const ProofWorkplace place(root);
  Proof at = proof;
  at.sets = {parameters};
  bool holds = true;
  for (const auto& [name, result] : counterexamples(place, at, names_of(proof), max_seconds).items()) {
    holds = holds && result["frame"].is_null() && result["searched"] >= proof.frames;
  }
  return {{"holds", holds}, {"depth", proof.frames}};
}

json timed(const std::function<json()>& ask) {
  const auto start = std::chrono::steady_clock::now();
  json result = ask();
  result["seconds"] = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

json with_bug(const fs::path& root, const Proof& proof, const Property& property, unsigned max_seconds) {
  try {
    const ProofWorkplace place(root);
    place.plant(property.bug);
    return counterexamples(place, proof, {property.name}, max_seconds)[property.name];
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("the seeded bug of {}: {}", property.name, error.what()));
  }
}

// ---- all of them ----------------------------------------------------------------------------------------------------

class Tasks {
 public:
  Tasks(fs::path root, const std::vector<Proof>& proofs, const ProofRun& options)
      : root_(std::move(root)), options_(options) {
    for (const Proof& proof : proofs) add(proof);
  }
  void run() {
    answers_ = platform::run_in_workers(tasks_, options_.num_workers,
                                        [this](std::size_t done) { options_.on_progress(done, tasks_.size()); });
  }
  // In the order in which they were added.
  const json& next() { return answers_.at(next_++); }
  std::size_t num_sets(const Proof& proof) const { return options_.is_quick ? 1 : proof.sets.size(); }

 private:
  void add(const Proof& proof) {
    for (std::size_t i = 0; i < num_sets(proof); ++i) {
      tasks_.emplace_back([this, &proof, &parameters = proof.sets[i]] {
        return timed(
            [&] { return (proof.is_bounded ? bounded : induction)(root_, proof, parameters, options_.max_seconds); });
      });
    }
    tasks_.emplace_back([this, &proof] {
      return counterexamples(ProofWorkplace(root_), proof, names_of(proof, kCoverPrefix), options_.max_seconds);
    });
    for (const Property& property : proof.properties) {
      if (options_.is_quick) break;
      tasks_.emplace_back([this, &proof, &property] { return with_bug(root_, proof, property, options_.max_seconds); });
    }
  }

  fs::path root_;
  const ProofRun& options_;
  std::vector<std::function<json()>> tasks_;
  std::vector<json> answers_;
  std::size_t next_ = 0;
};

std::optional<unsigned> frame_of(const json& answer) {
  if (answer["frame"].is_null()) return {};
  return answer["frame"].get<unsigned>();
}

void collect(const Proof& proof, Tasks& tasks, bool is_quick, std::vector<PropertyResult>& results) {
  std::vector<ProofResult> proofs;
  for (std::size_t i = 0; i < tasks.num_sets(proof); ++i) {
    const json& answer = tasks.next();
    proofs.push_back({proof.sets[i], answer["holds"], answer["depth"], answer["seconds"]});
  }
  const json& covers = tasks.next();
  for (const Property& property : proof.properties) {
    results.push_back({property, proof.name, proof.is_bounded, proofs, {}, !is_quick, {}});
    results.back().cover_frame = frame_of(covers[kCoverPrefix + property.name]);
    if (!is_quick) results.back().bug_frame = frame_of(tasks.next());
  }
}

}  // namespace

bool PropertyResult::is_as_claimed() const {
  for (const ProofResult& each : proofs) {
    if (!each.holds) return false;
  }
  return cover_frame && (!was_bug_tried || bug_frame);
}

std::vector<PropertyResult> run_proofs(const ProofRun& options) {
  const auto root = folder_with(kList);
  if (!root) throw cosim::BuildError("the properties (rtl/formal/) were not found near the program");
  const std::vector<Proof> proofs = selected(listed_proofs(*root), options.names);
  Tasks tasks(*root, proofs, options);
  tasks.run();
  std::vector<PropertyResult> results;
  for (const Proof& proof : proofs) collect(proof, tasks, options.is_quick, results);
  return results;
}

}  // namespace tessera::testbench
