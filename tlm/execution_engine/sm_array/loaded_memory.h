// SPDX-License-Identifier: Apache-2.0
// Memory that answers later under load (docs/concepts/loaded_memory.md): the bytes of thread blocks, how fast they
// move, and the one clock by which all of them do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "model/base/event_tree.h"
#include "model/base/ids.h"
#include "model/base/time.h"
#include "model/spec/spec_fwd.h"
#include "model/workload/memory_traffic.h"
#include "tlm/execution_engine/sm_array/memory_channel.h"
#include "tlm/execution_engine/sm_array/virtual_clock.h"

namespace tessera::tlm_model {

using workload::kUnloaded;
using workload::MemoryDemand;
using workload::MemoryTraffic;

// What a thread block of a kernel needs of memory.
struct MemoryUse {
  std::uint64_t bytes = 0;      // 0: nothing
  std::uint64_t in_flight = 0;  // of these, on their way at once
  std::uint64_t takes = 0;      // virtual time for all of them, if the SM's cap is no less than what its TBs want
  std::uint64_t most = 0;       // bytes a second, likewise
};

// What memory did in a run.
struct MemoryTotals {
  std::uint64_t bytes = 0;  // that thread blocks and contexts moved
  std::uint64_t largest_factor = kUnloaded;
};

class LoadedMemory {
 public:
  // `slot_bits`: a leaf is SM << slot_bits | slot. Throws std::invalid_argument for a GPU without a curve.
  LoadedMemory(const spec::GpuSpec& gpu, std::uint32_t slot_bits);

  // `in_flight` 0: what the GPU's file says of a thread.
  MemoryUse use_of(std::uint64_t bytes, std::uint64_t in_flight, std::uint32_t threads) const;

  // ---- thread blocks, by leaf
  // One comes whose bytes move from `start` on; it has `work` cycles of work. Sets the scale of its SM anew if what its
  // TBs want is not what it was when the last one came. True: by the clock of now its bytes end it, and an end of its
  // work is not asked for.
  bool place(std::uint32_t leaf, const MemoryUse& use, Cycle start, Cycle work, Cycle now);
  // One ends, and the next one comes in its place.
  bool replace(std::uint32_t leaf, const MemoryUse& use, Cycle start, Cycle work, Cycle now);
  // It ends, or is dropped. Of one without bytes nothing happens, here and below.
  void end(std::uint32_t leaf, Cycle now);
  // It stops; returns how many of its bytes are left.
  std::uint64_t stop(std::uint32_t leaf, Cycle now);
  // Its work is over. False: so are its bytes; else it ends with them.
  bool await_bytes(std::uint32_t leaf, Cycle now) {
    const Tb& tb = tbs_[leaf];
    if (tb.state == State::kNone || tb.ends <= clock_.at(now)) return false;
    await(leaf);
    return true;
  }
  // Its bytes have come first, after all: it ends with its work again.
  void await_work(std::uint32_t leaf);
  // Whether it ends with its bytes, as far as is known; and when its work does.
  bool is_awaited(std::uint32_t leaf) const { return tbs_[leaf].state == State::kAwaited; }
  Cycle work_end(std::uint32_t leaf) const { return tbs_[leaf].work_ends; }

  // ---- other traffic
  // Context moves of SMs, each at its SM's cap.
  std::unique_ptr<IMemoryChannel> make_channel(std::uint32_t num_movers);
  void copy_starts(Cycle now);
  void copy_ends(Cycle now);

  // ---- time
  Cycle next_event() const { return next_; }
  // When the TB ends that is the first to have its bytes, and which one that is.
  Cycle next_end() const { return first_at_; }
  std::uint32_t first() const { return EventTree::leaf_of(first_); }
  // An epoch is over in which somebody came or went.
  Cycle settles_at() const { return settles_at_; }
  // True: the clock goes at another rate from `now` on.
  bool settle(Cycle now);

  const MemoryTotals& totals() const { return totals_; }

 private:
  class Channel;
  // kAwaited: in the tree of virtual ends; kWorking: the SM array has the end of its work.
  enum class State : std::uint8_t { kNone, kWorking, kAwaited };
  struct Tb {
    MemoryUse use;
    MemoryDemand demand;
    std::uint64_t most = 0;    // of the SM's cap, a second
    std::uint64_t takes = 0;   // all of its bytes, by the scale of its SM
    std::uint64_t asks = 0;    // its bytes over its work, a second
    std::uint64_t begins = 0;  // virtual time
    std::uint64_t ends = 0;
    Cycle work_ends = 0;
    State state = State::kNone;
  };
  struct Load {
    std::uint64_t wanted = 0;  // bytes on their way, by the SM's TBs
    std::uint64_t scaled = 0;  // what that was when its scale was set
  };
  // An end is in 1/16 of a virtual cycle, rounded up: in so many of its bits an event tree has time for 2^44 cycles.
  static constexpr unsigned kEndBits = 12;
  static std::uint64_t rounded(std::uint64_t end) { return (end + (1U << kEndBits) - 1) >> kEndBits << kEndBits; }

  void set_scale(std::uint32_t sm, Cycle now);
  void scale(Tb& tb, const Load& load) const;
  bool begin(std::uint32_t leaf, Cycle start, Cycle work, Cycle now);
  void demand(Tb& tb);
  void await(std::uint32_t leaf);
  void take_away(std::uint32_t leaf);
  void leave_tree(std::uint32_t leaf);
  std::uint64_t divisor(const Load& load) const { return std::max(cap_, load.scaled); }
  void changed(Cycle now) {
    if (settles_at_ != kNever) return;
    settles_at_ = (now / epoch_ + 1) * epoch_;
    next_ = std::min(next_, settles_at_);
  }
  void find_next();
  std::uint64_t virtual_time(std::uint64_t bytes, std::uint64_t in_flight) const;

  const spec::GpuSpec& gpu_;
  const spec::MemoryLatencySpec& spec_;
  std::uint32_t slot_bits_;
  Cycle epoch_;
  std::uint64_t unloaded_;  // in virtual time
  std::uint64_t cap_;       // bytes that an SM has on their way at most
  VirtualClock clock_;
  MemoryTraffic traffic_;
  EventTree ends_;  // by leaf, of TBs whose work is over: virtual time
  std::vector<Tb> tbs_;
  std::vector<Load> sms_;
  EventTree::Key first_ = EventTree::key_of(kNever, 0);
  Cycle first_at_ = kNever;  // in which cycle, by the clock of now
  Cycle settles_at_ = kNever;
  Cycle next_ = kNever;
  MemoryTotals totals_;
};

}  // namespace tessera::tlm_model
