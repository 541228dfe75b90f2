// SPDX-License-Identifier: Apache-2.0
// The links of a machine's SMs and, for one process that drives all, the core cycles in which something arrives.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/base/event_tree.h"
#include "rtl_model/sm/sm_link.h"

namespace tessera::rtl_model {

class SmLinks {
 public:
  SmLinks(const Params& params, const SmLink::Surroundings& surroundings)
      : links_(params.links.size()), due_(static_cast<std::uint32_t>(params.links.size())) {
    for (std::uint32_t sm = 0; sm < links_.size(); ++sm) {
      if (!params.links[sm].any()) continue;
      const std::string name = "u_sm_link_" + std::to_string(sm);
      links_[sm] = std::make_unique<SmLink>(name.c_str(), sm, params.links[sm], surroundings);
      linked_.set(sm);
    }
  }

  bool any() const { return !links_.empty(); }
  bool has(std::uint32_t sm) const { return linked_.has(sm); }  // else it is wired
  const SmSet& linked() const { return linked_; }
  SmLink& of(std::uint32_t sm) const { return *links_[sm]; }

  Cycle next_arrival() const { return due_.min_time(); }
  // An SM to which, or from which, something arrives by `now`, once; kNone: no more.
  std::uint32_t take_due(Cycle now) {
    if (next_arrival() > now) return kNone;
    const std::uint32_t sm = EventTree::leaf_of(due_.min());
    due_.clear(sm);
    return sm;
  }
  void set_due(std::uint32_t sm, Cycle core_cycle) {
    if (due_.time(sm) != core_cycle) due_.set(sm, core_cycle);
  }

 private:
  std::vector<std::unique_ptr<SmLink>> links_;  // by SM; null: wired
  SmSet linked_;
  EventTree due_;
};

}  // namespace tessera::rtl_model
