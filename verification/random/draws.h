// SPDX-License-Identifier: Apache-2.0
// Where random experiments come from: one number from a range, and what is made of that. No library's distribution,
// which may differ from one to the next.
#pragma once

#include <cstdint>

#include "model/base/time.h"
#include "model/spec/names.h"
#include "model/workload/draws.h"

namespace tessera::verification {

class Draws {
 public:
  virtual ~Draws() = default;

  virtual std::uint64_t in(std::uint64_t first, std::uint64_t last) = 0;  // both included
  std::uint32_t in32(std::uint32_t first, std::uint32_t last) { return static_cast<std::uint32_t>(in(first, last)); }
  bool one_in(std::uint64_t n) { return in(1, n) == 1; }
  template <typename List>
  auto of(const List& values) {
    return values[in(0, values.size() - 1)];
  }
  template <typename E>
  E any() {
    const auto& names = spec::kNames<E>;
    return names[in(0, names.size() - 1)].value;
  }
  Picoseconds nanoseconds(std::uint64_t first, std::uint64_t last) { return 1000 * in(first, last); }
};

// A generator that counts: the same for the same seed, everywhere.
class CountedDraws final : public Draws {
 public:
  explicit CountedDraws(std::uint64_t seed) : key_(workload::mix64(seed ^ 0x7E55E7A5EEDULL)) {}

  std::uint64_t in(std::uint64_t first, std::uint64_t last) override {
    return first + workload::draw(key_, count_++) % (last - first + 1);
  }

 private:
  std::uint64_t key_;
  std::uint64_t count_ = 0;
};

}  // namespace tessera::verification
