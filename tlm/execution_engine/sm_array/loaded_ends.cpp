// SPDX-License-Identifier: Apache-2.0
// Where memory answers later under load, a thread block ends when its work and its bytes do
// (docs/concepts/loaded_memory.md).
#include "tlm/execution_engine/sm_array/sm_array.h"

namespace tessera::tlm_model {

// The leaf of the next TB that ends before `before`, at now(). None: nothing does, or the clock of memory has changed.
std::optional<std::uint32_t> SmArray::next_loaded_end(Cycle before) {
  for (;;) {
    const EventTree::Key work = ends_.min();
    const Cycle bytes_end = memory_->next_end();
    const Cycle now = std::min({EventTree::time_of(work), bytes_end, memory_->settles_at()});
    if (now >= before) return std::nullopt;
    now_ = now;
    // 1. An epoch ends before anything else of its cycle.
    if (memory_->settles_at() == now) {
      if (!memory_->settle(now)) continue;
      for (std::size_t i = 0; i < sms_.size(); ++i) tell_ends_of_moves(SmId(i));
      return std::nullopt;
    }
    // 2. Ends of one cycle are in the order of their slots.
    const std::uint32_t leaf = EventTree::leaf_of(work);
    const bool is_by_bytes =
        bytes_end < EventTree::time_of(work) || (bytes_end == EventTree::time_of(work) && memory_->first() < leaf);
    if (!is_by_bytes) {
      if (!memory_->await_bytes(leaf, now)) return leaf;
      ends_.clear(leaf);
      continue;
    }
    const std::uint32_t first = memory_->first();
    const Cycle work_end = memory_->work_end(first);
    if (work_end <= now) return first;
    // 3. Memory has become faster: now its work ends it.
    memory_->await_work(first);
    ends_.set(first, work_end);
  }
}

void SmArray::copy_moves(bool starts, Cycle now) {
  if (memory_ == nullptr) return;
  starts ? memory_->copy_starts(now) : memory_->copy_ends(now);
}

// Whose work was over when it stopped waits for the rest of its bytes.
bool SmArray::resume_bytes(std::uint32_t leaf, const KernelRun& kernel, std::uint64_t bytes, Cycle work, Cycle now) {
  if (memory_ == nullptr || bytes == 0) return false;
  return memory_->place(leaf, memory_->use_of(bytes, kernel.memory_per_tb.in_flight, 0), now, work, now);
}

}  // namespace tessera::tlm_model
