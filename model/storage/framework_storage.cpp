// SPDX-License-Identifier: Apache-2.0
// Field widths follow the sizes of the machine; those of addresses are fixed.
#include "model/storage/framework_storage.h"

#include <algorithm>

namespace tessera::storage {
namespace {

constexpr std::uint32_t kValidBits = 1;
constexpr std::uint32_t kAddressBits = 40;  // GPU virtual addresses of the GK110
constexpr std::uint32_t kPriorityBits = 4;
constexpr std::uint32_t kParameterCountBits = 8;
constexpr std::uint32_t kMinTokenBits = 8;
constexpr std::uint32_t kSmStateBits = 2;  // idle, running, reserved
constexpr std::uint32_t kStackPointerBits = 32;

// To tell `count` things apart.
std::uint32_t bits_for(std::uint64_t count) {
  std::uint32_t bits = 0;
  while ((std::uint64_t{1} << bits) < count) ++bits;
  return bits;
}

std::uint32_t num_ksrs(const spec::GpuSpec& gpu) {
  return gpu.framework.num_ksrs == 0 ? gpu.num_sms : gpu.framework.num_ksrs;
}
std::uint32_t ksr_index_bits(const spec::GpuSpec& gpu) { return bits_for(num_ksrs(gpu)); }
std::uint32_t resident_bits(const spec::GpuSpec& gpu) { return bits_for(gpu.max_tbs_per_sm + std::uint64_t{1}); }
std::uint32_t context_bits(const spec::GpuSpec& gpu) { return bits_for(gpu.framework.num_command_buffers); }
std::uint64_t max_resident_tbs(const spec::GpuSpec& gpu) { return std::uint64_t{gpu.num_sms} * gpu.max_tbs_per_sm; }

std::uint64_t sum(const std::vector<Field>& fields) {
  std::uint64_t bits = 0;
  for (const Field& field : fields) bits += field.bits;
  return bits;
}

}  // namespace

std::uint64_t Structure::bits() const { return num_entries * sum(entry) + sum(once); }

Structure command_buffers(const spec::GpuSpec& gpu) {
  return {"command_buffers",
          gpu.framework.num_command_buffers,
          {{"valid", kValidBits},
           {"descriptor", kAddressBits},
           {"num_tbs", gpu.framework.tb_id_bits},
           {"tbs_per_sm", resident_bits(gpu)},
           {"context", context_bits(gpu)},
           {"priority", kPriorityBits}},
          {}};
}

Structure active_queue(const spec::GpuSpec& gpu) {
  return {"active_queue", num_ksrs(gpu), {{"ksr", ksr_index_bits(gpu)}}, {{"length", bits_for(num_ksrs(gpu) + 1ULL)}}};
}

Structure kernel_status_register_table(const spec::GpuSpec& gpu) {
  return {"ksrt",
          num_ksrs(gpu),
          {{"valid", kValidBits},
           {"descriptor", kAddressBits},
           {"num_tbs", gpu.framework.tb_id_bits},
           {"next_tb", gpu.framework.tb_id_bits},
           {"outstanding_tbs", bits_for(max_resident_tbs(gpu) + 1)},
           {"tbs_per_sm", resident_bits(gpu)},
           {"context", context_bits(gpu)},
           {"priority", kPriorityBits},
           {"tokens", std::max(kMinTokenBits, bits_for(2ULL * gpu.num_sms + 1))},
           {"num_parameters", kParameterCountBits},
           {"parameters", kAddressBits}},
          {}};
}

Structure sm_status_table(const spec::GpuSpec& gpu) {
  return {"smst",
          gpu.num_sms,
          {{"state", kSmStateBits},
           {"ksr", ksr_index_bits(gpu)},
           {"running_tbs", resident_bits(gpu)},
           {"next_ksr", ksr_index_bits(gpu)}},
          {}};
}

Structure preempted_tb_queues(const spec::GpuSpec& gpu) {
  return {"ptbq", num_ksrs(gpu) * max_resident_tbs(gpu), {{"tb", gpu.framework.tb_id_bits}, {"stack_pointer", kStackPointerBits}}, {}};
}

}  // namespace tessera::storage
