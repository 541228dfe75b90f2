// SPDX-License-Identifier: Apache-2.0
// Costs of a switch: fixed ones, and those of microcode that saves and restores.
#include "model/spec/read_gpu_switch.h"

#include <fmt/core.h>

#include <string_view>

namespace tessera::spec {
namespace {

constexpr const char* kOfMicrocode[] = {"save_us_per_warp", "restore_us_per_warp", "save_us_per_kib",
                                        "restore_us_per_kib", "bandwidth_gbps"};

// A cost that is left out would be none, so each is asked for.
void read_microcode(MappingReader& reader, GpuSwitchSpec& costs, bool is_model_known) {
  const bool is_microcode = is_model_known && costs.model == SaveModel::kMicrocode;
  const Presence needed = is_microcode ? Presence::kRequired : Presence::kOptional;
  MicrocodeSpec& microcode = costs.microcode;
  reader.read("save_us_per_warp", needed, microcode.save_per_warp, kTime,
              "`microcode`: of each warp that an SM saves, before the bytes move");
  reader.read("restore_us_per_warp", needed, microcode.restore_per_warp, kTime,
              "`microcode`: of each warp that an SM restores, after the bytes have moved");
  reader.read("save_us_per_kib", needed, microcode.save_per_kib, kTime,
              "`microcode`: of each KiB of their shared memory, shared between the warps");
  reader.read("restore_us_per_kib", needed, microcode.restore_per_kib, kTime,
              "`microcode`: of each KiB of their shared memory, shared between the warps");
  reader.read("bandwidth_gbps", needed, microcode.bandwidth, kMemoryRate,
              "`microcode`: of all SMs together, in the place of `memory_bandwidth_gbps`");
  if (is_microcode || !is_model_known) return;
  for (const char* const key : kOfMicrocode) {
    if (reader.has(key)) reader.reject(key, "only valid with model: microcode");
  }
}

}  // namespace

GpuSwitchSpec read_gpu_switch(MappingReader reader) {
  GpuSwitchSpec costs;
  const bool is_preempted_read =
      reader.optional("preempted_us", costs.preempted, kTime, "where something was running; shorter than every slice");
  const bool is_dry_read =
      reader.optional("dry_us", costs.dry, kTime, "where nothing was running; shorter than every slice");
  const bool are_known = (is_preempted_read || !reader.has("preempted_us")) && (is_dry_read || !reader.has("dry_us"));
  if (reader.optional("in_slice_us", costs.in_slice, kTime,
                      "of either: how much of its end counts for the slice of the context that comes") &&
      are_known) {
    for (const auto& [key, cost] : {std::pair{"preempted_us", costs.preempted}, std::pair{"dry_us", costs.dry}}) {
      if (costs.in_slice <= cost) continue;
      reader.reject("in_slice_us", fmt::format("is more than all of {}", key), kTime.text(costs.in_slice),
                    fmt::format("at most {}", kTime.text(cost)));
      break;
    }
  }
  const bool is_model_read = reader.optional("model", costs.model, Choice<SaveModel>{},
                                             "contexts are saved as fast as memory takes their bytes ([T14]); or by a "
                                             "routine that the SM's warps run, which needs the five keys below");
  read_microcode(reader, costs, is_model_read || !reader.has("model"));
  reader.reject_unknown_keys();
  return costs;
}

}  // namespace tessera::spec
