// SPDX-License-Identifier: Apache-2.0
// Receives the names of a module's pins and registers, once, for waveforms.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace tessera::rtl_model {

class ISignalSink {
 public:
  virtual ~ISignalSink() = default;
  // Signals named until the matching leave() belong to that instance.
  virtual void enter(const std::string& instance) = 0;
  virtual void leave() = 0;
  // `value` is called in cycles that the waveform records.
  virtual void signal(const std::string& name, unsigned width, std::function<std::uint64_t()> value) = 0;
};

// Name of an element of an array: "tokens_q[3]".
inline std::string indexed(const std::string& name, std::size_t i) { return name + "[" + std::to_string(i) + "]"; }

}  // namespace tessera::rtl_model
