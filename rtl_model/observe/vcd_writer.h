// SPDX-License-Identifier: Apache-2.0
// Writes a value change dump (VCD, IEEE 1364-2005 clause 18) as plain text: declarations, first values, changes.
// The text depends only on the calls, so that equal runs give byte-for-byte equal files.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include "model/base/time.h"

namespace tessera::rtl_model {

// The scope that holds all others.
inline constexpr const char* kVcdRoot = "top";

// A signal's name in a waveform: "tokens_q[3]" becomes "tokens_q_3", which viewers do not mistake for bit 3.
std::string vcd_name(const std::string& name);
// The suffix of a vector's name: "[8:0]"; empty for a single bit.
std::string vcd_range(unsigned width);

// A declared variable and its current value in the file.
struct VcdVariable {
  std::string code;  // its short name in the file
  unsigned width = 1;
  std::uint64_t value = 0;
};

// Order of calls: declarations, first values, then changes.
class VcdWriter {
 public:
  explicit VcdWriter(std::ostream& out);

  // ---- declarations
  void enter_scope(const std::string& name);
  void leave_scope();
  VcdVariable declare(const std::string& name, unsigned width);  // width: 1 .. 64
  void end_declarations();

  // ---- first values: one of every variable
  void begin_first_values(Picoseconds time);
  void write_first(VcdVariable& variable, std::uint64_t value);
  void end_first_values();

  // ---- changes
  // Sets the time of the following changes; must increase from call to call.
  void set_time(Picoseconds time) {
    time_ = time;
    is_time_written_ = false;
  }
  // An unchanged value is not written. Bits above the width are dropped, as on a wire, so that "none" is all ones.
  void write_change(VcdVariable& variable, std::uint64_t value) {
    value &= mask_of(variable);
    if (value != variable.value) write_new(variable, value);
  }

  std::uint64_t num_bytes() const { return num_bytes_; }

 private:
  static std::uint64_t mask_of(const VcdVariable& variable) { return ~std::uint64_t{0} >> (64 - variable.width); }
  void write_new(VcdVariable& variable, std::uint64_t value);
  void put_value(VcdVariable& variable, std::uint64_t value);
  void put_time();
  void put(std::string_view text);

  std::ostream& out_;
  std::uint64_t num_bytes_ = 0;
  std::uint64_t num_variables_ = 0;
  Picoseconds time_ = 0;
  bool is_time_written_ = false;
};

}  // namespace tessera::rtl_model
