// SPDX-License-Identifier: Apache-2.0
// Flow style, wrapped: a step of its own line each would make a training step a thousand lines.
#include "importer/application_yaml.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "importer/event_plan.h"
#include "importer/graph_edges.h"
#include "importer/program_tree.h"
#include "model/spec/decimal.h"

namespace tessera::importer {
namespace {

constexpr std::size_t kWidth = 118;
constexpr double kLeastPhase = 100;  // ns: what is shorter is nothing

std::string microseconds(Picoseconds time) { return spec::format_decimal(time, 6); }
std::string share(std::uint32_t ppm) { return spec::format_decimal(ppm, 6); }

// Words one after the other, in lines of kWidth.
class Lines {
 public:
  void put(const std::string& word) {
    if (!line_.empty() && line_.size() + 1 + word.size() > kWidth) end_line();
    line_ += line_.empty() ? std::string(2 * depth_, ' ') + word : " " + word;
  }
  void end_line() {
    if (!line_.empty()) text_ += line_ + "\n";
    line_.clear();
  }
  void indent(int by) { depth_ = static_cast<std::size_t>(static_cast<int>(depth_) + by); }
  std::string text() {
    end_line();
    return text_;
  }

 private:
  std::string text_;
  std::string line_;
  std::size_t depth_ = 0;
};

class ProgramWriter {
 public:
  ProgramWriter(const KernelGroups& groups, const HostProgram& program, const ApplicationStyle& style)
      : groups_(groups), program_(program), style_(style) {}

  std::string write(const std::vector<Repeated>& tree) {
    events_ = plan_events(tree, program_);
    lines_.put("program: [");
    lines_.indent(1);
    lines_.end_line();
    write_steps(tree, 0);
    lines_.end_line();
    lines_.indent(-1);
    lines_.put("]");
    return lines_.text();
  }
  std::uint64_t num_loops() const { return num_loops_; }

 private:
  // A word is kept back until it is known what follows it: a comma, or the end of its list.
  void put(const std::string& word) {
    flush(",");
    kept_ = word;
  }
  void flush(const std::string& end) {
    if (!kept_.empty()) lines_.put(kept_ + end);
    kept_.clear();
  }

  // `pending`: CPU time since the last phase that was written.
  void write_steps(const std::vector<Repeated>& tree, int depth) {
    double pending = 0;
    for (const Repeated& each : tree) {
      if (each.body.empty()) {
        // Time before a wait passes while the GPU works; behind it, it would not.
        const bool is_wait = waits(program_.steps[each.members.front()]);
        pending += mean_cpu(each);
        write_cpu(pending, is_wait ? kLeastPhase : static_cast<double>(style_.min_cpu));
        write_step(each.members.front(), pending);
        continue;
      }
      write_cpu(pending, static_cast<double>(style_.min_cpu));
      ++num_loops_;
      flush(",");
      lines_.end_line();
      lines_.put(fmt::format("{{loop: {{count: {}, body: [", each.count));
      lines_.indent(1);
      lines_.end_line();
      write_steps(each.body, depth + 1);
      lines_.indent(-1);
    }
    // A round of a loop takes all of its time; after the last step of a program nobody waits for the host.
    if (depth > 0) write_cpu(pending, kLeastPhase);
    if (depth == 0) return flush("");
    kept_ += "]}}";  // an empty body there is none of
  }

  // With the events around it, whose calls cost what a launch does: of the time that passes anyway.
  void write_step(std::uint32_t i, double& pending) {
    const std::string stream = stream_text(program_.steps[i].stream);
    const auto waits = events_.waits_before.equal_range(i);
    for (auto wait = waits.first; wait != waits.second; ++wait) {
      put(fmt::format("{{wait: {{event: {}{}}}}}", wait->second, stream));
      pending -= static_cast<double>(program_.call);
    }
    const Step& step = program_.steps[i];
    if (step.kind == StepKind::kGraph) {
      write_graph(program_.graphs[step.graph], stream);
    } else if (step.kind == StepKind::kSynchroniseEvent) {
      put(fmt::format("{{synchronise: {{event: {}}}}}", events_.awaited.at(i)));
    } else {
      put(step_text(step, stream));
    }
    const auto records = events_.records_after.equal_range(i);
    for (auto record = records.first; record != records.second; ++record) {
      put(fmt::format("{{record: {{event: {}{}}}}}", record->second, stream));
      pending -= static_cast<double>(program_.call);
    }
  }

  std::string stream_text(std::uint32_t stream) const {
    return stream == 0 ? "" : fmt::format(", stream: {}", name_of(stream));
  }
  std::string name_of(std::uint32_t stream) const {
    if (program_.streams.empty()) return std::to_string(stream);
    return stream == 0 ? std::string(spec::kDefaultStreamName) : program_.streams[stream - 1].name;
  }

  double mean_cpu(const Repeated& leaf) const {
    // Nothing is known of the time before the first step: it is no part of a mean.
    double sum = 0;
    for (const std::uint32_t i : leaf.members) sum += static_cast<double>(program_.steps[i].cpu_before);
    const std::size_t num_known = leaf.num_rounds - (leaf.members.front() == 0 ? 1 : 0);
    return num_known == 0 ? 0 : sum / static_cast<double>(num_known);
  }

  void write_cpu(double& pending, double least) {
    if (pending < std::max(least, kLeastPhase)) return;
    const double grain = style_.is_exact ? 1 : 100;  // ns
    const double written = std::round(pending / grain) * grain;
    pending -= written;
    put(fmt::format("{{cpu: {{time_us: {}}}}}", microseconds(static_cast<Picoseconds>(written * 1e3))));
  }

