// SPDX-License-Identifier: Apache-2.0
// Reads, groups, writes, simulates what it wrote, and mends what company changed.
#include "importer/import.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

#include "importer/application_yaml.h"
#include "importer/experiment_yaml.h"
#include "importer/findings.h"
#include "importer/machines.h"
#include "importer/recorded_pace.h"
#include "importer/span_reasons.h"
#include "model/spec/file_limit.h"
#include "model/spec/loader.h"
#include "model/spec/schema/schema_file.h"
#include "model/workload/kernel_model.h"

namespace tessera::importer {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxFits = 4;
constexpr double kTimeLimitFactor = 20;  // of the recorded span: a simulation that takes longer goes wrong

// With the line by which an editor finds the schema beside it.
void write(const fs::path& path, spec::FileKind kind, const std::string& text) {
  std::ofstream out(path, std::ios::binary);
  out << spec::modeline(kind) << text;
  out.close();
  if (!out) throw std::runtime_error(path.filename().string() + ": cannot be written");
}

class OneImport {
 public:
  // `path`: as messages call the profile.
  OneImport(std::string path, const Profile& profile, const Workload& workload, const Machine& machine,
            Nanoseconds call, const Counters* counters, const ImportOptions& options, const fs::path& folder,
            std::string name)
      : path_(std::move(path)),
        profile_(profile),
        workload_(workload),
        gpu_(machine.gpu),
        gpu_file_(machine.file),
        call_(call),
        counters_(counters),
        options_(options),
        folder_(folder) {
    application_.name = std::move(name);
    application_.file = application_.name + ".yaml";
    application_.alone = application_.name + "_alone.yaml";
  }

  ImportedApplication run(const std::function<void(const std::string&)>& on_step) {
    GroupOptions grouping;
    grouping.collectives = options_.collectives;
    grouping.tb_time_us = options_.tb_time_us;
    grouping.smem_reserve_bytes = gpu_.gpu.shared_memory_reserve_bytes;
    grouping.num_sms = gpu_.gpu.num_sms;
    const std::uint64_t issue_hz = gpu_.gpu.framework.tb_issue_hz;
    grouping.tbs_per_us = static_cast<double>(issue_hz > 0 ? issue_hz : gpu_.gpu.clock_hz) / 1e6;  // else one a cycle
    groups_ = group_kernels(profile_, workload_, grouping);
    add_dram_bytes(profile_, workload_, counters_, groups_);
    check_fit();
    program_ = host_program(profile_, workload_, groups_,
                            {call_, static_cast<double>(gpu_.gpu.pcie.bytes_per_second()) / 1e6});
    write_experiment();
    write_application();
    spec::Spec spec = load();
    if (options_.is_exact && profile_.has_times) {
      set_exact_factors(spec, groups_, program_);
      write_application();
      spec = load();
    }
    if (options_.is_checked && profile_.has_times) check(spec, on_step);
    if (options_.cpu_factor != 1) scale_cpu();
    describe();
    return std::move(application_);
  }

 private:
  spec::Spec load() const { return spec::load_experiment(folder_ / application_.alone); }

  void check_fit() const {
    std::vector<const KernelGroup*> misfits;
    for (const KernelGroup& group : groups_.groups) {
      if (workload::occupancy(gpu_.gpu, group.kernel).tbs_per_sm == 0) misfits.push_back(&group);
    }
    if (misfits.empty()) return;
    const spec::KernelSpec& first = misfits.front()->kernel;
    throw spec::InputError(
        {{path_, 1, 1, "", fmt::format("{} of its kernels fit no SM of GPU '{}'", misfits.size(), gpu_.gpu.name),
          fmt::format("{}: {} registers, {} bytes of shared memory, {} threads", first.name, first.regs_per_tb,
                      first.smem_bytes_per_tb, first.threads_per_tb),
          "--gpu says another"}});
  }

  void write_experiment() const {
    const double span_us = static_cast<double>(workload_.end - workload_.begin) / 1e3;
    write(folder_ / application_.alone, spec::FileKind::kExperiment,
          experiment_yaml(application_.name + "_alone", gpu_file_, gpu_.gpu,
                          {{application_.name, application_.file, 0, workload_.has_priorities()}},
                          profile_.has_times ? span_us * kTimeLimitFactor : 6e7, counters_ != nullptr));
  }

  ApplicationText text_of(const KernelGroups& groups, const HostProgram& program, bool is_exact) const {
    ApplicationStyle style;
    style.name = application_.name;
    style.is_exact = is_exact;
    style.min_cpu = is_exact ? 0 : min_cpu();
    style.remark = fmt::format(
        "# Imported from a profile ({}): {} GPU operations{}{}. Kernels of the same name and shape are one,\n"
        "# with their mean time; docs/guide/importing.md says what is taken over and what is assumed.\n",
        profile_.format, workload_.operations.size(), is_exact ? ", each as recorded" : "",
        options_.cpu_factor == 1 ? "" : fmt::format(", CPU phases times {}", options_.cpu_factor));
    return application_yaml(groups, program, style);
  }

