// SPDX-License-Identifier: Apache-2.0
// Nothing that runs is taken off a shared SM but for a slice of the whole GPU, and no clocked core shares SMs.
#include "model/spec/read_sm_sharing.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "model/spec/issue_rate.h"
#include "model/spec/policies.h"
#include "model/spec/read_stream_priorities.h"
#include "model/spec/spec.h"

namespace tessera::spec {
namespace {

constexpr Number kTbThreads{1, 65'536};
constexpr Number kClassClock{1, kFastestIssue, kFrequencyDigits};
constexpr Number kTurnaround{1, 1'000'000};
constexpr Number kBesideOthers{0, 1'000'000};

DispatchClass read_class(MappingReader reader) {
  DispatchClass size;
  reader.required("max_threads", size.max_threads, kTbThreads, "for thread blocks of so many threads, and fewer");
  reader.required("tb_issue_mhz", size.tb_issue_hz, kClassClock,
                  "thread blocks that are placed in a microsecond over the whole GPU");
  reader.required("turnaround_cycles", size.turnaround_cycles, kTurnaround,
                  "from a thread block's last instruction until its place is free");
  reader.reject_unknown_keys();
  return size;
}

void read_classes(MappingReader& framework, FrameworkSpec& spec) {
  const std::vector<Node>& entries = framework.mappings(
      "dispatcher", Presence::kOptional,
      "`sm_sharing: kernels`: what a thread block costs the dispatcher, by its size, ascending; the last entry is for "
      "larger ones too; left out: `tb_issue_mhz` (or one a cycle) and `tb_issue_cycles` for all");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const KeyPath path = framework.path("dispatcher") / i;
    spec.dispatcher.push_back(read_class(MappingReader(entries[i], path, framework.report())));
    const bool is_ascending = i == 0 || spec.dispatcher[i].max_threads > spec.dispatcher[i - 1].max_threads;
    if (!is_ascending && is_sound(entries[i])) {
      framework.report().add(entries[i].where, path, "has no more threads than the one before it");
    }
  }
}

// Without a list, thread blocks of all sizes cost what the machine's keys say.
void settle_dispatcher(Spec& spec) {
  FrameworkSpec& framework = spec.gpu.framework;
  if (!framework.dispatcher.empty()) return;
  const std::uint64_t issue_hz = framework.tb_issue_hz > 0 ? framework.tb_issue_hz : spec.gpu.clock_hz;
  framework.dispatcher.push_back({spec.gpu.max_threads_per_sm, issue_hz, framework.tb_issue_cycles});
}

class SharingChecks {
 public:
  SharingChecks(SharingReaders readers, const Spec& spec) : readers_(std::move(readers)), spec_(spec) {}

  void check_machine(Cores cores) {
    MappingReader framework = readers_.gpu.known_mapping("framework");
    if (includes(cores, Cores::kClocked)) {
      framework.reject("sm_sharing", "the core of this abstraction has SMs of one kernel", "kernels",
                       "one_kernel, or abstraction tlm");
    }
    if (spec_.gpu.framework.engine != Engine::kIdeal) {
      framework.reject("sm_sharing", "the serialised engine has SMs of one kernel", "kernels",
                       "one_kernel, or framework.engine: ideal");
    }
    if (parts_of_a_cycle(spec_.gpu) == 0) {
      framework.reject("dispatcher", "the rates of its sizes have no common measure", "", "rounder tb_issue_mhz");
    }
    if (spec_.gpu.framework.channels == Channels::kOne) {
      framework.reject("channels", "cannot be combined with sm_sharing: kernels", "one", "all");
    }
  }

  void check_schedulers() {
    check_scheduler(readers_.scheduler, spec_.scheduler);
    check_driver(readers_.driver, spec_.driver);
    if (!spec_.baseline) return;
    check_scheduler(readers_.baseline, *spec_.baseline);
    check_driver(readers_.baseline_driver, spec_.baseline_driver);
  }

