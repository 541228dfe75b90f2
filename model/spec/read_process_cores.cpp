// SPDX-License-Identifier: Apache-2.0
// A list of hardware threads, a priority, and a word.
#include "model/spec/read_process_cores.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace tessera::spec {
namespace {

constexpr Number kCpuPriority{0, 99};  // as Linux has them for SCHED_FIFO, and 0 below
constexpr std::uint64_t kMostThreads = 2048;

void read_listed(MappingReader& reader, const HostSpec* host, ProcessSpec& process) {
  const bool is_known = host != nullptr && host->cpu;
  const Number core{0, (is_known ? host->cpu->num_threads() : kMostThreads) - 1};
  const std::vector<Node>& listed = reader.list("cores", Presence::kOptional, form_maker(Number{0, kMostThreads - 1}),
                                                "of a host with `cores`: those that it may run on, numbered from 0 "
                                                "([host_cores.md](../concepts/host_cores.md)); left out: all");
  const KeyPath path = reader.path("cores");
  for (std::size_t i = 0; i < listed.size(); ++i) {
    if (listed[i].kind == Node::Kind::kInvalid) continue;  // reported already
    auto ruled = core.parse(listed[i]);
    if (auto* problem = std::get_if<Problem>(&ruled)) {
      reader.report().add(listed[i].where, path / i, std::move(problem->problem), describe(listed[i]),
                          std::move(problem->allowed));
      continue;
    }
    const auto thread = static_cast<std::uint32_t>(std::get<std::uint64_t>(ruled));
    if (std::find(process.cores.begin(), process.cores.end(), thread) != process.cores.end()) {
      reader.report().add(listed[i].where, path / i, "is named twice", describe(listed[i]), "each core once");
    } else {
      process.cores.push_back(thread);
    }
  }
  std::sort(process.cores.begin(), process.cores.end());
}

}  // namespace

void read_process_cores(MappingReader& reader, const HostSpec* host, ProcessSpec& process) {
  const std::size_t before = reader.report().size();
  read_listed(reader, host, process);
  reader.optional("cpu_priority", process.cpu_priority, kCpuPriority,
                  "of a host with `cores`: a larger number goes first, and takes the core of a smaller one");
  reader.optional("wait", process.wait, Choice<WaitKind>{},
                  "of a host with `cores`: while it waits for the GPU it gives its core up and takes `wake_us` to come "
                  "back, or holds it and reads the fence");
  if (reader.report().size() > before || host == nullptr) return;
  if (host->cpu) {
    if (reader.has("cores") && process.cores.empty()) reader.reject("cores", "is empty", "", "at least one entry");
    return;
  }
  for (const char* key : {"cores", "cpu_priority", "wait"}) {
    if (reader.has(key)) reader.reject(key, "only valid with host.cores", "", "a host with cores");
  }
}

}  // namespace tessera::spec
