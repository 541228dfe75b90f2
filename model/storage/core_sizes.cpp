// SPDX-License-Identifier: Apache-2.0
// What a GPU file leaves open follows from what it gives.
#include "model/storage/core_sizes.h"

#include <algorithm>

#include "model/spec/gpu_spec.h"

namespace tessera::storage {
namespace {

constexpr std::uint32_t kMaxCommandBuffers = 256;  // contexts have no use for more
constexpr std::uint32_t kWaitWidth = 8;            // holds latencies of up to 255 cycles

}  // namespace

CoreSizes::CoreSizes(const spec::GpuSpec& gpu)
    : num_sms(gpu.num_sms),
      max_tbs_per_sm(gpu.max_tbs_per_sm),
      num_ksrs(gpu.framework.num_ksrs == 0 ? gpu.num_sms : gpu.framework.num_ksrs),
      num_command_buffers(std::min(gpu.framework.num_command_buffers, kMaxCommandBuffers)),
      num_contexts(num_command_buffers),
      ptbq_depth(num_sms * max_tbs_per_sm),
      tb_width(gpu.framework.tb_id_bits),
      tag_width(gpu.framework.setup_tag_bits),
      has_refill_lane(gpu.framework.refill_lane),
      wait_width(kWaitWidth) {}

}  // namespace tessera::storage
