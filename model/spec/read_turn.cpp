// SPDX-License-Identifier: Apache-2.0
// A kept turn is of the whole GPU: no kernels share it or an SM, and a switch is shorter than a slice.
#include "model/spec/read_turn.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "model/spec/policies.h"
#include "model/spec/spec.h"

namespace tessera::spec {
namespace {

// Of these keys, the one that the mapping has.
std::string_view key_of(const MappingReader& reader, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (reader.has(key)) return key;
  }
  return "";
}

class TurnChecks {
 public:
  TurnChecks(const TurnReaders& readers, const Spec& spec) : readers_(readers), spec_(spec) {}

  // What a baseline has from the scheduler is not blamed again.
  void check(MappingReader reader, const SchedulerSpec& scheduler) {
    check_microcode(reader, scheduler);
    if (!keeps_turn(scheduler)) return;
    check_channels(reader, scheduler);
    check_slice(reader, scheduler);
  }

  void check_processes() {
    const bool is_baseline_kept = spec_.baseline && keeps_turn(*spec_.baseline);
    if (!keeps_turn(spec_.scheduler) && !is_baseline_kept) return;
    const std::vector<Node>& processes = readers_.workload.known_list("processes", Presence::kRequired);
    for (std::size_t i = 0; i < processes.size(); ++i) {
      MappingReader reader(processes[i], readers_.workload.path("processes") / i, readers_.workload.report());
      check_slice_end(reader, spec_.processes[i]);
      const std::optional<Picoseconds> slice = spec_.processes[i].time_slice;
      if (slice && *slice <= longest_switch()) reject_slice(reader, *slice);
    }
  }

  // Not those of the scheduler again for a baseline.
  static void refuse_ablations(MappingReader reader, const SchedulerSpec& scheduler) {
    if (!keeps_turn(scheduler)) return;
    const SchedulerSpec rules;
    refuse(reader, "dry_owner", scheduler.dry_owner, rules.dry_owner);
    refuse(reader, "slice_renewal", scheduler.slice_renewal, rules.slice_renewal);
    refuse(reader, "next_turn", scheduler.next_turn, rules.next_turn);
  }

 private:
  template <typename E>
  static void refuse(MappingReader& reader, std::string_view key, E value, E rule) {
    if (value == rule || !reader.has(key)) return;
    reader.reject(key, "the core of this abstraction does not have it", std::string(to_string(value)),
                  fmt::format("{}, or abstraction tlm", to_string(rule)));
  }

  Picoseconds longest_switch() const {
    const GpuSwitchSpec& costs = spec_.gpu.framework.gpu_switch;
    return std::max(costs.preempted, costs.dry);
  }

  void check_channels(MappingReader& reader, const SchedulerSpec& scheduler) const {
    const std::string_view key = key_of(reader, {"switch_scope", "turn", "policy", "preset"});
    if (!switches_gpu(scheduler) || spec_.gpu.framework.channels == Channels::kAll || key.empty()) return;
    reader.reject(key, "switch_scope: gpu cannot be combined with framework.channels: one", "",
                  "switch_scope: sm, or channels: all");
  }

  // It saves all of an SM.
  void check_microcode(MappingReader& reader, const SchedulerSpec& scheduler) const {
    const std::string_view key = key_of(reader, {"technique"});
    const bool is_microcode = spec_.gpu.framework.gpu_switch.model == SaveModel::kMicrocode;
    if (!is_microcode || !info(scheduler.technique).chooses_victims || key.empty()) return;
    reader.reject(key,
                  fmt::format("technique: {} cannot be combined with framework.gpu_switch.model: microcode",
                              to_string(scheduler.technique)),
                  "", "technique: context_switch, drain, flush, or model: bandwidth");
  }

  void check_slice(MappingReader& reader, const SchedulerSpec& scheduler) const {
    const bool is_anyones = std::any_of(spec_.processes.begin(), spec_.processes.end(),
                                        [](const ProcessSpec& process) { return !process.time_slice; });
    if (!is_anyones || scheduler.time_slice > longest_switch()) return;
    const bool is_the_schedulers = &scheduler == &spec_.scheduler;
    const bool is_told = !is_the_schedulers && keeps_turn(spec_.scheduler) && !reader.has("time_slice_us");
    if (!is_told) reject_slice(reader, scheduler.time_slice);
  }

