// SPDX-License-Identifier: Apache-2.0
// A shell for each command; their output is short.
#include "sweep/cluster.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace tessera::sweep {
namespace {

struct Answer {
  int status = 0;
  std::string text;  // both streams
};

Answer ask(const std::string& command) {
  std::FILE* const pipe = ::popen((command + " 2>&1 </dev/null").c_str(), "re");
  if (pipe == nullptr) throw std::system_error(errno, std::generic_category(), "popen");
  Answer answer;
  for (int letter = std::fgetc(pipe); letter != EOF; letter = std::fgetc(pipe))
    answer.text += static_cast<char>(letter);
  answer.status = ::pclose(pipe);
  return answer;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// States that a task does not leave, as `squeue` has them; it shows some for minutes.
bool is_over(const std::string& state) {
  static const std::set<std::string> over{"BOOT_FAIL", "CANCELLED",     "COMPLETED", "DEADLINE", "FAILED",
                                          "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "REVOKED",  "TIMEOUT"};
  return over.count(state) > 0;
}

// The last line, behind what sbatch warns of; behind a semicolon it has the name of a cluster among several.
std::string id_in(const std::string& text) {
  std::istringstream lines(text);
  std::string id;
  for (std::string line; std::getline(lines, line);) {
    const std::string head = line.substr(0, line.find(';'));
    if (is_number(head)) id = head;
  }
  return id;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

Cluster::Cluster() {
  constexpr int kNoSuchCommand = 127;
  const Answer answer = ask("sinfo -h -o %P");
  if (WIFEXITED(answer.status) && WEXITSTATUS(answer.status) == kNoSuchCommand) {
    throw std::runtime_error("there is no Slurm here (sinfo was not found; Debian's package is slurm-client)");
  }
  if (answer.status != 0) throw std::runtime_error("Slurm does not respond: " + first_line(answer.text));
}

std::size_t Cluster::max_tasks() const {
  constexpr std::size_t kPreset = 1000;  // in Slurm; more would only make squeue's answers longer
  std::istringstream lines(ask("scontrol show config").text);
  for (std::string key, equals; lines >> key;) {
    std::size_t size = 0;
    if (key == "MaxArraySize" && lines >> equals >> size) return std::clamp<std::size_t>(size, 1, kPreset);
  }
  return kPreset;
}

std::optional<std::string> Cluster::submit(const std::string& script, std::string& trouble) const {
  const Answer answer = ask("sbatch --parsable " + shell_word(script));
  const std::string id = id_in(answer.text);
  if (answer.status == 0 && !id.empty()) return id;
  trouble = "sbatch refused the job: " + first_line(answer.text);
  return std::nullopt;
}

std::optional<std::map<std::string, std::set<std::size_t>>> Cluster::live_tasks(const std::vector<std::string>& jobs,
                                                                                std::string& trouble) const {
  std::map<std::string, std::set<std::size_t>> tasks;
  // One by one: squeue answers nothing about all where it has forgotten one.
  for (const std::string& job : jobs) {
    tasks[job];
    const Answer answer = ask("squeue -h -r -o '%F %K %T' -j " + shell_word(job));
    if (answer.text.find("Invalid job id") != std::string::npos) continue;
    if (answer.status != 0) {
      trouble = "the cluster does not answer: " + first_line(answer.text);
      return std::nullopt;
    }
    std::istringstream lines(answer.text);
    std::string id, state;
    for (std::string task; lines >> id >> task >> state;) {
      if (!is_over(state) && is_number(task)) tasks[job].insert(std::stoul(task));
    }
  }
  return tasks;
}

std::string Cluster::end_of(const std::string& job, std::size_t task) const {
  const Answer answer = ask(fmt::format("sacct -n -X -P -o State -j {}_{}", shell_word(job), task));
  return answer.status == 0 ? first_line(answer.text) : "";
}

}  // namespace tessera::sweep
