// SPDX-License-Identifier: Apache-2.0
// A set of SMs, one bit per SM, with the searches of priority encoders.
#pragma once

#include <array>
#include <cstdint>

namespace tessera {

inline constexpr std::uint32_t kNone = 0xFFFFFFFF;  // "no SM", "no kernel", ... as an index

class SmSet {
 public:
  static constexpr std::uint32_t kMax = 256;

  static SmSet of(std::uint32_t sm) {
    SmSet one;
    one.set(sm);
    return one;
  }

  bool has(std::uint32_t sm) const { return (words_[sm / 64] >> (sm % 64) & 1) != 0; }
  void set(std::uint32_t sm, bool value = true) {
    const std::uint64_t bit = std::uint64_t{1} << (sm % 64);
    words_[sm / 64] = value ? words_[sm / 64] | bit : words_[sm / 64] & ~bit;
  }
  void clear(std::uint32_t sm) { set(sm, false); }
  void clear() { words_ = {}; }
  // Members 64 * index .. 64 * index + 63.
  std::uint64_t word(std::uint32_t index) const { return words_[index]; }
  void set_word(std::uint32_t index, std::uint64_t members) { words_[index] = members; }
  bool any() const { return (words_[0] | words_[1] | words_[2] | words_[3]) != 0; }

  std::uint32_t size() const {
    std::uint32_t size = 0;
    for (const std::uint64_t word : words_) size += static_cast<std::uint32_t>(__builtin_popcountll(word));
    return size;
  }

  // The lowest member at or above `from`, else kNone.
  std::uint32_t lowest_from(std::uint32_t from) const {
    if (from >= kMax) return kNone;
    std::uint32_t word = from / 64;
    std::uint64_t bits = words_[word] & ~std::uint64_t{0} << from % 64;
    while (bits == 0) {
      if (++word == words_.size()) return kNone;
      bits = words_[word];
    }
    return word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits));
  }
  std::uint32_t lowest() const { return lowest_from(0); }
  // The first member from `from` on, wrapping around.
  std::uint32_t next_in_turn(std::uint32_t from) const {
    const std::uint32_t above = lowest_from(from);
    return above != kNone ? above : lowest();
  }

  // Calls `look(sm)` for every member, the lowest first.
  template <typename Function>
  void for_each(Function look) const {
    for (std::uint32_t word = 0; word < words_.size(); ++word) {
      for (std::uint64_t bits = words_[word]; bits != 0; bits &= bits - 1) {
        look(word * 64 + static_cast<std::uint32_t>(__builtin_ctzll(bits)));
      }
    }
  }

  bool operator==(const SmSet& other) const { return words_ == other.words_; }
  bool operator!=(const SmSet& other) const { return !(*this == other); }
  SmSet operator&(const SmSet& other) const {
    SmSet both;
    for (std::size_t i = 0; i < words_.size(); ++i) both.words_[i] = words_[i] & other.words_[i];
    return both;
  }
  SmSet operator|(const SmSet& other) const {
    SmSet either;
    for (std::size_t i = 0; i < words_.size(); ++i) either.words_[i] = words_[i] | other.words_[i];
    return either;
  }
  // Members that are not in `other`.
  SmSet without(const SmSet& other) const {
    SmSet rest;
    for (std::size_t i = 0; i < words_.size(); ++i) rest.words_[i] = words_[i] & ~other.words_[i];
    return rest;
  }

 private:
  std::array<std::uint64_t, kMax / 64> words_{};
};

}  // namespace tessera
