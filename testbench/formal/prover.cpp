// SPDX-License-Identifier: Apache-2.0
#include "testbench/formal/prover.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <thread>

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
  ::setenv("TMPDIR", folder.c_str(), 1);  // a tool that is ended leaves things behind
  cosim::write_text(folder / kScript, script);
  cosim::run_tool({"yosys", "-q", "-l", kLog, "-s", kScript}, folder);  // on its output: complaints alone
  return cosim::read_text(folder / kLog);
}

// ---- interrupts -----------------------------------------------------------------------------------------------------

// A worker and the provers it calls are a process group: when the program is interrupted, however that reached it, the
// provers are ended, and the worker goes on to clean up.
class ProverGroup {
 public:
  explicit ProverGroup(const std::function<bool()>& is_interrupted) {
    ::setpgid(0, 0);
    std::signal(SIGTERM, [](int) {});  // the worker itself stays
    if (is_interrupted()) throw Interrupted("interrupted");
    watcher_ = std::thread([this, is_interrupted] {
      while (!is_over_) {
        if (is_interrupted()) ::kill(0, SIGTERM);  // again and again: another may have begun meanwhile
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      }
    });
  }
  ~ProverGroup() {
    is_over_ = true;
    watcher_.join();
  }
  ProverGroup(const ProverGroup&) = delete;
  ProverGroup& operator=(const ProverGroup&) = delete;

 private:
  std::atomic<bool> is_over_ = false;
  std::thread watcher_;
};

// ---- what is asked of a prover: results are JSON, since each comes from a process of its own ------------------------

json induction(const fs::path& root, const Proof& proof, const ParameterSet& parameters, unsigned max_seconds) {
  static const std::regex kStep(R"(\[induction step (\d+)\])");
  const ProofWorkplace place(root);
  const std::string output =
      run_yosys(place.folder(), induction_script(proof, parameters, place.verilog_of(proof), max_seconds));
  return {{"holds", output.find("Induction step proven: SUCCESS!") != std::string::npos},
          {"depth", number_in(output, kStep).value_or(0)}};
}

json second_opinion(const fs::path& root, const Proof& proof, const ParameterSet& parameters, unsigned max_seconds) {
  const ProofWorkplace place(root);
  run_yosys(place.folder(), second_script(proof, parameters, place.verilog_of(proof)));
  const std::string output = cosim::run_tool({"yosys-abc", "-c", second_command(max_seconds)}, place.folder());
  return {{"holds", output.find("Property proved.") != std::string::npos}};
}

// As counterexamples(), in the one course of events that the scenario is.
json seen_in_scenario(const ProofWorkplace& place, const Proof& proof, const std::vector<std::string>& assertions) {
  static const std::regex kCycle(R"(Simulating cycle (\d+))"), kFailed(R"(Assert \w+\.(\w+) .*failed)");
  std::istringstream log(run_yosys(place.folder(), scenario_script(proof, place.verilog_of(proof), assertions)));
  json found = json::object();
  for (const std::string& name : assertions) found[name] = {{"frame", json()}, {"searched", proof.frames}};
  unsigned cycle = 0;
  std::smatch match;
  for (std::string line; std::getline(log, line);) {
    if (std::regex_search(line, match, kCycle)) cycle = static_cast<unsigned>(std::stoul(match[1])) / 2;  // of edges
    if (std::regex_search(line, match, kFailed) && found[match[1]]["frame"].is_null()) found[match[1]]["frame"] = cycle;
  }
  return found;
}

