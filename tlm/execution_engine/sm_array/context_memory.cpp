// SPDX-License-Identifier: Apache-2.0
// Saving, restoring and comparing contexts.
#include "tlm/execution_engine/sm_array/context_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "model/workload/tb_durations.h"

namespace tessera::tlm_model {

ContextMemory::ContextMemory(std::uint32_t num_ksrs, std::uint32_t contexts_per_ksr, std::uint64_t max_context_bytes,
                             std::uint64_t base, PagedMemory* memory)
    : contexts_per_ksr_(contexts_per_ksr),
      stride_(sizeof(ContextTag) + max_context_bytes),
      base_(base),
      memory_(memory),
      areas_(num_ksrs) {}

std::uint32_t ContextMemory::save(KsrId ksr, const ContextTag& tag, std::uint64_t bytes, std::uint64_t bytes_left) {
  const Area::Progress progress{tag.remaining, tag.num_flushes, bytes_left};
  Area& area = areas_[index(ksr)];
  std::uint32_t stack_pointer = 0;
  if (area.free.empty()) {
    stack_pointer = static_cast<std::uint32_t>(area.progress.size());
    area.progress.push_back(progress);
  } else {
    stack_pointer = area.free.back();
    area.free.pop_back();
    area.progress[stack_pointer] = progress;
  }
  if (memory_ != nullptr) {
    fill_image(tag, bytes);
    memory_->write(address_of(ksr, stack_pointer), image_.data(), image_.size());
  }
  return stack_pointer;
}

ContextMemory::Restored ContextMemory::restore(KsrId ksr, std::uint32_t stack_pointer,
                                               const ContextTag& expected_identity, std::uint64_t bytes) {
  Area& area = areas_[index(ksr)];
  area.free.push_back(stack_pointer);
  const Area::Progress& progress = area.progress[stack_pointer];
  Restored restored{progress.remaining, static_cast<std::uint32_t>(progress.num_flushes), progress.bytes_left,
                    std::nullopt};
  if (memory_ != nullptr) {
    ContextTag expected = expected_identity;
    expected.remaining = progress.remaining;
    expected.num_flushes = progress.num_flushes;
    restored.mismatch = compare(address_of(ksr, stack_pointer), expected, bytes);
  }
  return restored;
}

void ContextMemory::fill_image(const ContextTag& tag, std::uint64_t bytes) {
  image_.resize(sizeof(tag) + bytes);
  std::memcpy(image_.data(), &tag, sizeof(tag));
  const std::uint64_t key = workload::mix64(
      tag.context + workload::mix64(tag.launch + workload::mix64(tag.tb + workload::mix64(tag.remaining))));
  for (std::uint64_t at = 0; at < bytes; at += 8) {
    const std::uint64_t word = workload::mix64(key + at);
    std::memcpy(image_.data() + sizeof(tag) + at, &word, std::min<std::uint64_t>(8, bytes - at));
  }
}

std::optional<std::string> ContextMemory::compare(std::uint64_t address, const ContextTag& expected,
                                                  std::uint64_t bytes) {
  fill_image(expected, bytes);
  read_back_.resize(image_.size());
  memory_->read(address, read_back_.data(), read_back_.size());
  const auto [read, _] = std::mismatch(read_back_.begin(), read_back_.end(), image_.begin());
  if (read == read_back_.end()) return std::nullopt;
  ContextTag found;
  std::memcpy(&found, read_back_.data(), sizeof(found));
  if (!(found == expected)) {
    return fmt::format("context of TB {} of launch {} (context {}) came back as TB {} of launch {} (context {})",
                       expected.tb, expected.launch, expected.context, found.tb, found.launch, found.context);
  }
  return fmt::format("context of TB {} of launch {} (context {}) came back changed at byte {} of {}", expected.tb,
                     expected.launch, expected.context, read - read_back_.begin() - sizeof(ContextTag), bytes);
}

}  // namespace tessera::tlm_model
