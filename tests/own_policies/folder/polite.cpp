// SPDX-License-Identifier: Apache-2.0
// polite: idle SMs go to the kernel of the highest priority that needs one, of whatever context. None is taken away.
#include "model/policy/urgency_search.h"

namespace tessera::policy {
namespace {

class PolitePolicy final : public IPolicy {
 public:
  CommandBufferId select_command(const SchedulingTables& tables) const override {
    return most_urgent_command<ByPriority>(tables);
  }
  Decision step(const SchedulingTables& tables) override {
    KsrId first = kNoKsr;
    for (const KsrId id : tables.active_queue()) {
      const KsrEntry& ksr = tables.ksr(id);
      if (ksr.uncovered_tbs() > 0 && (first == kNoKsr || ksr.priority > tables.ksr(first).priority)) first = id;
    }
    const SmId idle = tables.lowest_idle_sm();
    if (first == kNoKsr || idle == kNoSm) return {};
    return {Action::kAssign, idle, first};
  }
};

}  // namespace

std::unique_ptr<IPolicy> make_polite(const PolicyConfig&) { return std::make_unique<PolitePolicy>(); }

}  // namespace tessera::policy
