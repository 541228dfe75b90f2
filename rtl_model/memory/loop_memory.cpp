// SPDX-License-Identifier: Apache-2.0
// Words that come, words that go.
#include "rtl_model/memory/loop_memory.h"

#include <algorithm>

namespace tessera::rtl_model {

void LoopMemory::post(const HostWord& word) {
  const auto later = [](const HostWord& a, const HostWord& b) { return a.stamp < b.stamp; };
  words_.insert(std::upper_bound(words_.begin(), words_.end(), word, later), word);
}

bool LoopMemory::take_words(Cycle now) {
  auto first_later = words_.begin();
  for (; first_later != words_.end() && first_later->stamp < now; ++first_later) write(*first_later);
  const bool has_come = first_later != words_.begin();
  words_.erase(words_.begin(), first_later);
  return has_come;
}

void LoopMemory::write(const HostWord& word) {
  Kernel& kernel = kernels_[word.context];
  switch (word.kind) {
    case HostWord::Kind::kYield:
      if (kernel.told_number != word.value) kernel.told_at = word.stamp + 1;  // of several words the first counts
      kernel.told_number = word.value;
      return;
    case HostWord::Kind::kIoDone:
      kernel.loops.at(word.value).is_io_done = true;
      return;
    case HostWord::Kind::kKill:
      kernel.killed_number = word.value;
      return;
  }
}

void LoopMemory::launch(std::uint32_t context, const LoopDescriptor& loops, std::uint32_t num_tbs) {
  if (loops.is_relaunch) return;
  kernels_[context].loops.assign(num_tbs, {});
  kernels_[context].loops_left = num_tbs;
}

void LoopMemory::store(std::uint32_t context, std::uint32_t tb, const State& state) {
  Kernel& kernel = kernels_[context];
  State& before = kernel.loops[tb].state;
  if (state.is_done && !before.is_done) --kernel.loops_left;
  before = state;
}

// The word that says that it is done is the same each time.
void LoopMemory::ask(const IoWord& io) {
  kernels_[io.context].loops[io.tb].is_io_done = false;
  requests.push_back(io);
}

}  // namespace tessera::rtl_model
