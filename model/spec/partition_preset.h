// SPDX-License-Identifier: Apache-2.0
// Partitions as GPUs provide them: slices of MIG, and the shares of the GPU to which MPS limits its clients
// (docs/concepts/partitions.md).
#pragma once

#include <array>
#include <cstdint>

namespace tessera::spec {

enum class PresetKind { kMig, kMps };

// SMs come in pairs (TPCs), which both presets keep together.
inline constexpr std::uint32_t kSmsOfPair = 2;

// Compute slices of an instance and the memory slices that come with them, for GPUs without a table of their own.
struct MigSize {
  std::uint32_t slices;
  std::uint32_t memory_slices;
};
inline constexpr std::array<MigSize, 5> kMigSizes{{{1, 1}, {2, 2}, {3, 4}, {4, 4}, {7, 8}}};  // ascending
inline constexpr std::uint32_t kMigSlices = 7;
inline constexpr std::uint32_t kMigMemorySlices = 8;

// 0: there is no such instance.
constexpr std::uint32_t memory_slices_of(std::uint32_t slices) {
  for (const MigSize& size : kMigSizes) {
    if (size.slices == slices) return size.memory_slices;
  }
  return 0;
}

// The largest number of pairs that seven slices can have each, in SMs; 0: the GPU is too small.
constexpr std::uint32_t default_slice_sms(std::uint32_t num_sms) {
  return num_sms / (kMigSlices * kSmsOfPair) * kSmsOfPair;
}

inline constexpr std::uint32_t kMaxMpsClients = 48;
inline constexpr int kPercentDigits = 2;            // shares are in hundredths of a per cent
inline constexpr std::uint32_t kWholeGpu = 10'000;  // in hundredths of a per cent

// A share in SMs, rounded up; and a number of SMs rounded up to pairs, at most the whole GPU.
constexpr std::uint32_t sms_of_share(std::uint32_t share, std::uint32_t num_sms) {
  return (share * num_sms + kWholeGpu - 1) / kWholeGpu;
}
constexpr std::uint32_t in_pairs(std::uint32_t sms, std::uint32_t num_sms) {
  const std::uint32_t pairs = (sms + kSmsOfPair - 1) / kSmsOfPair * kSmsOfPair;
  return pairs < num_sms ? pairs : num_sms;
}
// The largest share that is rounded up to `sms` SMs.
constexpr std::uint32_t share_of_sms(std::uint32_t sms, std::uint32_t num_sms) { return sms * kWholeGpu / num_sms; }

// What the Spec's partitions, which are lists of SMs, were made from.
struct PresetSpec {
  PresetKind kind = PresetKind::kMig;
  std::uint32_t slice_sms = 0;  // mig; 0: instances are not multiples of one size
  bool is_hypothetical = true;  // mig: the sizes are not those of the GPU's table
};

}  // namespace tessera::spec
