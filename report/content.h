// SPDX-License-Identifier: Apache-2.0
// What a page is about: the data its program reads, and blocks of packed numbers that the data refers to by index.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tessera::report {

struct Content {
  std::string title;
  nlohmann::ordered_json data;
  std::vector<std::string> blocks;  // of bytes
};

}  // namespace tessera::report