  void reject_slice(MappingReader& reader, Picoseconds slice) const {
    const GpuSwitchSpec& costs = spec_.gpu.framework.gpu_switch;
    const char* const longest = costs.dry > costs.preempted ? "dry_us" : "preempted_us";
    reader.reject("time_slice_us", fmt::format("is not longer than a switch, framework.gpu_switch.{}", longest),
                  kTime.text(slice), fmt::format("more than {}", kTime.text(longest_switch())));
  }

  // SMs of one context leave in one way.
  void check_slice_end(MappingReader& reader, const ProcessSpec& process) const {
    if (process.slice_end == SliceEnd::kTechnique) return;
    const bool baseline_flushes = spec_.baseline && flushes_at_slice_end(*spec_.baseline);
    if (!flushes_at_slice_end(spec_.scheduler) && !baseline_flushes) return;
    reader.reject("slice_end", "cannot be combined with technique: flush", std::string(to_string(process.slice_end)),
                  "technique: context_switch, drain");
  }
  static bool flushes_at_slice_end(const SchedulerSpec& scheduler) {
    return switches_gpu(scheduler) && scheduler.technique == TechniqueKind::kFlush;
  }

  TurnReaders readers_;
  const Spec& spec_;
};

}  // namespace

void read_turn(MappingReader& reader, SchedulerSpec& scheduler, bool is_known) {
  const bool is_read = reader.optional(
      "turn", scheduler.turn, Choice<Turn>{},
      "`time_slice`: the turn passes from kernel to kernel; or a context keeps it through the gaps between its "
      "kernels, as GPUs do that contexts share by time, until it has run dry or its slice is over "
      "([timing.md](../hardware/timing.md), 3.12). `kept` not with `access: shared`, `chimera`, `dual_kernel`");
  reader.optional("switch_scope", scheduler.switch_scope, Choice<SwitchScope>{},
                  "`turn: kept`: SMs change hands one by one, or all at once, and none starts for the next context "
                  "before the last is out; `gpu` not with `framework.channels: one`");
  reader.optional("dry_owner", scheduler.dry_owner, Choice<DryOwner>{},
                  "`turn: kept`, an ablation, in `tlm` alone: a context that has run dry passes its turn on at once, "
                  "or at the end of its slice");
  reader.optional("slice_renewal", scheduler.slice_renewal, Choice<SliceRenewal>{},
                  "`turn: kept`, an ablation, in `tlm` alone: a slice that ends while nobody waits is renewed if a "
                  "command waits behind what runs; or never: who comes takes the GPU at once; or always");
  reader.optional("next_turn", scheduler.next_turn, Choice<NextTurn>{},
                  "`turn: kept`, an ablation, in `tlm` alone: who is next is fixed when the owner's last queued kernel "
                  "starts, or when the turn passes");
  const bool is_turn_known = is_read || !reader.has("turn");
  if (!is_known || !is_turn_known || !keeps_turn(scheduler)) return;
  const std::string_view key = key_of(reader, {"technique", "turn", "policy", "preset"});
  if (!info(scheduler.technique).chooses_victims || key.empty()) return;
  reader.reject(key, fmt::format("turn: kept cannot be combined with technique: {}", to_string(scheduler.technique)),
                "", "technique: context_switch, drain, flush");
}

void check_turn(const TurnReaders& readers, Cores cores, const Spec& spec) {
  TurnChecks checks(readers, spec);
  checks.check(readers.scheduler, spec.scheduler);
  if (spec.baseline) checks.check(readers.baseline, *spec.baseline);
  checks.check_processes();
  if (!includes(cores, Cores::kClocked)) return;
  TurnChecks::refuse_ablations(readers.scheduler, spec.scheduler);
  if (spec.baseline) TurnChecks::refuse_ablations(readers.baseline, *spec.baseline);
}

}  // namespace tessera::spec
