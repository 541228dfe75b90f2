// SPDX-License-Identifier: Apache-2.0
// A process for each simulation: the transaction-level log comes back through a file of records.
#include "verification/agreement/agreement_run.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "model/record/memory_sink.h"
#include "model/spec/spec_json.h"
#include "platform/simulation.h"
#include "platform/worker_pool.h"
#include "verification/log_check/log_checker.h"

namespace tessera::verification {
namespace {

using record::Kind;
using record::Record;

// Keeps per-TB records of running decisions only: those may explain a difference.
class DecisionSink final : public record::ISink {
 public:
  bool wants_per_tb() const override { return true; }
  void consume(const Record& record) override {
    if (record.kind == Kind::kPolicyInvoked) is_deciding_ = true;
    // The log sorts a decision before the TBs that are issued in its last cycle.
    if (record.kind == Kind::kPolicyDecided) is_deciding_ = false;
    if (!record::is_per_tb(record.kind) || is_deciding_) records_.push_back(record);
  }
  const std::vector<Record>& records() const { return records_; }

 private:
  std::vector<Record> records_;
  bool is_deciding_ = false;
};

struct Run {
  record::RunResult result;
  LogFindings findings;
  std::vector<Record> records;
};

// `judged_by` is what the experiment says, also where what is simulated says something else.
Run simulate_on(const spec::Spec& spec, const spec::Spec& judged_by, platform::Abstraction abstraction, LogDepth depth,
                const std::function<bool()>& is_interrupted) {
  platform::MachineOptions options;
  options.abstraction = abstraction;
  const CoreKind core = abstraction == platform::Abstraction::kTlm ? CoreKind::kTransactionLevel : CoreKind::kClocked;
  DecisionAudit audit(judged_by, core);
  LatencyMeter meter(judged_by, core);
  DriverAudit driver(judged_by);
  record::MemorySink whole;
  DecisionSink decisions;
  record::ISink* const sink = depth == LogDepth::kWhole ? static_cast<record::ISink*>(&whole) : &decisions;
  Run run;
  run.result = platform::simulate(spec, {sink, &audit, &meter, &driver}, is_interrupted, options);
  run.findings = {audit.report(), meter.latencies(), audit.inner_ticks(),
                  judged_by.gpu.framework.channels == spec::Channels::kOne, driver.report()};
  run.records = depth == LogDepth::kWhole ? whole.records() : decisions.records();
  return run;
}

// A file that goes away with its owner.
class ScratchFile {
 public:
  ScratchFile() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tessera-XXXXXX").string();
    const int descriptor = mkstemp(pattern.data());
    if (descriptor < 0) throw std::runtime_error("cannot create a scratch file");
    close(descriptor);
    path_ = pattern;
  }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() { std::filesystem::remove(path_); }

  void write(const std::vector<Record>& records) const {
    std::ofstream out(path_, std::ios::binary);
    out.write(reinterpret_cast<const char*>(records.data()),
              static_cast<std::streamsize>(records.size() * sizeof(Record)));
    if (!out.flush()) throw std::runtime_error("cannot write a scratch file");
  }
  std::vector<Record> read() const {
    std::vector<Record> records(std::filesystem::file_size(path_) / sizeof(Record));
    std::ifstream in(path_, std::ios::binary);
    in.read(reinterpret_cast<char*>(records.data()), static_cast<std::streamsize>(records.size() * sizeof(Record)));
    return records;
  }

 private:
  std::filesystem::path path_;
};

void note_faults(const spec::Spec& spec, const Run& run, const char* name, LogDepth depth,
                 std::vector<std::string>& faults) {
  for (const auto& [invariant, verdict] : run.result.invariants) {
    if (verdict != "ok" && verdict != "not checked")
      faults.push_back(std::string(name) + ": " + invariant + ": " + verdict);
  }
  if (depth != LogDepth::kWhole) return;
  for (const std::string& violation : check_log(run.records, make_log_facts(spec)).violations) {
    faults.push_back(std::string(name) + ": " + violation);
  }
}

// Means of normalised turnarounds: the time alone is the same in both, and cancels out process by process.
double antt_ratio(const record::RunResult& tlm, const record::RunResult& clocked) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < tlm.processes.size(); ++i) {
    const record::ProcessResult& a = tlm.processes[i];
    const record::ProcessResult& b = clocked.processes[i];
    if (a.runs == 0 || b.runs == 0) continue;
    const double mean_tlm = static_cast<double>(a.turnaround_cycles) / static_cast<double>(a.runs);
    sum += static_cast<double>(b.turnaround_cycles) / static_cast<double>(b.runs) / mean_tlm;
    ++count;
  }
  return count == 0 ? 0 : sum / count;
}

AgreementResult compare(const spec::Spec& spec, const spec::Spec& clocked_spec, LogDepth depth,
                        const std::function<bool()>& is_interrupted) {
  const ScratchFile file;
  Run tlm;
  const nlohmann::json answer =
      platform::run_in_workers({[&]() -> nlohmann::json {
                                 const Run run =
                                     simulate_on(spec, spec, platform::Abstraction::kTlm, depth, is_interrupted);
                                 file.write(run.records);
                                 return {{"result", run.result}, {"findings", run.findings}};
                               }},
                               1)
          .front();
  answer.at("result").get_to(tlm.result);
  answer.at("findings").get_to(tlm.findings);
  tlm.records = file.read();
  const Run clocked = simulate_on(clocked_spec, spec, platform::Abstraction::kRtlModel, depth, is_interrupted);
  AgreementResult result;
  result.name = spec.name;
  result.spec = spec::to_json(spec);
  result.agreement = compare_logs(tlm.records, clocked.records, tlm.findings, clocked.findings);
  result.antt_ratio = antt_ratio(tlm.result, clocked.result);
  note_faults(spec, tlm, "tlm", depth, result.faults);
  note_faults(spec, clocked, "rtl_model", depth, result.faults);
  return result;
}

}  // namespace

std::vector<AgreementResult> compare_abstractions(const std::vector<spec::Spec>& specs, LogDepth depth,
                                                  unsigned num_workers, const std::function<bool()>& is_interrupted,
                                                  const std::function<void(std::size_t)>& on_done,
                                                  const std::function<void(spec::Spec&)>& clocked_as) {
  std::vector<std::function<nlohmann::json()>> tasks;
  for (const spec::Spec& spec : specs) {
    tasks.emplace_back([&spec, depth, &is_interrupted, &clocked_as] {
      spec::Spec clocked = spec;
      if (clocked_as) clocked_as(clocked);
      return compare(spec, clocked, depth, is_interrupted);
    });
  }
  const std::vector<nlohmann::json> answers = platform::run_in_workers(tasks, num_workers, on_done, {}, is_interrupted);
  std::vector<AgreementResult> results;
  if (is_interrupted()) return results;
  for (const nlohmann::json& answer : answers) results.push_back(answer.get<AgreementResult>());
  return results;
}

}  // namespace tessera::verification
