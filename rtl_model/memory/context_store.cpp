// SPDX-License-Identifier: Apache-2.0
// Context images out and in.
#include "rtl_model/memory/context_store.h"

#include <fmt/format.h>

#include "model/workload/tb_durations.h"

namespace tessera::rtl_model {

std::uint32_t ContextStore::save(const ContextOwner& owner, const TbProgress& progress, std::uint64_t bytes) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(areas_.size()));
    areas_.emplace_back();
  }
  const std::uint32_t stack_pointer = free_.back();
  free_.pop_back();
  Area& area = areas_[stack_pointer];
  area.owner = owner;
  area.progress = progress;
  if (moves_bytes_) area.image = image_of(owner, progress, bytes);
  return stack_pointer;
}

ContextStore::Restored ContextStore::restore(std::uint32_t stack_pointer, const ContextOwner& owner,
                                             std::uint64_t bytes) {
  Area& area = areas_[stack_pointer];
  free_.push_back(stack_pointer);
  Restored restored{area.progress, std::nullopt};
  const bool is_owners =
      area.owner.context == owner.context && area.owner.launch == owner.launch && area.owner.tb == owner.tb;
  if (!is_owners) {
    restored.mismatch = fmt::format("TB {} of launch {} got the context of TB {} of launch {}", owner.tb, owner.launch,
                                    area.owner.tb, area.owner.launch);
  } else if (moves_bytes_ && area.image != image_of(owner, area.progress, bytes)) {
    restored.mismatch = fmt::format("the context of TB {} of launch {} came back changed", owner.tb, owner.launch);
  }
  return restored;
}

// Registers and shared memory of a TB, made up from who it is and how far it has come.
std::vector<std::uint64_t> ContextStore::image_of(const ContextOwner& owner, const TbProgress& progress,
                                                  std::uint64_t bytes) {
  using workload::mix64;
  const std::uint64_t how_far = progress.remaining + progress.num_flushes + progress.loop.position;
  const std::uint64_t key = mix64(owner.context ^ mix64(owner.launch ^ mix64(owner.tb ^ mix64(how_far))));
  std::vector<std::uint64_t> image((bytes + 7) / 8);
  for (std::size_t word = 0; word < image.size(); ++word) image[word] = mix64(key + word);
  return image;
}

}  // namespace tessera::rtl_model
