// SPDX-License-Identifier: Apache-2.0
// Slurm, through its own commands: job arrays, and what has become of their tasks.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace tessera::sweep {

// Quoted for a shell.
std::string shell_word(const std::string& text);

class Cluster {
 public:
  // Throws std::runtime_error without Slurm's commands, or where Slurm does not respond.
  Cluster();

  // Of an array: what the cluster lets one have.
  std::size_t max_tasks() const;

  // The id of the job. Nothing, and what sbatch says in `trouble`, where it refuses.
  std::optional<std::string> submit(const std::string& script, std::string& trouble) const;

  // Of each of the jobs, its tasks that wait or run; a job that nobody knows any more has none. Nothing, and why in
  // `trouble`, where the cluster does not answer: it may do so again.
  std::optional<std::map<std::string, std::set<std::size_t>>> live_tasks(const std::vector<std::string>& jobs,
                                                                         std::string& trouble) const;

  // What accounting says a task came to; empty where there is none.
  std::string end_of(const std::string& job, std::size_t task) const;
};

}  // namespace tessera::sweep
