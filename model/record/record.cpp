// SPDX-License-Identifier: Apache-2.0
// Names of the kinds, the fields they carry, and the canonical order of the log.
#include "model/record/record.h"

#include <array>
#include <tuple>

#include "model/record/kind_info.h"

namespace tessera::record {
namespace {

constexpr std::uint16_t kTbFields = kFieldSm | kFieldSlot | kFieldLaunch | kFieldTb;
constexpr std::uint16_t kSmFields = kFieldSm | kFieldLaunch;
constexpr std::uint16_t kKernelFields = kFieldLaunch | kFieldProcess | kFieldKernel;
constexpr std::uint16_t kDmaFields = kFieldProcess | kFieldBytes | kFieldValue;
constexpr std::uint16_t kGroupFields = kFieldProcess | kFieldValue;
constexpr std::uint16_t kIoFields = kFieldProcess | kFieldTb | kFieldBytes | kFieldValue;
constexpr std::uint16_t kRunFields = kFieldProcess | kFieldRun;

// In the order of enum Kind.
constexpr std::array<KindInfo, kNumKinds> kKinds{{
    {"tb_finished", kTbFields},
    {"tb_saved", kTbFields | kFieldBytes},
    {"victim_chosen", kTbFields | kFieldTechnique | kFieldBytes | kFieldCycles | kFieldValue},
    {"tb_flushed", kTbFields},
    {"tb_restored", kTbFields | kFieldBytes},
    {"sm_flushed", kSmFields | kFieldCycles | kFieldValue},
    {"victim_left", kTbFields | kFieldTechnique | kFieldBytes | kFieldCycles},
    {"position_granted", kSmFields | kFieldSlot | kFieldCycles | kFieldValue},
    {"preemption_done", kSmFields | kFieldBytes | kFieldCycles | kFieldTechnique},
    {"sm_passed", kSmFields | kFieldProcess | kFieldKernel},
    {"sm_returned", kSmFields | kFieldValue | kFieldTechnique},
    {"restore_done", kSmFields | kFieldBytes | kFieldCycles},
    {"sm_released", kSmFields},
    {"sm_busy", kSmFields | kFieldCycles},
    {"sm_slots", kSmFields | kFieldSlot | kFieldBytes | kFieldCycles | kFieldValue},
    {"kernel_finished", kKernelFields | kFieldValue},
    {"kernel_left", kKernelFields | kFieldValue | kFieldBytes},
    {"kernel_arrived", kKernelFields | kFieldRun},
    {"kernel_activated", kKernelFields},
    {"turn_passed", kFieldProcess | kFieldValue},
    {"turn_began", kFieldProcess | kFieldCycles},
    {"sm_set_up", kSmFields | kFieldProcess | kFieldKernel},
    {"policy_invoked", 0},
    {"policy_decided", kFieldCycles | kFieldValue},
    {"preemption_requested", kSmFields | kFieldValue | kFieldTechnique},
    {"preemption_retargeted", kSmFields | kFieldValue | kFieldTechnique},
    {"tb_issued", kTbFields},
    {"tb_restarted", kTbFields},
    {"sm_held", kSmFields | kFieldValue | kFieldBytes},
    {"restore_started", kSmFields | kFieldBytes},
    {"save_started", kSmFields | kFieldBytes},
    {"dma_started", kDmaFields},
    {"dma_ended", kDmaFields},
    {"run_started", kRunFields},
    {"run_ended", kRunFields | kFieldCycles},
    {"sms_withheld", kFieldValue},
    {"group_done", kGroupFields | kFieldCycles},
    {"budget_replenished", kFieldValue | kFieldCycles | kFieldBytes},
    {"group_arrived", kGroupFields | kFieldCycles},
    {"group_suspended", kGroupFields},
    {"group_submitted", kGroupFields | kFieldCycles | kFieldBytes},
    {"driver_invoked", kFieldValue | kFieldCycles},
    {"run_released", kRunFields | kFieldCycles | kFieldValue},
    {"cpu_stopped", kFieldProcess | kFieldValue | kFieldCycles | kFieldBytes},
    {"cpu_ready", kFieldProcess},
    {"cpu_started", kFieldProcess | kFieldValue | kFieldCycles},
    {"loop_left", kTbFields | kFieldProcess | kFieldBytes | kFieldValue},
    {"loops_left", kFieldProcess | kFieldLaunch | kFieldBytes | kFieldCycles | kFieldValue},
    {"io_done", kIoFields | kFieldCycles},
    {"token_released", kFieldProcess | kFieldCycles},
    {"token_revoked", kFieldProcess | kFieldCycles},
    {"kernel_killed", kFieldProcess},
    {"token_requested", kFieldProcess},
    {"token_granted", kFieldProcess | kFieldCycles},
    {"yield_requested", kFieldProcess | kFieldCycles},
    {"loop_resumed", kTbFields | kFieldProcess | kFieldBytes | kFieldValue},
    {"io_requested", kIoFields},
    {"launches_done", kFieldProcess | kFieldValue},
    {"task_idle", kFieldProcess},
    {"task_ready", kFieldProcess},
    {"task_suspended", kFieldProcess | kFieldValue},
    {"task_halted", kFieldProcess | kFieldCycles},
    {"task_stopped", kFieldProcess | kFieldCycles},
    {"run_list_updated", kFieldProcess | kFieldCycles},
    {"task_resumed", kFieldProcess | kFieldCycles},
    {"launch_handed_over", kFieldProcess | kFieldValue},
}};

}  // namespace

const KindInfo& kind_info(Kind kind) { return kKinds[static_cast<std::size_t>(kind)]; }

std::string_view to_string(Kind kind) { return kind_info(kind).name; }

std::string_view to_string(Technique technique) {
  switch (technique) {
    case Technique::kNone:
      return "none";
    case Technique::kContextSwitch:
      return "context_switch";
    case Technique::kDrain:
      return "drain";
    case Technique::kFlush:
      return "flush";
    case Technique::kChimera:
      return "chimera";
    case Technique::kDualKernel:
      return "dual_kernel";
  }
  return "";
}

bool canonical_less(const Record& a, const Record& b) {
  if (a.cycle != b.cycle) return a.cycle < b.cycle;
  if (a.kind != b.kind) return a.kind < b.kind;
  const auto key = [](const Record& r) {
    return std::tie(r.sm, r.slot, r.process, r.kernel, r.launch, r.tb, r.run, r.technique, r.bytes, r.cycles, r.value);
  };
  return key(a) < key(b);
}

}  // namespace tessera::record