// Assertion -> the frame in which it fails, or null; and how many frames were looked at.
json counterexamples(const ProofWorkplace& place, const Proof& proof, const std::vector<std::string>& assertions,
                     unsigned max_seconds) {
  if (!proof.scenario.empty()) return seen_in_scenario(place, proof, assertions);
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
  const json found = counterexamples(place, at, names_of(proof), max_seconds);
  for (const auto& [name, result] : found.items()) {
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

std::string in_words(const ParameterSet& parameters) {
  std::string words;
  for (const auto& [name, value] : parameters) words += fmt::format(" {}={}", name, value);
  return words;
}

std::string outcome(const Proof& proof, const ParameterSet& parameters, const json& answer, const char* by = "") {
  return fmt::format("{}{}: {}{} in {:.1f} s", proof.name, in_words(parameters),
                     answer["holds"].get<bool>() ? "proved" : "NOT PROVED", by, answer["seconds"].get<double>());
}

// ---- all of them ----------------------------------------------------------------------------------------------------

class Tasks {
 public:
  Tasks(fs::path root, const std::vector<Proof>& proofs, const ProofRun& options)
      : root_(std::move(root)), options_(options) {
    for (const Proof& proof : proofs) add(proof);
  }
  void run() {
    std::vector<std::function<json()>> tasks;
    for (const Task& task : tasks_) {
      tasks.emplace_back([this, &task] {
        const ProverGroup group(options_.is_interrupted);
        return task.run();
      });
    }
    answers_ = platform::run_in_workers(
        tasks, options_.num_workers, [this](std::size_t done) { options_.on_progress(done, tasks_.size()); },
        [this](std::size_t task, const json& answer) { options_.on_result(tasks_[task].in_words(answer)); },
        options_.is_interrupted);
    if (options_.is_interrupted()) throw Interrupted("interrupted");
  }
  // In the order in which they were added.
  const json& next() { return answers_.at(next_++); }
  std::size_t num_sets(const Proof& proof) const {
    return options_.scope == ProofScope::kSmallest ? 1 : proof.sets.size();
  }
  bool tries_bug(const Property& property) const { return options_.scope == ProofScope::kAll && property.has_bug(); }
  bool asks_second(const Proof& proof, std::size_t set) const {
    return proof.has_second_prover && set == 0 && options_.scope == ProofScope::kAll;
  }

 private:
  struct Task {
    std::function<json()> run;
    std::function<std::string(const json&)> in_words;
  };
  void add(const Proof& proof) {
    for (std::size_t i = 0; i < num_sets(proof); ++i) {
      const ParameterSet& parameters = proof.sets[i];
      tasks_.push_back({[this, &proof, &parameters] {
                          return timed([&] {
                            return (proof.is_bounded ? bounded : induction)(root_, proof, parameters,
                                                                            options_.max_seconds);
                          });
                        },
                        [&proof, &parameters](const json& answer) { return outcome(proof, parameters, answer); }});
      if (!asks_second(proof, i)) continue;
      tasks_.push_back(
          {[this, &proof, &parameters] {
             return timed([&] { return second_opinion(root_, proof, parameters, options_.max_seconds); });
           },
           [&proof, &parameters](const json& answer) { return outcome(proof, parameters, answer, " by pdr"); }});
    }
    tasks_.push_back({[this, &proof] {
                        return counterexamples(ProofWorkplace(root_), proof, names_of(proof, kCoverPrefix),
                                               options_.max_seconds);
                      },
                      [&proof](const json& answer) {
                        std::string missed;
                        for (const auto& [name, result] : answer.items()) {
                          if (result["frame"].is_null()) missed += " " + name;
                        }
                        return missed.empty() ? fmt::format("{}: all {} covers reached", proof.name, answer.size())
                                              : fmt::format("{}: NOT REACHED:{}", proof.name, missed);
                      }});
    for (const Property& property : proof.properties) {
      if (!tries_bug(property)) continue;
      tasks_.push_back({[this, &proof, &property] { return with_bug(root_, proof, property, options_.max_seconds); },
                        [&property](const json& answer) {
                          return answer["frame"].is_null()
                                     ? fmt::format("seeded bug of {}: NOT FOUND", property.name)
                                     : fmt::format("seeded bug of {}: found in cycle {}", property.name,
                                                   answer["frame"].get<unsigned>());
                        }});
    }
  }

  fs::path root_;
  const ProofRun& options_;
  std::vector<Task> tasks_;
  std::vector<json> answers_;
  std::size_t next_ = 0;
};

std::optional<unsigned> frame_of(const json& answer) {
  if (answer["frame"].is_null()) return {};
  return answer["frame"].get<unsigned>();
}

void collect(const Proof& proof, Tasks& tasks, std::vector<PropertyResult>& results) {
  std::vector<ProofResult> proofs;
  for (std::size_t i = 0; i < tasks.num_sets(proof); ++i) {
    const json& answer = tasks.next();
    proofs.push_back({proof.sets[i], answer["holds"], answer["depth"], answer["seconds"], {}});
    if (!tasks.asks_second(proof, i)) continue;
    const json& second = tasks.next();
    proofs.back().second = {second["holds"], second["seconds"]};
  }
  const json& covers = tasks.next();
  for (const Property& property : proof.properties) {
    const bool was_bug_tried = tasks.tries_bug(property);
    results.push_back({property, proof.name, proof.is_bounded, proofs, {}, was_bug_tried, {}});
    results.back().cover_frame = frame_of(covers[kCoverPrefix + property.name]);
    if (was_bug_tried) results.back().bug_frame = frame_of(tasks.next());
  }
}

}  // namespace

bool PropertyResult::holds() const {
  return std::all_of(proofs.begin(), proofs.end(),
                     [](const ProofResult& each) { return each.holds && (!each.second || each.second->holds); });
}

bool PropertyResult::is_as_claimed() const { return holds() && cover_frame && (!was_bug_tried || bug_frame); }

std::vector<PropertyResult> run_proofs(const ProofRun& options) {
  std::optional<std::filesystem::path> root = options.root;
  if (options.root.empty()) root = folder_with("rtl/formal/properties.json");
  if (!root) throw cosim::BuildError("the properties (formal/) were not found near the program");
  const std::vector<Proof> proofs = selected(listed_proofs(*root), options.names);
  Tasks tasks(*root, proofs, options);
  try {
    tasks.run();
  } catch (const std::runtime_error&) {
    if (options.is_interrupted()) throw Interrupted("interrupted");  // provers that were ended
    throw;
  }
  std::vector<PropertyResult> results;
  for (const Proof& proof : proofs) collect(proof, tasks, results);
  return results;
}

}  // namespace tessera::testbench
