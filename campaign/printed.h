// SPDX-License-Identifier: Apache-2.0
// A number that a paper prints, and where it belongs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::campaign {

struct Printed {
  std::string_view figure;
  std::string_view panel;
  std::string_view series;
  std::uint32_t at;  // on the figure's x axis
  double value;
};

template <std::size_t kNumber>
std::optional<double> value_in(const Printed (&all)[kNumber], std::string_view figure, std::string_view panel,
                               std::string_view series, std::uint32_t at) {
  for (const Printed& one : all) {
    if (one.figure == figure && one.panel == panel && one.series == series && one.at == at) return one.value;
  }
  return std::nullopt;
}

}  // namespace tessera::campaign
