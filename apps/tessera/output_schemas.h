// SPDX-License-Identifier: Apache-2.0
// The schemas of docs/outputs, and that of the summary, which the build puts into the program.
#pragma once

#include <string_view>

namespace tessera::app {

std::string_view output_schema_file(std::string_view name);  // storage.schema.json

}  // namespace tessera::app
