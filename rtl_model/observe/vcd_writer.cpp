// SPDX-License-Identifier: Apache-2.0
// The text of a value change dump.
#include "rtl_model/observe/vcd_writer.h"

#include <algorithm>

namespace tessera::rtl_model {
namespace {

// "!", then through the printable characters, then two of them: the first variables have the shortest codes.
std::string code_of(std::uint64_t index) {
  constexpr char kFirst = '!';
  constexpr unsigned kNumCharacters = '~' - '!' + 1;
  std::string code;
  for (++index; index != 0; index /= kNumCharacters) {
    --index;
    code.push_back(static_cast<char>(kFirst + index % kNumCharacters));
  }
  return code;
}

// Without leading zeros; a viewer puts them back.
std::string binary(std::uint64_t value) {
  std::string digits;
  do {
    digits.push_back(static_cast<char>('0' + (value & 1)));
    value >>= 1;
  } while (value != 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace

std::string vcd_name(const std::string& name) {
  std::string result;
  for (const char c : name) {
    if (c != ']') result.push_back(c == '[' ? '_' : c);
  }
  return result;
}

std::string vcd_range(unsigned width) { return width == 1 ? "" : "[" + std::to_string(width - 1) + ":0]"; }

VcdWriter::VcdWriter(std::ostream& out) : out_(out) { put("$timescale 1 ps $end\n"); }

// ---- declarations --------------------------------------------------------------------------------------------

void VcdWriter::enter_scope(const std::string& name) { put("$scope module " + vcd_name(name) + " $end\n"); }

void VcdWriter::leave_scope() { put("$upscope $end\n"); }

VcdVariable VcdWriter::declare(const std::string& name, unsigned width) {
  VcdVariable variable{code_of(num_variables_++), width, 0};
  const std::string range = width == 1 ? "" : " " + vcd_range(width);
  put("$var wire " + std::to_string(width) + " " + variable.code + " " + vcd_name(name) + range + " $end\n");
  return variable;
}

void VcdWriter::end_declarations() { put("$enddefinitions $end\n"); }

// ---- values --------------------------------------------------------------------------------------------------

void VcdWriter::begin_first_values(Picoseconds time) {
  set_time(time);
  put_time();
  put("$dumpvars\n");
}

void VcdWriter::write_first(VcdVariable& variable, std::uint64_t value) {
  put_value(variable, value & mask_of(variable));
}

void VcdWriter::end_first_values() { put("$end\n"); }

void VcdWriter::write_new(VcdVariable& variable, std::uint64_t value) {
  if (!is_time_written_) put_time();
  put_value(variable, value);
}

void VcdWriter::put_value(VcdVariable& variable, std::uint64_t value) {
  variable.value = value;
  put(variable.width == 1 ? binary(value) + variable.code + "\n" : "b" + binary(value) + " " + variable.code + "\n");
}

void VcdWriter::put_time() {
  put("#" + std::to_string(time_) + "\n");
  is_time_written_ = true;
}

void VcdWriter::put(std::string_view text) {
  out_ << text;
  num_bytes_ += text.size();
}

}  // namespace tessera::rtl_model
