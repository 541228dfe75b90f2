// SPDX-License-Identifier: Apache-2.0
// Contention between kernels ([Z21] 4.2; docs/concepts/partitions.md): a thread block that is issued while a kernel of
// another process, of the same kind, holds an SM of the domain takes longer by the kind's factor.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "model/base/ids.h"
#include "model/base/time.h"
#include "model/policy/scheduling_tables.h"
#include "model/spec/contention_spec.h"
#include "tlm/execution_engine/sm_control/sm_owners.h"

namespace tessera::tlm_model {

class Contention {
 public:
  Contention(const spec::ContentionSpec& spec, const policy::SchedulingTables& tables, const SmOwners& owners,
             const SmArray& array);

  // Duration of a thread block of `launch` issued to the SM now, which takes `alone` cycles without contention: rounded
  // to the nearest cycle, at least 1. One that never ends is returned unchanged.
  Cycle stretched(Cycle alone, const KernelLaunch& launch, SmId sm);

 private:
  // Per kind of kernel, the process that holds SMs of a domain: kNobody, its number, or kSeveral.
  using Holders = std::array<std::uint32_t, realtime::kNumKinds>;
  static constexpr std::uint32_t kNobody = 0xFFFF'FFFF;
  static constexpr std::uint32_t kSeveral = 0xFFFF'FFFE;

  void count_holders();
  const KernelLaunch* holder_of(std::size_t sm) const;
  std::size_t domain_of(SmId sm) const;

  const spec::ContentionSpec& spec_;
  const policy::SchedulingTables& tables_;
  const SmOwners& owners_;
  const SmArray& array_;
  std::vector<Holders> holders_;       // by domain
  std::uint64_t counted_changes_ = 0;  // changes of the tables when last counted
};

}  // namespace tessera::tlm_model
