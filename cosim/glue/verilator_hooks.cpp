// SPDX-License-Identifier: Apache-2.0
// Messages of Verilator's run-time. A failing assertion prints, then "stops": the text is kept, the run goes on.
#include "cosim/glue/verilator_hooks.h"

#include <verilated.h>

#include <cstdarg>
#include <cstdio>
#include <stdexcept>

#include "cosim/glue/messages.h"

namespace tessera::cosim {

std::string& verilator_messages() {
  static thread_local std::string messages;
  return messages;
}

int print_verilator_message(const char* format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  const int length = std::vsnprintf(text, sizeof(text), format, arguments);
  va_end(arguments);
  verilator_messages() += text;
  return length;
}

}  // namespace tessera::cosim

void vl_stop(const char*, int, const char*) {}

void vl_fatal(const char* file, int line, const char*, const char* message) {
  throw std::runtime_error(std::string("the Verilog core: ") + file + ":" + std::to_string(line) + ": " + message);
}
