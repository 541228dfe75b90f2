// SPDX-License-Identifier: Apache-2.0
// Page by page access.
#include "tlm/memory/paged_memory.h"

#include <algorithm>
#include <cstring>

namespace tessera::tlm_model {

void PagedMemory::read(std::uint64_t address, std::uint8_t* data, std::uint64_t size) const {
  while (size > 0) {
    const std::uint64_t offset = address % kPageBytes;
    const std::uint64_t part = std::min(size, kPageBytes - offset);
    const auto page = pages_.find(address / kPageBytes);
    if (page == pages_.end()) {
      std::memset(data, 0, part);
    } else {
      std::memcpy(data, page->second->data() + offset, part);
    }
    address += part;
    data += part;
    size -= part;
  }
}

void PagedMemory::write(std::uint64_t address, const std::uint8_t* data, std::uint64_t size) {
  while (size > 0) {
    const std::uint64_t offset = address % kPageBytes;
    const std::uint64_t part = std::min(size, kPageBytes - offset);
    std::memcpy(page(address) + offset, data, part);
    address += part;
    data += part;
    size -= part;
  }
}

std::uint8_t* PagedMemory::page(std::uint64_t address) {
  std::unique_ptr<Page>& page = pages_[address / kPageBytes];
  if (!page) page = std::make_unique<Page>();  // zeroed
  return page->data();
}

}  // namespace tessera::tlm_model
