// SPDX-License-Identifier: Apache-2.0
// One reader per kind of input: node -> part of the Spec. Each reports its mistakes and returns what it could read.
// Internal to model/spec. A result is valid if the report did not grow and the node is sound.
#pragma once

#include <optional>

#include "model/spec/application_spec.h"
#include "model/spec/driver_spec.h"
#include "model/spec/host_spec.h"
#include "model/spec/mapping_reader.h"
#include "model/spec/policies.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {

inline constexpr Number kPriority{0, 15};  // of a process or a stream; 0 is the lowest
inline constexpr Number kRuns{1, 1'000'000};
inline constexpr Number kSlices{1, 64};               // of Multi-Instance GPU
inline constexpr std::size_t kMaxArrivals = 100'000;  // in a file

// The machine on which an application will run, from the experiment; the defaults are for checking the file alone.
struct ApplicationContext {
  const GpuSpec* gpu = nullptr;  // set: every kernel must fit its SMs
  TimeBase time_base = TimeBase::kKernelTime;
  const HostSpec* host = nullptr;  // set: it must serve the files of event-driven kernels
  Cores cores = Cores::kTlm;       // all of these must support what it uses
};

GpuSpec read_gpu(const Node& node, const KeyPath& path, Report& report);
HostSpec read_host(const Node& node, const KeyPath& path, Report& report);
ApplicationSpec read_application(const Node& node, const KeyPath& path, const ApplicationContext& context,
                                 Report& report);
// All keys of a process except its application; its arrivals file, if any, has already been inserted (references.h).
ProcessSpec read_process_keys(MappingReader& reader, Report& report);
SynthesisSpec read_synthesis(const Node& node, Report& report);  // the root of a file
TaskSetSpec read_task_set(const Node& root, Report& report);     // of a file whose references are resolved
// Omitted keys come from `defaults`; `policy` says whether that key may be omitted. All of `cores` must support what it
// uses. `spec` receives its partitions; null for a baseline, which has none of its own.
SchedulerSpec read_scheduler(MappingReader reader, Presence policy, const SchedulerSpec& defaults,
                             std::uint32_t num_sms, Cores cores, Spec* spec, Report& report);
// Omitted keys come from `defaults`. `spec`: has the processes and applications that the driver refers to.
DriverSpec read_driver(MappingReader reader, const DriverSpec& defaults, const Spec& spec, Report& report);
// `root` has its references resolved and its overrides applied.
Spec read_experiment(const Node& root, Cores cores, UnreadKeys unread, Report& report);

// `schema_version`: required at the root of a file, optional in a mapping inside the experiment.
inline constexpr Meaning kVersion{"version of this format"};
inline constexpr Meaning kVersionOfPart{"version of this format; inside an experiment it may be left out"};
void read_schema_version(MappingReader& reader, const Node& node, Meaning meaning = kVersion);

// Reports entries of a list that repeat the `name` of an earlier one.
void reject_duplicate_names(const std::vector<Node>& entries, const KeyPath& path, Report& report);

// The path relative to which the keys of `node` are named: that of the mapping or, in a separate file, the file's root.
KeyPath path_within(const Node& node, const KeyPath& path);

}  // namespace tessera::spec
