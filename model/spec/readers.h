// SPDX-License-Identifier: Apache-2.0
// One reader per kind of input: node -> part of the Spec. Each reports its mistakes and returns what it could read.
// Internal to model/spec. A result is good where the report did not grow and the node is sound.
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
inline constexpr std::size_t kMaxArrivals = 100'000;  // in a file

// What the experiment says about the machine that an application is to run on; for a check of the file alone, nothing.
struct ApplicationContext {
  const GpuSpec* gpu = nullptr;  // set: every kernel must fit its SMs
  TimeBase time_base = TimeBase::kKernelTime;
  const HostSpec* host = nullptr;  // set: it must serve what event-driven kernels read and write
  Cores cores = Cores::kTlm;       // all of these must have what it asks for
};

GpuSpec read_gpu(const Node& node, const KeyPath& path, Report& report);
HostSpec read_host(const Node& node, const KeyPath& path, Report& report);
ApplicationSpec read_application(const Node& node, const KeyPath& path, const ApplicationContext& context,
                                 Report& report);
// All of a process but its application; its arrivals file, if it has one, is in its place already (references.h).
ProcessSpec read_process_keys(MappingReader& reader, Report& report);
SynthesisSpec read_synthesis(const Node& node, Report& report);  // the root of a file
TaskSetSpec read_task_set(const Node& root, Report& report);     // of a file whose references are resolved
// What is not given comes from `defaults`; `policy` says whether that key may be left out. All of `cores` must have
// what it asks for. `spec` gets its partitions; null for a baseline, which has none of its own.
SchedulerSpec read_scheduler(MappingReader reader, Presence policy, const SchedulerSpec& defaults,
                             std::uint32_t num_sms, Cores cores, Spec* spec, Report& report);
// What is not given comes from `defaults`. `spec`: its processes and applications, which the driver names.
DriverSpec read_driver(MappingReader reader, const DriverSpec& defaults, const Spec& spec, Report& report);
// `root` has its references resolved and its overrides applied.
Spec read_experiment(const Node& root, Cores cores, UnreadKeys unread, Report& report);

// `schema_version`: required at the root of a file, optional in a mapping that stands inside the experiment.
void read_schema_version(MappingReader& reader, const Node& node);

// Entries of a list whose `name` an earlier one has.
void reject_duplicate_names(const std::vector<Node>& entries, const KeyPath& path, Report& report);

// The path that the keys of `node` are named by: that of the mapping, or, in a file of its own, that file's root.
KeyPath path_within(const Node& node, const KeyPath& path);

}  // namespace tessera::spec
