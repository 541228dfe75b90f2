// SPDX-License-Identifier: Apache-2.0
#include "campaign/z21/figures.h"

#include <fmt/format.h>

namespace tessera::campaign::z21 {

Figure figure_over_utilisation(const char* name, std::string title, std::string y_label) {
  Figure figure;
  figure.name = name;
  figure.title = std::move(title);
  figure.drawing = Drawing::kCurves;
  figure.is_matrix = true;
  figure.has_intervals = true;
  figure.log_axes = "";
  figure.unit_head = "task sets";
  figure.x_label = "total utilisation U";
  figure.y_label = std::move(y_label);
  return figure;
}

std::string row_of(const Point& point) { return fmt::format("U = {}", point.utilisation); }

void Extremes::add(double value, std::uint32_t utilisation) {
  if (is_empty || value < least) {
    least = value;
    least_at = utilisation;
  }
  if (is_empty || value > most) {
    most = value;
    most_at = utilisation;
  }
  is_empty = false;
}

std::string Extremes::text() const {
  if (is_empty) return "no set";
  return fmt::format("{:.4g} at U = {} to {:.4g} at U = {}", least, least_at, most, most_at);
}

}  // namespace tessera::campaign::z21