  // What a baseline has from the scheduler is not blamed again.
  void check_scheduler(MappingReader reader, const SchedulerSpec& scheduler) const {
    const bool shares_time = scheduler.policy == PolicyKind::kTimeSlice;
    const bool takes_sms = info(scheduler.policy).has(kPreempts) && !shares_time && !is_partitioned(scheduler);
    if (takes_sms && reader.has("policy")) {
      reader.reject("policy", "takes SMs away, and with framework.sm_sharing: kernels nobody has one of his own",
                    std::string(to_string(scheduler.policy)), "fcfs, npq, np_edf, time_slice, static_partition");
    }
    if (shares_time && !switches_gpu(scheduler)) {
      reject_first(reader, {"switch_scope", "turn", "policy"},
                   "with framework.sm_sharing: kernels a slice is of the whole GPU", "turn: kept, switch_scope: gpu");
    }
    const bool has_technique =
        scheduler.technique == TechniqueKind::kContextSwitch || scheduler.technique == TechniqueKind::kDrain;
    if (!has_technique && reader.has("technique")) {
      reader.reject("technique", "cannot be combined with framework.sm_sharing: kernels",
                    std::string(to_string(scheduler.technique)), "context_switch, drain");
    }
    if (reader.has("tbs_per_cycle") && scheduler.tbs_per_cycle != 1) {
      reader.reject("tbs_per_cycle", "is said by framework.dispatcher, with sm_sharing: kernels",
                    fmt::format("{}", scheduler.tbs_per_cycle), "1");
    }
    if (reader.has("fill") && scheduler.fill != Fill::kBreadthFirst) {
      reader.reject("fill", "with framework.sm_sharing: kernels thread blocks are spread over the SMs",
                    std::string(to_string(scheduler.fill)), "breadth_first");
    }
  }

  static void check_driver(MappingReader reader, const DriverSpec& driver) {
    const bool is_known = driver.kind == DriverKind::kPassThrough || driver.kind == DriverKind::kGcaps ||
                          (driver.kind == DriverKind::kXsched && !driver.xsched.has_weights());
    if (is_known || !reader.has("kind")) return;
    const bool is_xsched = driver.kind == DriverKind::kXsched;
    reader.reject("kind", "charges SMs, and with framework.sm_sharing: kernels nobody has one of his own",
                  std::string(to_string(driver.kind)),
                  is_xsched ? "xsched without weights, pass_through" : "pass_through, xsched, gcaps");
  }

  // Contexts share as streams do.
  void check_priorities() {
    const std::vector<Node>& processes = readers_.workload.known_list("processes", Presence::kRequired);
    for (std::size_t i = 0; i < processes.size(); ++i) {
      MappingReader reader(processes[i], readers_.workload.path("processes") / i, readers_.workload.report());
      if (reader.has("priority")) check_card_priority(reader, spec_.processes[i].priority, spec_.gpu);
    }
  }

  void check_workload() {
    check_priorities();
    if (spec_.contention.is_on()) {
      readers_.contention.reject("model", "cannot be combined with framework.sm_sharing: kernels");
    }
    const auto has_loops = [](const ApplicationSpec& one) { return one.has_event_driven_kernels(); };
    if (std::none_of(spec_.applications.begin(), spec_.applications.end(), has_loops)) return;
    readers_.workload.reject("processes", "an application has event-driven kernels, which share no SM", "",
                             "framework.sm_sharing: one_kernel");
  }

 private:
  static void reject_first(MappingReader& reader, std::initializer_list<std::string_view> keys, std::string problem,
                           std::string allowed) {
    for (const std::string_view key : keys) {
      if (reader.has(key)) return reader.reject(key, std::move(problem), "", std::move(allowed));
    }
  }

  SharingReaders readers_;
  const Spec& spec_;
};

}  // namespace

const DispatchClass& FrameworkSpec::dispatch_class(std::uint32_t threads) const {
  const auto holds = [threads](const DispatchClass& size) { return threads <= size.max_threads; };
  const auto found = std::find_if(dispatcher.begin(), dispatcher.end(), holds);
  return found == dispatcher.end() ? dispatcher.back() : *found;
}

void read_sm_sharing(MappingReader& framework, FrameworkSpec& spec) {
  framework.optional("sm_sharing", spec.sm_sharing, Choice<SmSharing>{},
                     "whether an SM runs one kernel's thread blocks at a time, or those of all kernels that find room "
                     "([shared SMs](../concepts/shared_sms.md)); `kernels` needs `engine: ideal`");
  read_classes(framework, spec);
  framework.optional("beside_others_cycles", spec.beside_others_cycles, kBesideOthers,
                     "what `dispatch_cycles` and `graph_dispatch_cycles` grow by behind a kernel, while the execution "
                     "engine has one of another queue");
  if (spec.shares_sms() && !framework.has("num_ksrs")) spec.num_ksrs = kSharedKsrs;
}

void check_sm_sharing(SharingReaders readers, Cores cores, Spec& spec) {
  if (!spec.gpu.framework.shares_sms()) return;
  settle_dispatcher(spec);
  SharingChecks checks(std::move(readers), spec);
  checks.check_machine(cores);
  checks.check_schedulers();
  checks.check_workload();
  spec.scheduler.fill = Fill::kBreadthFirst;
  if (spec.baseline) spec.baseline->fill = Fill::kBreadthFirst;
}

}  // namespace tessera::spec
