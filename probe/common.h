// SPDX-License-Identifier: Apache-2.0
// What all experiments of the probe use: checked CUDA calls, launches, clocks, quantiles, and the card that they run
// on. Kernels are launched through the runtime's function, so that a host compiler reads these files too.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace probe {

// Ends the process with a line that says what failed: exit status 3.
void check(cudaError_t status, const char* what);

template <typename... Parameters, typename... Arguments>
void launch(void (*kernel)(Parameters...), int grid, int threads, std::size_t smem, cudaStream_t stream,
            Arguments... arguments) {
  const auto start = [&](Parameters... values) {
    void* pointers[sizeof...(Parameters) + 1] = {static_cast<void*>(&values)...};  // there may be none
    check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(static_cast<unsigned>(grid)),
                           dim3(static_cast<unsigned>(threads)), pointers, smem, stream),
          "launch");
  };
  start(static_cast<Parameters>(arguments)...);
}

template <typename T>
T* device_array(std::size_t count) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, count * sizeof(T)), "cudaMalloc");
  check(cudaMemset(memory, 0, count * sizeof(T)), "cudaMemset");
  return static_cast<T*>(memory);
}

template <typename T>
std::vector<T> copied(const T* device, std::size_t count) {
  std::vector<T> host(count);
  check(cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost), "cudaMemcpy");
  return host;
}

double now_us();                                            // of the host's steady clock
void spin_us(double us);                                    // busy, so that the host does not sleep
double quantile(std::vector<double> values, double share);  // NaN without values

// A host flag that kernels can write: word 0.
volatile unsigned long long* host_flag();

struct Card {
  cudaDeviceProp properties{};
  double mhz = 0;  // measured while it is busy
  int num_sms() const { return properties.multiProcessorCount; }
  unsigned long long cycles(double us) const { return static_cast<unsigned long long>(us * mhz); }
};

// Opens the device, gets its clock up, and measures it. Call once a process, after any fork.
Card open_card();

// Lets a kernel use all of an SM's shared memory.
void allow_all_shared_memory(const void* kernel);

// A file of rows in the output folder; says where it cannot be written.
class Rows {
 public:
  Rows(const std::string& folder, const std::string& name, const char* header);
  ~Rows();
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  std::FILE* file() const { return file_; }

 private:
  std::FILE* file_;
};

// One experiment: what it checks, and what was wrong with its figures, a line each.
using Doubts = std::vector<std::string>;

Doubts measure_card(const std::string& folder);
Doubts measure_launch(const std::string& folder);
Doubts measure_dispatch(const std::string& folder);
Doubts measure_turnaround(const std::string& folder);
Doubts measure_slices(const std::string& folder);
Doubts measure_arrivals(const std::string& folder);
Doubts measure_requests(const std::string& folder);

}  // namespace probe
