// SPDX-License-Identifier: Apache-2.0
// Who holds SMs is counted again only where the tables have changed since: between moves, thread blocks come and go.
#include "tlm/execution_engine/sm_control/contention.h"

#include <algorithm>

namespace tessera::tlm_model {

Contention::Contention(const spec::ContentionSpec& spec, const policy::SchedulingTables& tables, const SmOwners& owners,
                       const SmArray& array)
    : spec_(spec), tables_(tables), owners_(owners), array_(array), holders_(kMaxPartitions) {
  count_holders();
}

Cycle Contention::stretched(Cycle alone, const KernelLaunch& launch, SmId sm) {
  if (!launch.kind || alone >= kNever) return alone;
  if (tables_.num_changes_of_place() != counted_changes_) count_holders();
  const std::uint32_t holders = holders_[domain_of(sm)][static_cast<std::size_t>(*launch.kind)];
  if (holders == kNobody || holders == launch.process) return alone;
  return std::min(mul_div_round(alone, spec_.factor_ppm_of(*launch.kind), workload::kMillion), kNever);
}

void Contention::count_holders() {
  counted_changes_ = tables_.num_changes_of_place();
  Holders none;
  none.fill(kNobody);
  std::fill(holders_.begin(), holders_.end(), none);
  for (std::size_t i = 0; i < owners_.sms().size(); ++i) {
    const KernelLaunch* const launch = holder_of(i);
    if (launch == nullptr || !launch->kind) continue;
    std::uint32_t& holders = holders_[domain_of(SmId(i))][static_cast<std::size_t>(*launch->kind)];
    if (holders == kNobody) {
      holders = launch->process;
    } else if (holders != launch->process) {
      holders = kSeveral;
    }
  }
}

// The kernel that runs on the SM, or ran there until it was reserved for another one. Null: none, or one that has
// ended.
const KernelLaunch* Contention::holder_of(std::size_t sm) const {
  const policy::SmEntry& entry = tables_.sm(SmId(sm));
  if (entry.status == policy::SmStatus::kIdle || !tables_.ksr(entry.ksr).is_valid) return nullptr;
  const KernelRun& kernel = array_.kernel(entry.ksr);
  return owners_.sm(SmId(sm)).launch == kernel.id ? &kernel.launch : nullptr;
}

std::size_t Contention::domain_of(SmId sm) const {
  const bool is_gpu = spec_.domain == spec::ContentionDomain::kGpu || !tables_.is_partitioned();
  return is_gpu ? 0 : index(tables_.sm(sm).partition);
}

}  // namespace tessera::tlm_model
