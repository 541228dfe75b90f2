# SPDX-License-Identifier: Apache-2.0
# cmake -DFILES=a;b -DOUTPUT=page_files.cpp -P embed.cmake: a function that returns each file by its name.
set(text [=[// Written by report/embed.cmake.
#include "report/page_files.h"

#include <stdexcept>
#include <string>

namespace tessera::report {

std::string_view page_file(std::string_view name) {
]=])
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" content)
  string(APPEND text "  if (name == \"${name}\") return R\"tessera(")
  string(APPEND text "${content}")
  string(APPEND text ")tessera\";\n")
endforeach()
string(APPEND text [=[
  throw std::out_of_range("no page file " + std::string(name));
}

}  // namespace tessera::report
]=])
file(WRITE "${OUTPUT}" "${text}")
