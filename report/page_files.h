// SPDX-License-Identifier: Apache-2.0
// Files of the sources that are part of the program: the page's bundle and the schemas. CMake writes them into a
// source file (embed.cmake), so that the installed program needs none of them.
#pragma once

#include <string_view>

namespace tessera::report {

// Throws std::out_of_range for a name that is not embedded.
std::string_view page_file(std::string_view name);

}  // namespace tessera::report
