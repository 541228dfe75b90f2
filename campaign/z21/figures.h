// SPDX-License-Identifier: Apache-2.0
// The figures of [Z21] 7.2. The print has drawings, no numbers: what can be checked is what its text says of them.
#pragma once

#include "campaign/figure.h"
#include "campaign/z21/study.h"

namespace tessera::campaign::z21 {

// Whether claims hold that the text makes of this figure. Figures of many tasks are compared with those of few.
Figure fig5(const Study& study);  // schedulability of 50 tasks
Figure fig6(const Study& study);  // load and partitions of 50 tasks
Figure fig7(const Study& study);  // schedulability of 200 tasks
Figure fig8(const Study& study);  // load and partitions of 200 tasks
Figure fig9(const Study& study);  // what the analysis costs

// A matrix: a row a total utilisation; curves over it.
Figure figure_over_utilisation(const char* name, std::string title, std::string y_label);
std::string row_of(const Point& point);
// Where a claim's numbers are: "20.2 at U = 22 to 23.6 at U = 40". The least and the most of some values, with their U.
struct Extremes {
  double least = 0;
  double most = 0;
  std::uint32_t least_at = 0;
  std::uint32_t most_at = 0;
  bool is_empty = true;

  void add(double value, std::uint32_t utilisation);
  std::string text() const;
};

}  // namespace tessera::campaign::z21
