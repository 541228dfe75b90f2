// SPDX-License-Identifier: Apache-2.0
// Bytes of a large, mostly untouched address space; pages are allocated on first write.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>

namespace tessera::tlm_model {

class PagedMemory {
 public:
  static constexpr std::uint64_t kPageBytes = 1U << 16;

  // Untouched bytes read as zero.
  void read(std::uint64_t address, std::uint8_t* data, std::uint64_t size) const;
  void write(std::uint64_t address, const std::uint8_t* data, std::uint64_t size);
  // The page that holds `address`, for direct access; the pointer stays valid.
  std::uint8_t* page(std::uint64_t address);

 private:
  using Page = std::array<std::uint8_t, kPageBytes>;
  std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
};

}  // namespace tessera::tlm_model
