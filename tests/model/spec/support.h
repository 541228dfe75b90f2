// SPDX-License-Identifier: Apache-2.0
// A small valid experiment in four files, to be damaged by the tests of the loader.
// Each Files object has a folder of its own and removes it.
#pragma once

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "model/spec/diagnostics.h"
#include "model/spec/loader.h"
#include "model/spec/spec.h"
#include "tests/model/spec/wrong_files.h"

namespace tessera::spec {
inline void PrintTo(const Diagnostic& diagnostic, std::ostream* out) { *out << to_string(diagnostic); }
}  // namespace tessera::spec

namespace tessera::spec::test {

inline const char* const kExperiment = R"(# status: supported
schema_version: 1
name: small_test
seed: 7
gpu: parts/gpu.yaml
host: parts/host.yaml
scheduler: {policy: dss, technique: drain, token_scope: process, search_width: 2}
baseline: {policy: fcfs}
dma: {policy: npq}
memory_channel: {sharing: fair}
workload:
  time_base: kernel_time
  processes:
    - {name: front, application: parts/app.yaml, priority: 3, tokens: 2, background: false, start_us: 1.5}
    - {name: back, application: parts/app.yaml, background: true}
stop: {min_runs: 2, max_time_us: 5000}
checks: {enable_invariants: false, enable_context_check: true}
)";

inline const char* const kGpu = R"(schema_version: 1
name: tiny
clock_mhz: 706.5
num_sms: 4
max_tbs_per_sm: 16
max_threads_per_sm: 2048
registers_per_sm: 65536
shared_memory_bytes: [16384, 49152]
memory_bandwidth_gbps: 208.25
pcie: {clock_mhz: 500, num_lanes: 32}
framework:
  sm_setup_cycles: 9
)";

inline const char* const kHost = R"(schema_version: 1
name: desk
launch_us: 1.25
)";

inline const char* const kApplication = R"(schema_version: 1
name: app
kernels:
  - {name: first, num_tbs: 100, regs_per_tb: 4096, smem_bytes_per_tb: 0, threads_per_tb: 128, kernel_time_us: 2905.81}
  - name: second
    num_tbs: 7
    regs_per_tb: 100
    smem_bytes_per_tb: 20000
    threads_per_tb: 64
    tb_time_us: 2.42
    tb_time_spread: 0.1
  - {name: server, num_tbs: 8, regs_per_tb: 32, smem_bytes_per_tb: 0, threads_per_tb: 1, persistent: true}
program:
  - cpu: {time_us: 100}
  - copy: {direction: to_gpu, bytes: 4096, stream: 1, mode: async}
  - loop:
      count: 50
      body:
        - launch: {kernel: first, stream: 2}
        - synchronise: {stream: 2}
  - launch: {kernel: second}
  - synchronise: {}
  - copy: {direction: to_host, bytes: 10}
)";

inline auto mistake(const std::string& key, const std::string& problem) {
  return testing::AllOf(testing::Field("key", &Diagnostic::key, key),
                        testing::Field("problem", &Diagnostic::problem, testing::HasSubstr(problem)));
}

class Files {
 public:
  Files() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tessera_spec_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = pattern;
    std::filesystem::create_directory(folder_ / "parts");
    write("experiment.yaml", kExperiment);
    write("parts/gpu.yaml", kGpu);
    write("parts/host.yaml", kHost);
    write("parts/app.yaml", kApplication);
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;
  ~Files() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  const std::string& text(const std::string& name) const { return texts_.at(name); }

  void write(const std::string& name, std::string text) {
    std::ofstream(path(name), std::ios::binary) << text;
    texts_[name] = std::move(text);
  }

  // Replaces the first `from`, which must be there: a test that damages nothing would prove nothing.
  void replace(const std::string& name, const std::string& from, const std::string& to) {
    std::string changed = texts_.at(name);
    const std::size_t position = changed.find(from);
    if (position == std::string::npos) throw std::invalid_argument(name + " has no '" + from + "'");
    write(name, changed.replace(position, from.size(), to));
  }

  Spec load(const std::vector<std::string>& overrides = {}) const {
    return load_experiment(path("experiment.yaml"), overrides);
  }

  // What is wrong with the experiment: nothing where it loads.
  std::vector<Diagnostic> mistakes(const std::vector<std::string>& overrides = {}) const {
    try {
      load(overrides);
    } catch (const InputError& error) {
      if (overrides.empty()) keep_wrong_files(error.diagnostics());
      return error.diagnostics();
    }
    return {};
  }

  // Line and column of the first `token` in a file.
  std::pair<int, int> position_of(const std::string& name, const std::string& token) const {
    const std::string& all = texts_.at(name);
    const std::size_t found = all.find(token);
    if (found == std::string::npos) throw std::invalid_argument(name + " has no '" + token + "'");
    int line = 1;
    std::size_t line_start = 0;
    for (std::size_t i = 0; i < found; ++i) {
      if (all[i] != '\n') continue;
      ++line;
      line_start = i + 1;
    }
    return {line, static_cast<int>(found - line_start) + 1};
  }

 private:
  std::filesystem::path folder_;
  std::map<std::string, std::string> texts_;
};

}  // namespace tessera::spec::test
