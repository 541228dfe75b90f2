// SPDX-License-Identifier: Apache-2.0
// A cycle of both links.
#include "rtl_model/sm/sm_link.h"

#include <algorithm>
#include <string>

namespace tessera::rtl_model {

SmLink::SmLink(const sc_core::sc_module_name& name, std::uint32_t sm, const LinkDelays& delays,
               const Surroundings& surroundings)
    : ClockedModule(name), index_(sm), delays_(delays), around_(surroundings) {
  at_level(kUpLevel, [this] { comb_up(); });
  at_level(kDownLevel, [this] { comb_down(); });
}

// What the SM shows is taken at once, one message a cycle.
void SmLink::comb_up() {
  now_ = around_.clock.core;
  taken_ = *sm_;
  if (taken_.event_valid) taken_.handle_valid = false;
  grants_ = {taken_.event_valid ? index_ : kNone, taken_.handle_valid ? index_ : kNone};
  if (!up_q_.empty()) {
    out_ = up_q_.front().at <= now_ ? up_q_.front().what : SmOutputs{};
  } else {
    out_ = delays_.up == 0 ? taken_ : SmOutputs{};
  }
}

void SmLink::comb_down() {
  now_ = around_.clock.core;
  control_.valid = dispatch_.valid = false;
  if (delays_.down == 0) {
    if (is_told()) control_ = around_.control;
    if (is_sent_tb()) dispatch_ = around_.dispatch;
  } else if (!down_q_.empty() && down_q_.front().at <= now_) {
    control_ = down_q_.front().control;
    dispatch_ = down_q_.front().dispatch;
  }
}

void SmLink::seq() {
  if (taken_.any()) up_q_.push_back({now_ + delays_.up, taken_});
  if (is_taken()) up_q_.pop_front();
  if (delays_.down == 0) return;
  if (control_.valid || dispatch_.valid) down_q_.pop_front();
  if (is_told()) down_q_.push_back({now_ + delays_.down, around_.control, {}});
  if (is_sent_tb()) down_q_.push_back({now_ + delays_.down, {}, around_.dispatch});
}

// A message that is shown already arrives no more.
Cycle SmLink::next_arrival() const {
  const Cycle up = up_q_.empty() || out_.any() ? kNever : up_q_.front().at;
  return std::min(up, down_q_.empty() ? kNever : down_q_.front().at);
}

void SmLink::list_signals(ISignalSink& signals) const {
  signals.enter("u_sm_link_" + std::to_string(index_));
  signals.signal("event_valid_o", 1, [this] { return out_.event_valid; });
  signals.signal("event_kind_o", 3, [this] { return static_cast<std::uint64_t>(out_.event); });
  signals.signal("event_tag_o", CoreShape::kMaxTagWidth, [this] { return out_.event_tag; });
  signals.signal("handle_valid_o", 1, [this] { return out_.handle_valid; });
  signals.signal("handle_tb_o", 32, [this] { return out_.handle_tb; });
  signals.signal("sm_control_valid_o", 1, [this] { return control_.valid; });
  signals.signal("sm_control_kind_o", 3, [this] { return static_cast<std::uint64_t>(control_.kind); });
  signals.signal("sm_control_tag_o", CoreShape::kMaxTagWidth, [this] { return control_.tag; });
  signals.signal("dispatch_valid_o", 1, [this] { return dispatch_.valid; });
  signals.signal("dispatch_tb_o", 32, [this] { return dispatch_.tb; });
  signals.signal("up_count_q", 8, [this] { return up_q_.size(); });
  signals.signal("down_count_q", 16, [this] { return down_q_.size(); });
  signals.leave();
}

}  // namespace tessera::rtl_model
