# SPDX-License-Identifier: Apache-2.0
# cmake -DFILES=a;b -DHEADER=page_files.h -DNAMESPACE=tessera::report -DFUNCTION=page_file -DOUTPUT=page_files.cpp
# -P embed.cmake: that function, which returns each file by its name.
set(text "// Written by report/embed.cmake.
#include \"${HEADER}\"

#include <stdexcept>
#include <string>

namespace ${NAMESPACE} {

std::string_view ${FUNCTION}(std::string_view name) {
")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" content)
  string(APPEND text "  if (name == \"${name}\") return R\"tessera(")
  string(APPEND text "${content}")
  string(APPEND text ")tessera\";\n")
endforeach()
string(APPEND text "
  throw std::out_of_range(\"no file \" + std::string(name));
}

}  // namespace ${NAMESPACE}
")
file(WRITE "${OUTPUT}" "${text}")
