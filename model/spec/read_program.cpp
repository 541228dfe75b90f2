// SPDX-License-Identifier: Apache-2.0
// Steps of a host program: cpu, copy, launch, synchronise, loop.
// Internal to model/spec.
#include "model/spec/read_program.h"

#include <fmt/core.h>

#include <optional>
#include <string_view>
#include <utility>

#include "model/spec/mapping_reader.h"
#include "model/spec/nearest.h"

namespace tessera::spec {
namespace {

constexpr Number kStream{0, kMaxStreams - 1};
constexpr Number kCopyBytes{1, std::uint64_t{1} << 40};
constexpr Number kLoopCount{1, 1'000'000'000};

class ProgramReader {
 public:
  ProgramReader(const std::vector<KernelSpec>& kernels, Report& report) : kernels_(kernels), report_(report) {}

  std::vector<HostStep> read_steps(const std::vector<Node>& nodes, const KeyPath& path, int nesting) {
    std::vector<HostStep> steps;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (auto step = read_step(nodes[i], path / i, nesting)) steps.push_back(std::move(*step));
    }
    return steps;
  }

 private:
  std::optional<HostStep> read_step(const Node& node, const KeyPath& path, int nesting) {
    MappingReader reader(node, path, report_);
    if (node.kind != Node::Kind::kMapping) return std::nullopt;
    if (node.children.size() != 1) {
      report_.add(node.where, path, "must hold exactly one step", fmt::format("{} keys", node.children.size()),
                  "cpu, copy, launch, synchronise, loop");
      return std::nullopt;
    }
    if (reader.has("cpu")) return read_cpu(reader.mapping("cpu", Presence::kRequired));
    if (reader.has("copy")) return read_copy(reader.mapping("copy", Presence::kRequired));
    if (reader.has("launch")) return read_launch(reader.mapping("launch", Presence::kRequired));
    if (reader.has("synchronise")) return read_synchronise(reader.mapping("synchronise", Presence::kRequired));
    if (reader.has("loop")) return read_loop(reader.mapping("loop", Presence::kRequired), path / "loop", nesting);
    for (const std::string_view key : {"cpu", "copy", "launch", "synchronise", "loop"}) {
      reader.node(key, Presence::kOptional);
    }
    reader.reject_unknown_keys();
    return std::nullopt;
  }

  // Not 0: a program of steps that take no time would repeat for ever at one instant.
  static CpuPhase read_cpu(MappingReader reader) {
    CpuPhase cpu;
    reader.required("time_us", cpu.time, kPositiveTime);
    reader.reject_unknown_keys();
    return cpu;
  }

  static Copy read_copy(MappingReader reader) {
    Copy copy;
    CopyMode mode = CopyMode::kSync;
    reader.required("direction", copy.direction, Choice<CopyDirection>{});
    reader.required("bytes", copy.bytes, kCopyBytes);
    reader.optional("stream", copy.stream, kStream);
    reader.optional("mode", mode, Choice<CopyMode>{});
    reader.reject_unknown_keys();
    copy.is_async = mode == CopyMode::kAsync;
    return copy;
  }

  Launch read_launch(MappingReader reader) {
    Launch launch;
    std::string name;
    if (reader.required("kernel", name, Text{})) launch.kernel = kernel_index(name, reader);
    reader.optional("stream", launch.stream, kStream);
    reader.reject_unknown_keys();
    return launch;
  }

  static Synchronise read_synchronise(MappingReader reader) {
    Synchronise synchronise;
    reader.optional("stream", synchronise.stream, kStream);
    reader.reject_unknown_keys();
    return synchronise;
  }

  Loop read_loop(MappingReader reader, const KeyPath& path, int nesting) {
    Loop loop;
    reader.required("count", loop.count, kLoopCount);
    const std::vector<Node>& body = reader.list("body", Presence::kRequired);
    reader.reject_unknown_keys();
    if (nesting < kMaxLoopNesting) {
      loop.body = read_steps(body, path / "body", nesting + 1);
    } else {
      reader.reject("body", "loops are nested too deeply", "", fmt::format("at most {} levels", kMaxLoopNesting));
    }
    return loop;
  }

  std::uint32_t kernel_index(const std::string& name, MappingReader& reader) {
    std::vector<std::string_view> names;
    for (const KernelSpec& kernel : kernels_) {
      if (kernel.name == name) return static_cast<std::uint32_t>(names.size());
      names.push_back(kernel.name);
    }
    const std::string_view guess = report_.is_long() ? "" : nearest(name, names);
    reader.reject("kernel", "no such kernel in this application", name,
                  guess.empty() ? "" : fmt::format("nearest known kernel: {}", guess));
    return 0;
  }

  const std::vector<KernelSpec>& kernels_;
  Report& report_;
};

}  // namespace

std::vector<HostStep> read_program(const std::vector<Node>& steps, const KeyPath& path,
                                   const std::vector<KernelSpec>& kernels, Report& report) {
  return ProgramReader(kernels, report).read_steps(steps, path, 0);
}

}  // namespace tessera::spec
