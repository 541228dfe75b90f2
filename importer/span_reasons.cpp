// SPDX-License-Identifier: Apache-2.0
// A variant of the application for each cause.
#include "importer/span_reasons.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tlm/driver/address_map.h"

namespace tessera::importer {
namespace {

constexpr std::size_t kCommandsOfAQueue = tlm_model::address_map::kRingEntries / 2;  // with room for events

bool is_command(const Step& step) {
  return step.kind == StepKind::kLaunch || step.kind == StepKind::kCopyToGpu || step.kind == StepKind::kCopyToHost ||
         step.kind == StepKind::kGraph;
}

class Variants {
 public:
  Variants(const spec::Spec& spec, const ImportedProgram& imported) : spec_(spec), imported_(imported) {}

  std::vector<Variant> run() {
    const bool may_unroll = imported_.program.steps.size() <= kMaxUnrolled;
    if (may_unroll && !imported_.is_exact) without_means();
    if (may_unroll) without_full_queue();
    without_long_calls();
    without_calls_from_before();
    without_overlap();
    return std::move(variants_);
  }

 private:
  Variant& add(const char* name, const std::string& text) {
    return variants_.emplace_back(Variant{name, text, imported_.fitted, imported_.program, imported_.is_exact});
  }

  // Every launch takes its own time, and so does the host before it.
  void unroll(Variant& variant) const {
    if (imported_.is_exact) return;
    variant.is_unrolled = true;
    for (std::size_t i = 0; i < variant.groups.time_ns.size(); ++i) {
      const std::uint32_t group = variant.groups.of_operation[i];
      if (group == kNoGroup) continue;
      const auto& fitted = imported_.fitted.groups[group].kernel.kernel_time;
      const auto& recorded = imported_.recorded.groups[group].kernel.kernel_time;
      if (fitted && recorded)
        variant.groups.time_ns[i] *= static_cast<double>(*fitted) / static_cast<double>(*recorded);
    }
    set_exact_factors(spec_, variant.groups, variant.program);
  }

  void without_means() {
    unroll(add("mean_times", "mean times: of the launches of a kernel, and of the host in the rounds of a loop"));
  }

  // Before a queue can be full, the stream goes on in another one.
  void without_full_queue() {
    HostProgram program = imported_.program;
    std::map<std::uint32_t, std::size_t> num_commands;  // by recorded stream
    std::map<std::uint32_t, std::uint32_t> goes_on_in;  // by recorded stream
    std::map<std::uint32_t, std::uint32_t> last;        // step, by recorded stream
    std::uint32_t num_streams = 0;
    const bool has_null_stream = program.default_stream == spec::DefaultStream::kLegacy;
    const bool has_names = !program.streams.empty();
    if (has_names) num_streams = static_cast<std::uint32_t>(program.streams.size()) + 1;
    for (const Step& step : program.steps) num_streams = std::max(num_streams, step.stream + 1);
    for (std::uint32_t i = 0; i < program.steps.size(); ++i) {
      Step& step = program.steps[i];
      if (!is_command(step)) {
        if (step.kind != StepKind::kSynchroniseAll) step.stream = program.steps[step.awaited].stream;
        continue;
      }
      const std::uint32_t stream = step.stream;
      if (++num_commands[stream] % kCommandsOfAQueue == 0) {
        if (num_streams == kMaxStreams || (stream == 0 && has_null_stream)) return;
        program.dependencies.push_back({last.at(stream), i});
        goes_on_in[stream] = num_streams++;
        if (has_names) program.streams.push_back(another(program.streams[stream - 1], program.streams.size()));
      }
      if (goes_on_in.count(stream) > 0) step.stream = goes_on_in.at(stream);
      last[stream] = i;
    }
    if (goes_on_in.empty()) return;
    Variant& variant = add("full_queue", fmt::format("a full queue: launches wait for room among {} commands",
                                                     tlm_model::address_map::kRingEntries));
    variant.program = std::move(program);
    variant.alter = [](spec::Spec& spec) {
      spec.gpu.num_hardware_queues = std::max(spec.gpu.num_hardware_queues, kMaxStreams);
    };
    variant.is_against_unrolled = !imported_.is_exact;
    unroll(variant);
  }

  static spec::StreamSpec another(spec::StreamSpec stream, std::size_t number) {
    stream.name += fmt::format("_{}", number);
    return stream;
  }

  void without_long_calls() {
    const auto is_late = [](const Step& step) { return step.in_call > 0; };
    if (std::none_of(imported_.program.steps.begin(), imported_.program.steps.end(), is_late)) return;
    Variant& variant = add("long_calls", "long calls: CPU time in them, before they submitted their work");
    for (Step& step : variant.program.steps) step.cpu_before -= step.in_call;
  }

  // They cost nothing, and all others what they did.
  void without_calls_from_before() {
    const auto is_from_before = [](const Step& step) { return step.is_from_before; };
    if (std::none_of(imported_.program.steps.begin(), imported_.program.steps.end(), is_from_before)) return;
    Variant& variant = add("calls_from_before", "calls that were made before the GPU's first operation");
    for (Step& step : variant.program.steps) {
      if (is_command(step) && !step.is_from_before) step.cpu_before += variant.program.call;
    }
    variant.program.call = 0;
    variant.alter = [](spec::Spec& spec) { spec.host.launch = spec.host.copy = 0; };
  }

  // Kernels that ran beside others leave them their SMs, and take the times recorded.
  void without_overlap() {
    Variant& variant = add("overlap", "overlap: kernels that ran beside others take turns here");
    bool is_any = false;
    for (std::size_t k = 0; k < variant.groups.groups.size(); ++k) {
      KernelGroup& group = variant.groups.groups[k];
      if (group.num_overlapped == 0) continue;
      is_any = true;
      group.kernel.kernel_time = imported_.recorded.groups[k].kernel.kernel_time;
      group.kernel.num_tbs = 1;
    }
    if (!is_any) {
      variants_.pop_back();
    } else if (imported_.is_exact) {
      set_exact_factors(spec_, variant.groups, variant.program);
    }
  }

  const spec::Spec& spec_;
  const ImportedProgram& imported_;
  std::vector<Variant> variants_;
};

}  // namespace

std::vector<Variant> variants_without_a_cause(const spec::Spec& spec, const ImportedProgram& imported) {
  return Variants(spec, imported).run();
}

std::vector<SpanReason> span_reasons(const std::vector<Variant>& variants, double span_us,
                                     const std::function<std::optional<double>(const Variant&)>& span_us_of) {
  std::vector<SpanReason> reasons;
  double unrolled_us = span_us;
  for (const Variant& variant : variants) {
    const std::optional<double> without_us = span_us_of(variant);
    if (!without_us) continue;
    reasons.push_back(
        {variant.name, variant.text, (variant.is_against_unrolled ? unrolled_us : span_us) - *without_us});
    if (variant.name == "mean_times") unrolled_us = *without_us;
  }
  return reasons;
}

}  // namespace tessera::importer
