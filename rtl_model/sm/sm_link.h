// SPDX-License-Identifier: Apache-2.0
// The links between the core and an SM (docs/hardware/timing.md 3.11, 7.5): up go its events and handles, down go
// commands and thread blocks. To the SM it is core and networks, to these it is the SM.
#pragma once

#include <deque>

#include "rtl_model/base/clocked_module.h"
#include "rtl_model/interfaces/clock_count.h"
#include "rtl_model/params.h"
#include "rtl_model/sm/sm_outputs.h"

namespace tessera::rtl_model {

class SmLink final : public ClockedModule {
 public:
  // Of the core and the networks, shared by all links.
  struct Surroundings {
    const ClockCount& clock;
    const SmControlPins& control;
    const DispatchPins& dispatch;
    const SmGrants& grants;
  };
  SmLink(const sc_core::sc_module_name& name, std::uint32_t sm, const LinkDelays& delays,
         const Surroundings& surroundings);
  void connect(const SmOutputs& sm) { sm_ = &sm; }

  // At the SM.
  const SmControlPins& control() const { return control_; }
  const DispatchPins& dispatch() const { return dispatch_; }
  const SmGrants& grants() const { return grants_; }
  // At the networks: the first message, until it is taken.
  const SmOutputs& outputs() const { return out_; }

  // After the SM's outputs; after the core's.
  void comb_up();
  void comb_down();
  void seq() override;

  // With one process, after an edge. Whether a pin of this cycle will fall; the networks took the message of this
  // cycle; the core cycle of the next arrival at either end, kNever: none.
  bool has_pins() const { return control_.valid || dispatch_.valid || out_.any(); }
  bool is_taken() const { return around_.grants.event_sm == index_ || around_.grants.handle_sm == index_; }
  void rest() { out_.event_valid = out_.handle_valid = false; }
  Cycle next_arrival() const;

  void list_signals(ISignalSink& signals) const override;

  static constexpr unsigned kUpLevel = 1;
  static constexpr unsigned kDownLevel = 2;

 private:
  // A message and the core cycle in which it arrives.
  struct Up {
    Cycle at;
    SmOutputs what;  // an event or a handle
  };
  struct Down {
    Cycle at;
    SmControlPins control;
    DispatchPins dispatch;
  };
  bool is_told() const { return around_.control.valid && around_.control.sm == index_; }
  bool is_sent_tb() const { return around_.dispatch.valid && around_.dispatch.sm == index_; }

  std::uint32_t index_;
  LinkDelays delays_;
  Surroundings around_;
  const SmOutputs* sm_ = nullptr;

  // Registers.
  std::deque<Up> up_q_;
  std::deque<Down> down_q_;

  // Wires.
  Cycle now_ = 0;
  SmOutputs taken_;  // from the SM in this cycle
  SmOutputs out_;
  SmGrants grants_;
  SmControlPins control_;
  DispatchPins dispatch_;
};

}  // namespace tessera::rtl_model
