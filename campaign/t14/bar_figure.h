// SPDX-License-Identifier: Apache-2.0
// What Figures 5 to 7 have in common: bars over the number of processes, with the paper's values beside them.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "campaign/figure.h"
#include "campaign/t14/paper_values.h"
#include "campaign/t14/studies.h"

namespace tessera::campaign::t14 {

// A panel a class of applications, after one of all.
struct ClassPanel {
  const char* name;
  std::optional<Class> only;
};
inline constexpr ClassPanel kClassPanels[] = {
    {"average", {}}, {"short", Class::kShort}, {"medium", Class::kMedium}, {"long", Class::kLong}};

inline Figure bar_figure(std::string name, std::string title, std::string y_label) {
  Figure figure;
  figure.name = std::move(name);
  figure.title = std::move(title);
  figure.drawing = Drawing::kBars;
  figure.x_label = "processes";
  figure.y_label = std::move(y_label);
  return figure;
}

inline void add_printed(Figure& figure, Value value) {
  value.paper = printed(figure.name, value.panel, value.series, value.num_processes);
  figure.values.push_back(std::move(value));
}

}  // namespace tessera::campaign::t14