  // Nodes that repeat are loops, which count out where edges number them.
  void write_graph(const GraphLaunch& graph, const std::string& stream) {
    std::map<std::string, std::uint32_t> numbers;
    std::vector<std::uint32_t> tokens;
    std::vector<std::string> texts;
    for (const Step& node : graph.nodes) {
      texts.push_back(step_text(node, ""));
      tokens.push_back(numbers.emplace(texts.back(), static_cast<std::uint32_t>(numbers.size())).first->second);
    }
    flush(",");
    lines_.end_line();
    lines_.put(fmt::format("{{graph: {{{}nodes: [", stream.empty() ? "" : stream.substr(2) + ", "));
    lines_.indent(1);
    lines_.end_line();
    write_nodes(find_repetition(tokens), texts);
    kept_ += "]";
    if (graph.edges) {
      flush(",");
      lines_.put("edges: [");
      for (const std::vector<std::uint32_t>& path : paths_of(*graph.edges)) write_path(path);
      kept_ += "]";
    }
    lines_.indent(-1);
    kept_ += "}}";
  }

  void write_nodes(const std::vector<Repeated>& tree, const std::vector<std::string>& texts) {
    for (const Repeated& each : tree) {
      if (each.body.empty()) {
        put(texts[each.members.front()]);
        continue;
      }
      flush(",");
      lines_.put(fmt::format("{{loop: {{count: {}, body: [", each.count));
      write_nodes(each.body, texts);
      kept_ += "]}}";
    }
  }

  void write_path(const std::vector<std::uint32_t>& path) {
    for (std::size_t i = 0; i < path.size(); ++i) put(fmt::format("{}{}", i == 0 ? "[" : "", path[i]));
    kept_ += "]";
  }

  std::string step_text(const Step& step, const std::string& stream) const {
    switch (step.kind) {
      case StepKind::kLaunch: {
        const std::string factor =
            step.factor_ppm == 1'000'000 ? "" : fmt::format(", time_factor: {}", share(step.factor_ppm));
        return fmt::format("{{launch: {{kernel: {}{}{}}}}}", groups_.groups[step.target].kernel.name, stream, factor);
      }
      case StepKind::kCopyToGpu:
      case StepKind::kCopyToHost:
        return fmt::format("{{copy: {{direction: {}, bytes: {}{}{}}}}}",
                           step.kind == StepKind::kCopyToGpu ? "to_gpu" : "to_host", step.target, stream,
                           step.is_sync ? "" : ", mode: async");

      case StepKind::kSynchroniseStream:
        return fmt::format("{{synchronise: {{stream: {}}}}}", name_of(step.stream));
      case StepKind::kSynchroniseAll:
      case StepKind::kSynchroniseEvent:
      case StepKind::kGraph:
        break;
    }
    return "{synchronise: {}}";
  }

  const KernelGroups& groups_;
  const HostProgram& program_;
  const ApplicationStyle& style_;
  EventPlan events_;
  Lines lines_;
  std::string kept_;
  std::uint64_t num_loops_ = 0;
};

std::string kernel_line(const KernelGroup& group) {
  const spec::KernelSpec& kernel = group.kernel;
  std::string text = fmt::format(
      "  - {{name: {}, num_tbs: {}, regs_per_tb: {}, smem_bytes_per_tb: {}, threads_per_tb: {}", kernel.name,
      kernel.num_tbs, kernel.regs_per_tb, kernel.smem_bytes_per_tb - kernel.smem_reserve_bytes, kernel.threads_per_tb);
  if (kernel.kernel_time) text += fmt::format(", kernel_time_us: {}", microseconds(*kernel.kernel_time));
  if (kernel.tb_time) text += fmt::format(", tb_time_us: {}", microseconds(*kernel.tb_time));
  if (kernel.dram_bytes_per_tb > 0) text += fmt::format(", dram_bytes_per_tb: {}", kernel.dram_bytes_per_tb);
  if (kernel.kernel_time_spread_ppm > 0) {
    text += fmt::format(", kernel_time_spread: {}", share(kernel.kernel_time_spread_ppm));
  }
  return text + fmt::format("}}  # {}; {} launch{}{}\n", group.remark, group.num_launches,
                            group.num_launches == 1 ? "" : "es", group.is_collective ? "; collective" : "");
}

std::string streams_text(const HostProgram& program) {
  std::string text = program.default_stream == spec::DefaultStream::kLegacy ? "default_stream: legacy\n" : "";
  if (!program.streams.empty()) text += "streams:\n";
  for (const spec::StreamSpec& stream : program.streams) {
    text += fmt::format("  - {{name: {}{}{}}}\n", stream.name,
                        stream.priority ? fmt::format(", priority: {}", *stream.priority) : "",
                        stream.is_non_blocking ? ", non_blocking: true" : "");
  }
  return text;
}

}  // namespace

ApplicationText application_yaml(const KernelGroups& groups, const HostProgram& program,
                                 const ApplicationStyle& style) {
  ApplicationText result;
  result.text = style.remark + fmt::format("schema_version: 1\nname: {}\nkernels:\n", style.name);
  for (const KernelGroup& group : groups.groups) result.text += kernel_line(group);
  result.text += streams_text(program);
  ProgramWriter writer(groups, program, style);
  const ProgramTree tree = program_tree(program, style.is_exact, style.min_cpu);
  result.text += writer.write(tree.positions);
  result.num_waits_altered = tree.num_waits_altered;
  result.num_loops = writer.num_loops();
  result.num_lines = static_cast<std::uint64_t>(std::count(result.text.begin(), result.text.end(), '\n'));
  return result;
}

}  // namespace tessera::importer
