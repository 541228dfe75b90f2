// SPDX-License-Identifier: Apache-2.0
// What was launched and what has become of it, as the pins tell: each thread block runs once, each handle comes back
// with its stack pointer, each kernel ends once.
#pragma once

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "rtl_model/interfaces/pins.h"

namespace tessera::rtl_model::test {

// A core that breaks a rule of its contract.
class Fault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

inline void expect(bool is_so, const std::string& what) {
  if (!is_so) throw Fault(what);
}

struct Tb {
  enum class State : std::uint8_t { kNotIssued, kResident, kSaved, kDone };
  State state = State::kNotIssued;
  std::uint32_t cycles_left = 0;
  std::uint32_t stack_pointer = 0;  // saved: where its context is
};

struct Kernel {
  CommandPins command;
  bool is_active = false;
  std::uint32_t ksr = kNone;
  std::uint32_t next_tb = 0;
  std::uint32_t num_done = 0;
  std::uint32_t num_saved = 0;
  std::vector<Tb> tbs;
};

class Ledger {
 public:
  explicit Ledger(std::uint32_t num_buffers) : in_buffer_(num_buffers, 0) {}

  bool is_free(std::uint32_t buffer) const { return in_buffer_[buffer] == 0; }
  bool has_kernels() const { return !kernels_.empty(); }
  template <typename Is>
  bool all_active(Is is_so) const {
    for (const auto& [descriptor, kernel] : kernels_) {
      if (kernel.is_active && !is_so(kernel.command)) return false;
    }
    return true;
  }
  std::uint32_t num_finished() const { return num_finished_; }
  Kernel& kernel(std::uint64_t descriptor) {
    const auto found = kernels_.find(descriptor);
    expect(found != kernels_.end(), "a descriptor that belongs to no kernel");
    return found->second;
  }

  void launch(const CommandPins& command) {
    in_buffer_[command.buffer] = command.descriptor;
    Kernel& kernel = kernels_[command.descriptor];
    kernel.command = command;
    kernel.tbs.resize(command.num_tbs);
  }
  void activated(std::uint32_t buffer, std::uint32_t ksr) {
    expect(buffer < in_buffer_.size() && !is_free(buffer), "a command is activated that is not there");
    for (const auto& [descriptor, other] : kernels_) {
      expect(!other.is_active || other.ksr != ksr, "a KSR is given to a second kernel");
    }
    Kernel& activated = kernel(in_buffer_[buffer]);
    activated.is_active = true;
    activated.ksr = ksr;
    in_buffer_[buffer] = 0;
  }
  void done(std::uint64_t descriptor) {
    const Kernel& finished = kernel(descriptor);
    expect(finished.is_active, "a kernel is done that was never active");
    expect(finished.num_done == finished.tbs.size(), "a kernel is done before its thread blocks");
    kernels_.erase(descriptor);
    ++num_finished_;
  }

 private:
  std::vector<std::uint64_t> in_buffer_;  // descriptor; 0: none
  std::map<std::uint64_t, Kernel> kernels_;
  std::uint32_t num_finished_ = 0;
};

}  // namespace tessera::rtl_model::test