  void write_application() {
    const ApplicationText text = text_of(groups_, program_, options_.is_exact);
    if (text.text.size() > spec::kMaxFileBytes) {
      throw spec::InputError({{path_, 1, 1, "", "becomes an application longer than a file may be",
                               fmt::format("{} MB", text.text.size() / 1'000'000),
                               options_.is_exact ? "leave out --exact" : "a shorter profile, or a larger --min-cpu"}});
    }
    write(folder_ / application_.file, spec::FileKind::kApplication, text.text);
    application_.num_lines = text.num_lines;
    application_.num_loops = text.num_loops;
    num_waits_altered_ = text.num_waits_altered;
  }

  // Where the host waits every few microseconds, phases have to be shorter than usual: a fiftieth of that.
  Nanoseconds min_cpu() const {
    constexpr Nanoseconds kPhasesPerWait = 50;
    const auto num_waits = std::count_if(program_.steps.begin(), program_.steps.end(), waits);
    const Nanoseconds between_waits = (workload_.end - workload_.begin) / (num_waits + 1);
    return std::min(static_cast<Nanoseconds>(std::llround(options_.min_cpu_us * 1e3)), between_waits / kPhasesPerWait);
  }

  void check(spec::Spec& spec, const std::function<void(const std::string&)>& on_step) {
    const KernelGroups recorded = groups_;
    on_step(fmt::format("simulating {} alone", application_.name));
    SimulatedRun run = simulate_alone(spec, options_.is_interrupted);
    for (int i = 0; i < kMaxFits && !options_.is_interrupted(); ++i) {
      if (!fit_to_company(recorded, run, options_.is_exact, groups_, program_)) break;
      write_application();
      spec = load();
      run = simulate_alone(spec, options_.is_interrupted);
    }
    if (options_.is_interrupted()) return;
    if (!run.is_complete)
      throw std::runtime_error("the imported application does not come to its end when simulated alone");
    application_.fidelity = compare(profile_, workload_, recorded, program_, run, options_.is_exact);
    if (std::abs(application_.fidelity->span_error()) > kNoticeableSpanError) find_reasons(spec, recorded, on_step);
  }

  void find_reasons(const spec::Spec& spec, const KernelGroups& recorded,
                    const std::function<void(const std::string&)>& on_step) {
    const std::vector<Variant> variants =
        variants_without_a_cause(spec, {recorded, groups_, program_, options_.is_exact});
    application_.fidelity->reasons =
        span_reasons(variants, application_.fidelity->simulated_span_us, [&](const Variant& variant) {
          if (!options_.is_interrupted()) on_step("simulating without " + variant.name);
          return span_us_of(variant);
        });
    write_application();
  }

  // None: it does not come to its end, or is too long for a file.
  std::optional<double> span_us_of(const Variant& variant) const {
    const ApplicationText text = text_of(variant.groups, variant.program, variant.is_unrolled);
    if (options_.is_interrupted() || text.text.size() > spec::kMaxFileBytes) return std::nullopt;
    write(folder_ / application_.file, spec::FileKind::kApplication, text.text);
    spec::Spec spec = load();
    variant.alter(spec);
    const SimulatedRun run = simulate_alone(spec, options_.is_interrupted);
    return run.is_complete ? std::optional(run.span_ns / 1e3) : std::nullopt;
  }

  void scale_cpu() {
    for (Step& step : program_.steps) {
      step.cpu_before =
          static_cast<Nanoseconds>(std::llround(static_cast<double>(step.cpu_before) * options_.cpu_factor));
    }
    write_application();
    program_.notes.push_back(fmt::format("CPU phases are {} times those recorded", options_.cpu_factor));
  }

  void describe() {
    application_.num_operations = workload_.operations.size();
    application_.num_kernels = groups_.groups.size();
    for (const std::vector<std::string>& notes : {workload_.notes, groups_.notes, program_.notes}) {
      application_.assumptions.insert(application_.assumptions.end(), notes.begin(), notes.end());
    }
    if (num_waits_altered_ > 0) {
      application_.assumptions.push_back(
          fmt::format("{} synchronising calls that not every round of a loop makes: most of its rounds decide",
                      num_waits_altered_));
    }
    compare_occupancy(gpu_.gpu, groups_, application_);
    list_gaps(profile_, workload_, application_);
  }

