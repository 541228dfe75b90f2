// SPDX-License-Identifier: Apache-2.0
// Steps of a host program: cpu, copy, launch, synchronise, record, wait, loop, group, graph.
// Internal to model/spec.
#include "model/spec/read_program.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

#include "model/spec/mapping_reader.h"
#include "model/spec/program_events.h"
#include "model/spec/read_graph_edges.h"

namespace tessera::spec {
namespace {

constexpr std::array<std::string_view, 3> kStepsOfAGroup{"launch", "copy", "loop"};  // and of a graph
constexpr Number kStream{0, kMaxStreams - 1};
constexpr Number kCopyBytes{1, std::uint64_t{1} << 40};
constexpr Number kTimeFactor{1, 1'000'000'000, kPpmDigits};
constexpr Number kLoopCount{1, 1'000'000'000};

Form step_of_group_form() {
  Form form = step_form();
  form.shapes[0].words.assign(kStepsOfAGroup.begin(), kStepsOfAGroup.end());
  return form;
}

// Where the application names its streams, they are called so.
struct StreamNumber {
  Ruled<std::uint64_t> parse(const Node& node) const { return kStream.parse(node); }
  std::string text(std::uint64_t value) const { return kStream.text(value); }
  Form form() const { return either(kStream.form(), Text{}.form()); }
};

class ProgramReader {
 public:
  ProgramReader(ApplicationSpec& application, bool has_streams, Report& report)
      : application_(application), has_streams_(has_streams), report_(report), events_(application, report) {}

  std::vector<HostStep> read_steps(const std::vector<Node>& nodes, const KeyPath& path, int nesting) {
    std::vector<HostStep> steps;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (auto step = read_step(nodes[i], path / i, nesting)) steps.push_back(std::move(*step));
    }
    return steps;
  }

  // Once the whole program is read.
  void check_events() const { events_.check(); }

 private:
  struct OpenGroup {
    std::string_view name;  // group or graph
    bool is_graph = false;
    std::optional<std::uint32_t> stream;  // of the first command; a graph's nodes have none
  };
  std::optional<HostStep> read_step(const Node& node, const KeyPath& path, int nesting) {
    MappingReader reader(node, path, report_);
    if (node.kind != Node::Kind::kMapping) return std::nullopt;
    if (node.children.size() != 1) {
      report_.add(node.where, path, "must hold exactly one step", fmt::format("{} keys", node.children.size()),
                  fmt::format("{}", fmt::join(kSteps, ", ")));
      return std::nullopt;
    }
    if (group_ && !is_of_a_group(node.children[0].key)) {
      reader.reject(node.children[0].key, fmt::format("has no place in a {}", group_->name), "",
                    fmt::format("{}", fmt::join(kStepsOfAGroup, ", ")));
      if (reader.has("record")) events_.note_bad_record();
      return std::nullopt;
    }
    if (reader.has("cpu")) return read_cpu(reader.mapping("cpu", Presence::kRequired, "the host computes"));
    if (reader.has("copy"))
      return read_copy(reader.mapping("copy", Presence::kRequired, "a copy between host and GPU"));
    if (reader.has("launch"))
      return read_launch(reader.mapping("launch", Presence::kRequired, "starts a kernel and does not wait"));
    if (reader.has("synchronise"))
      return read_synchronise(
          reader.mapping("synchronise", Presence::kRequired, "waits; `{}` for all that was launched"));
    if (reader.has("record"))
      return read_record(reader.mapping("record", Presence::kRequired, "records an event in a stream"));
    if (reader.has("wait"))
      return read_wait(reader.mapping("wait", Presence::kRequired, "lets a stream wait for an event"));
    if (reader.has("loop"))
      return read_loop(reader.mapping("loop", Presence::kRequired, "repeats steps; at most 8 deep"), path / "loop",
                       nesting);
    if (reader.has("group")) return read_group(reader, path / "group", nesting);
    if (reader.has("graph"))
      return read_graph(
          reader.mapping(
              "graph", Presence::kRequired,
              "a graph of kernels and copies that one call launches ([streams](../concepts/streams.md#graphs))"),
          path / "graph", nesting);
    for (const std::string_view key : kSteps) reader.known_node(key);
    reader.reject_unknown_keys();
    return std::nullopt;
  }

  // Not 0: a program of steps that take no time would repeat for ever at one instant.
  static CpuPhase read_cpu(MappingReader reader) {
    CpuPhase cpu;
    reader.required("time_us", cpu.time, kPositiveTime, "for how long");
    reader.reject_unknown_keys();
    return cpu;
  }

  Copy read_copy(MappingReader reader) {
    Copy copy;
    CopyMode mode = group_ ? CopyMode::kAsync : CopyMode::kSync;
    reader.required("direction", copy.direction, Choice<CopyDirection>{}, "where to");
    reader.required("bytes", copy.bytes, kCopyBytes, "how much");
    const bool has_stream =
        read_stream(reader, copy.stream, "in the order of this stream; its name where `streams` gives it one");
    reader.optional("mode", mode, Choice<CopyMode>{}, "does the process wait for its end?");
    reader.reject_unknown_keys();
    copy.is_async = mode == CopyMode::kAsync;
    if (group_ && !copy.is_async)
      reader.reject("mode", fmt::format("a copy in a {} does not wait", group_->name), "sync", "async");
    if (group_ && has_stream) keep_to_stream_of_group(reader, copy.stream);
    return copy;
  }

  Launch read_launch(MappingReader reader) {
    Launch launch;
    std::string name;
    if (reader.required("kernel", name, Text{}, "name of one of `kernels`")) launch.kernel = kernel_index(name, reader);
    const bool has_stream = read_stream(reader, launch.stream, "in the order of this stream");
    reader.optional("start_us", launch.start, kTime, "since the run's start: the process calls no earlier");
    reader.optional("time_factor", launch.time_factor_ppm, kTimeFactor,
                    "the thread blocks of this launch take so many times those of the kernel");
    reader.optional(
        "notify", launch.notifies, Boolean{},
        "it raises an interrupt of the program's own when it is done, which tells of no group. Not in a graph");
    reader.reject_unknown_keys();
    if (group_ && reader.has("start_us"))
      reader.reject("start_us", fmt::format("a launch in a {} has no start of its own", group_->name));
    if (group_ && has_stream) keep_to_stream_of_group(reader, launch.stream);
    const bool is_known = launch.kernel < application_.kernels.size();
    if (is_in_graph() && is_known && application_.kernels[launch.kernel].event_driven) {
      reader.reject("kernel", "an event-driven kernel has no place in a graph", name);
    }
    if (is_in_graph() && launch.notifies)
      reader.reject("notify", "a node of a graph raises no interrupt", "true", "false");
    return launch;
  }

  Synchronise read_synchronise(MappingReader reader) {
    Synchronise synchronise;
    read_stream(reader, synchronise.stream, "for this stream; left out: for all");
    synchronise.event = events_.read(reader, Presence::kOptional, "for this event, in the place of a stream");
    reader.reject_unknown_keys();
    if (reader.has("event") && reader.has("stream"))
      reader.reject("event", "cannot be combined with stream", "", "one of them");
    return synchronise;
  }

  RecordEvent read_record(MappingReader reader) {
    RecordEvent record;
    const std::optional<std::uint32_t> event = events_.read(reader, Presence::kRequired, "its name");
    read_stream(reader, record.stream, "it stands behind all that is in this stream");
    reader.reject_unknown_keys();
    if (event) {
      record.event = *event;
      events_.note_record(*event);
    } else {
      events_.note_bad_record();
    }
    return record;
  }

  WaitForEvent read_wait(MappingReader reader) {
    WaitForEvent wait;
    wait.event =
        events_
            .read(reader, Presence::kRequired, "that the program records; a step before any record waits for nothing")
            .value_or(0);
    read_stream(reader, wait.stream, "what follows in it waits");
    reader.reject_unknown_keys();
    return wait;
  }

  Loop read_loop(MappingReader reader, const KeyPath& path, int nesting) {
    Loop loop;
    reader.required("count", loop.count, kLoopCount, "how often");
    const std::vector<Node>& body = reader.list("body", Presence::kRequired, step_form, "steps, as in `program`");
    reader.reject_unknown_keys();
    if (nesting < kMaxLoopNesting) {
      loop.body = read_steps(body, path / "body", nesting + 1);
    } else {
      reader.reject("body", "loops are nested too deeply", "", fmt::format("at most {} levels", kMaxLoopNesting));
    }
    return loop;
  }

  // Loops in it count as they do outside; so does what they nest.
  Group read_group(MappingReader& reader, const KeyPath& path, int nesting) {
    Group group;
    const std::vector<Node>& work = reader.list(
        "group", Presence::kRequired, step_of_group_form,
        "commands that a driver treats as one: `launch` (without `start_us`), `copy` (`mode: async`, also where left "
        "out) and `loop`, all in one stream, at most 512 ([streams](../concepts/streams.md#groups))");
    const std::size_t mistakes = report_.size();
    group_.emplace(OpenGroup{"group", false, std::nullopt});
    group.work = read_steps(work, path, nesting);
    group.stream = group_->stream.value_or(0);
    group_.reset();
    if (report_.size() == mistakes && num_commands(group.work) > kMaxGroupCommands) {
      reader.reject("group", "has too many commands", "",
                    fmt::format("at most {}, loops counted out", kMaxGroupCommands));
    }
    return group;
  }

  // Loops in it count as they do outside; so does what they nest.
  Graph read_graph(MappingReader reader, const KeyPath& path, int nesting) {
    Graph graph;
    read_stream(reader, graph.stream, "in the order of this stream, as a whole");
    const std::vector<Node>& nodes = reader.list("nodes", Presence::kRequired, step_of_group_form,
                                                 "`launch` (of `kernel` and `time_factor` only), `copy` and `loop`: at "
                                                 "most 65,536 nodes, numbered from 0 with loops counted out");
    const std::vector<Node>& edges = reader.list("edges", Presence::kOptional, edge_form,
                                                 "of such lists: a node begins when those that lead to it are done; "
                                                 "left out: each node behind the one before it");
    reader.reject_unknown_keys();
    const std::size_t mistakes = report_.size();
    group_.emplace(OpenGroup{"graph", true, std::nullopt});
    graph.nodes = read_steps(nodes, path / "nodes", nesting);
    group_.reset();
    if (report_.size() != mistakes) return graph;
    const std::uint64_t count = num_nodes(graph);
    if (count > kMaxGraphNodes) {
      reader.reject("nodes", "has too many nodes", "", fmt::format("at most {}, loops counted out", kMaxGraphNodes));
    } else if (reader.has("edges")) {
      graph.edges = read_edges(edges, path / "edges", static_cast<std::uint32_t>(count), report_);
      if (graph.edges->size() > kMaxGraphEdges) {
        reader.reject("edges", "are too many", fmt::format("{}", graph.edges->size()),
                      fmt::format("at most {}", kMaxGraphEdges));
      }
    }
    return graph;
  }

  bool is_in_graph() const { return group_ && group_->is_graph; }

  static bool is_of_a_group(std::string_view step) {
    const bool is_step = std::find(kSteps.begin(), kSteps.end(), step) != kSteps.end();
    return !is_step || std::find(kStepsOfAGroup.begin(), kStepsOfAGroup.end(), step) != kStepsOfAGroup.end();
  }

  void keep_to_stream_of_group(MappingReader& reader, std::uint32_t stream) {
    if (is_in_graph()) {
      if (reader.has("stream")) reader.reject("stream", "a node of a graph has no stream of its own");
      return;
    }
    if (!group_->stream) group_->stream = stream;
    if (*group_->stream != stream) reader.reject("stream", "is another stream than that of the group's first command");
  }

  // A number, or where the application names its streams one of these names. False: no good one was read.
  template <typename Stream>
  bool read_stream(MappingReader& reader, Stream& stream, Meaning meaning) {
    const std::size_t mistakes = report_.size();
    if (!has_streams_) {
      reader.known_node("stream");
    } else if (application_.streams.empty()) {
      reader.optional("stream", stream, StreamNumber{}, meaning);
    } else {
      read_stream_by_name(reader, stream);
    }
    return has_streams_ && report_.size() == mistakes;
  }

  template <typename Stream>
  void read_stream_by_name(MappingReader& reader, Stream& stream) {
    std::string name;
    if (!reader.optional("stream", name, Text{})) return;
    std::vector<std::string_view> names{kDefaultStreamName};
    for (const StreamSpec& known : application_.streams) names.push_back(known.name);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      reader.reject("stream", "no such stream in this application", name, fmt::format("{}", fmt::join(names, ", ")));
    } else {
      stream = static_cast<std::uint32_t>(found - names.begin());
    }
  }

  std::uint32_t kernel_index(const std::string& name, MappingReader& reader) {
    std::vector<std::string_view> names;
    for (const KernelSpec& kernel : application_.kernels) {
      if (kernel.name == name) return static_cast<std::uint32_t>(names.size());
      names.push_back(kernel.name);
    }
    reader.reject("kernel", "no such kernel in this application", name, nearest_known("kernel", name, names, report_));
    return 0;
  }

  ApplicationSpec& application_;
  bool has_streams_;
  Report& report_;
  ProgramEvents events_;
  std::optional<OpenGroup> group_;  // that is being read
};

}  // namespace

Form step_form() {
  Form form = keys_form("step");
  form.shapes[0].has_one_key = true;
  return form;
}

void read_program(const std::vector<Node>& steps, const KeyPath& path, bool has_streams, ApplicationSpec& application,
                  Report& report) {
  ProgramReader reader(application, has_streams, report);
  application.program = reader.read_steps(steps, path, 0);
  reader.check_events();
}

}  // namespace tessera::spec
