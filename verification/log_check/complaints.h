// SPDX-License-Identifier: Apache-2.0
// What is wrong with a log, a line each. Internal to the log checker.
#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>
#include <vector>

#include "model/record/checks/place_of.h"
#include "model/record/record.h"

namespace tessera::verification::log_check {

class Complaints {
 public:
  explicit Complaints(std::vector<std::string>& violations) : violations_(violations) {}

  template <typename... Args>
  void fail(const record::Record& record, fmt::format_string<Args...> text, Args&&... args) {
    violations_.push_back(place_of(record) + ": " + fmt::format(text, std::forward<Args>(args)...));
  }
  // Notes a violation unless `holds`, and returns it.
  template <typename... Args>
  bool require(bool holds, const record::Record& record, fmt::format_string<Args...> text, Args&&... args) {
    if (!holds) fail(record, text, std::forward<Args>(args)...);
    return holds;
  }
  // Of no single record.
  void fail_at(Cycle cycle, const std::string& text) {
    violations_.push_back(fmt::format("cycle {}: {}", cycle, text));
  }

 private:
  std::vector<std::string>& violations_;
};

}  // namespace tessera::verification::log_check