  std::string path_;
  const Profile& profile_;
  const Workload& workload_;
  const GpuChoice& gpu_;
  const std::string& gpu_file_;
  Nanoseconds call_;          // of the host that all applications share
  const Counters* counters_;  // null: nobody counted
  const ImportOptions& options_;
  fs::path folder_;
  KernelGroups groups_;
  HostProgram program_;
  std::size_t num_waits_altered_ = 0;
  ImportedApplication application_;
};

[[noreturn]] void fail(const fs::path& profile, const std::string& problem, const std::string& allowed = "") {
  throw spec::InputError({{profile.string(), 1, 1, "", problem, "", allowed}});
}

std::string application_name(const std::string& name, std::size_t number, std::size_t count) {
  return count == 1 ? name : fmt::format("{}_{}", name, number + 1);
}

// Several applications beside each other, or one twice: the first is the urgent one.
std::string shared_experiment(const ImportOptions& options, const Machine& machine,
                              const std::vector<ImportedApplication>& applications, double longest_us) {
  std::vector<ExperimentProcess> processes;
  for (const ImportedApplication& application : applications) {
    processes.push_back({application.name, application.file, processes.empty() ? 1U : 0U, false});
  }
  if (processes.size() == 1) {
    processes = {{"urgent", applications.front().file, 1, false}, {"batch", applications.front().file, 0, false}};
  }
  processes.resize(std::min<std::size_t>(processes.size(), machine.gpu.gpu.num_hardware_queues));
  return experiment_yaml(options.name + "_shared", machine.file, machine.gpu.gpu, processes,
                         longest_us * kTimeLimitFactor * 10, !options.counters.empty());
}

}  // namespace

ImportResult import_profiles(const std::vector<fs::path>& profiles, const ImportOptions& options,
                             const fs::path& folder, const std::function<void(const std::string&)>& on_step) {
  // 1. All profiles, and what is wrong with them.
  std::vector<Profile> read;
  std::vector<std::pair<std::size_t, Workload>> workloads;
  ImportResult result;
  for (const fs::path& path : profiles) {
    on_step("reading " + path.filename().string());
    read.push_back(read_profile(path, options.read));
    if (!read.back().has_times && !options.tb_time_us) {
      fail(path, "has no times", "--times TABLE, or --tb-time US for every thread block");
    }
    std::vector<Workload> found = workloads_of(read.back(), options.collectives);
    if (found.empty()) fail(path, "has no kernel");
    for (Workload& workload : found) workloads.emplace_back(read.size() - 1, std::move(workload));
    for (const std::string& note : read.back().notes) result.assumptions.push_back(note);
  }
  std::optional<Counters> counters;
  if (!options.counters.empty()) {
    on_step("reading " + options.counters.filename().string());
    counters = read_ncu_csv(options.counters);
  }
  // 2. The machines.
  const Machines machines = machines_of(read, workloads, options);
  std::vector<std::string> names;
  for (const Machine& machine : machines.kinds) {
    names.push_back(machine.gpu.gpu.name);
    result.assumptions.insert(result.assumptions.end(), machine.gpu.notes.begin(), machine.gpu.notes.end());
    if (counters && !machine.gpu.gpu.memory_latency) {
      fail(options.counters,
           fmt::format("GPU '{}' has no memory_latency, by which bytes would take time", names.back()),
           "another --gpu, or no --counters");
    }
    write(folder / machine.file, spec::FileKind::kGpu, gpu_yaml(machine.gpu.gpu));
  }
  const spec::GpuSpec& gpu = machines.kinds.front().gpu.gpu;
  result.gpu = fmt::format("{}", fmt::join(names, ", "));
  result.format = read.front().format;
  Nanoseconds call = kUsualCall;
  for (const auto& [profile, workload] : workloads) call = std::min(call, recorded_call(read[profile], workload));
  if (call < kUsualCall) {
    result.assumptions.push_back(fmt::format(
        "a call costs the host {} us, since calls are recorded so close, or were queued when the recording began",
        static_cast<double>(call) / 1e3));
  }
  write(folder / "host.yaml", spec::FileKind::kHost, host_yaml(imported_host(call)));
  // 3. The applications.
  double longest_us = 0;
  for (std::size_t i = 0; i < workloads.size() && !options.is_interrupted(); ++i) {
    const auto& [profile, workload] = workloads[i];
    OneImport one(profiles[profile].string(), read[profile], workload, machines.of(i), call,
                  counters ? &*counters : nullptr, options, folder,
                  application_name(options.name, i, workloads.size()));
    result.applications.push_back(one.run(on_step));
    longest_us = std::max(longest_us, static_cast<double>(workload.end - workload.begin) / 1e3);
  }
  if (options.is_interrupted()) return result;
  // 4. All of them on one GPU.
  result.experiment = "shared.yaml";
  if (result.applications.size() > gpu.num_hardware_queues) {
    result.assumptions.push_back(
        fmt::format("{} has the first {} of {} applications: so many hardware queues has the GPU", result.experiment,
                    gpu.num_hardware_queues, result.applications.size()));
  }
  write(folder / result.experiment, spec::FileKind::kExperiment,
        shared_experiment(options, machines.kinds.front(), result.applications, longest_us));
  spec::load_experiment(folder / result.experiment);
  // 5. What editors want.
  spec::write_schemas(
      folder, {spec::FileKind::kExperiment, spec::FileKind::kGpu, spec::FileKind::kHost, spec::FileKind::kApplication});
  return result;
}

}  // namespace tessera::importer
