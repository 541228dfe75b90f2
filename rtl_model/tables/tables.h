// SPDX-License-Identifier: Apache-2.0
// All tables of the core. Jobs and the OS change them; walks read them.
#pragma once

#include <algorithm>

#include "rtl_model/tables/active_queue.h"
#include "rtl_model/tables/command_buffers.h"
#include "rtl_model/tables/context_table.h"
#include "rtl_model/tables/ksrt.h"
#include "rtl_model/tables/linger.h"
#include "rtl_model/tables/partitions.h"
#include "rtl_model/tables/ptbq.h"
#include "rtl_model/tables/set_up_tags.h"
#include "rtl_model/tables/smst.h"
#include "rtl_model/tables/tokens.h"

namespace tessera::rtl_model {

struct Tables {
  explicit Tables(const CoreParams& params)
      : command_buffers(params),
        contexts(params),
        active_queue(params),
        ksrt(params),
        tokens(params, contexts),
        smst(params),
        set_up_tags(params),
        linger(params),
        partitions(params),
        ptbq(params) {}

  // Whether a WRITE to the status or to tokens left, or a TB that the lane has counted, is still in progress.
  bool is_settling() const { return cycles_to_settle > 0 || ksrt.is_settling(); }
  void seq() {
    if (cycles_to_settle > 0 && --cycles_to_settle == 0) tokens.settle();
    ksrt.seq();
    partitions.seq(was_queue_empty_q);
    was_queue_empty_q = active_queue.size() == 0;
    ptbq.seq();
  }
  // Several edges without activity of jobs or pins after the first.
  void seq(std::uint64_t cycles) {
    // After this many edges nothing is in progress any more.
    for (std::uint64_t i = std::min<std::uint64_t>(cycles, kSettleCycles); i > 0; --i) seq();
  }

  CommandBuffers command_buffers;
  ContextTable contexts;
  ActiveQueue active_queue;
  Ksrt ksrt;
  Tokens tokens;
  Smst smst;
  SetUpTags set_up_tags;
  Linger linger;
  Partitions partitions;
  Ptbq ptbq;

  // A WRITE in cycle w is visible in w + 3; reset counts as a WRITE.
  static constexpr unsigned kSettleCycles = 3;
  unsigned cycles_to_settle = kSettleCycles - 1;
  bool was_queue_empty_q = true;  // in this cycle, before its job's changes
};

}  // namespace tessera::rtl_model
