// SPDX-License-Identifier: Apache-2.0
// Checks, clocks, and how a card is opened.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>

#include "common.h"
#include "kernels.h"

namespace probe {

void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "tessera: probe: %s: %s\n", what, cudaGetErrorString(status));
  std::exit(3);
}

double now_us() {
  using namespace std::chrono;
  return duration<double, std::micro>(steady_clock::now().time_since_epoch()).count();
}

void spin_us(double us) {
  const double end = now_us() + us;
  while (now_us() < end) {
  }
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return std::nan("");
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

volatile u64* host_flag() {
  void* memory = nullptr;
  check(cudaHostAlloc(&memory, 64, cudaHostAllocMapped), "cudaHostAlloc");
  return static_cast<volatile u64*>(memory);
}

Card open_card() {
  Card card;
  check(cudaSetDevice(0), "cudaSetDevice");
  check(cudaFree(nullptr), "a context");
  check(cudaGetDeviceProperties(&card.properties, 0), "cudaGetDeviceProperties");
  // Some ten milliseconds of work get the clock up; then cycles over nanoseconds are the clock.
  constexpr u64 kCycles = 20'000'000;
  Stay* stays = device_array<Stay>(static_cast<std::size_t>(card.num_sms()));
  launch(spin_kernel, card.num_sms(), 128, 0, nullptr, kCycles, stays);
  launch(spin_kernel, 1, 32, 0, nullptr, kCycles, stays);
  check(cudaDeviceSynchronize(), "spin_kernel");
  const Stay stay = copied(stays, 1).front();
  check(cudaFree(stays), "cudaFree");
  const u64 ns = std::max<u64>(1, stay.end_ns - stay.begin_ns);
  card.mhz = static_cast<double>(stay.end_cycle - stay.begin_cycle) * 1e3 / static_cast<double>(ns);
  return card;
}

void allow_all_shared_memory(const void* kernel) {
  cudaFuncAttributes attributes{};
  int most = 0;
  check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
  check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0), "cudaDeviceGetAttribute");
  const int bytes = (most - static_cast<int>(attributes.sharedSizeBytes)) & ~127;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "cudaFuncSetAttribute");
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, 100), "cudaFuncSetAttribute");
}

Rows::Rows(const std::string& folder, const std::string& name, const char* header)
    : file_(std::fopen((folder + "/" + name).c_str(), "w")) {
  if (file_ == nullptr) {
    std::fprintf(stderr, "tessera: probe: cannot write %s/%s\n", folder.c_str(), name.c_str());
    std::exit(3);
  }
  std::fprintf(file_, "%s\n", header);
}

Rows::~Rows() { std::fclose(file_); }

}  // namespace probe
