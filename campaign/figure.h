// SPDX-License-Identifier: Apache-2.0
// A reproduced table or figure: what a paper prints, what we measured, and what the text claims about it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "stats/estimate.h"

namespace tessera::campaign {

// One bar, or one entry of a table.
struct Value {
  std::string panel;                // of the figure: "average", "short", "(a) exclusive"; of a table: the row
  std::string series;               // "ppq_context_switch"; of a table: the column
  std::uint32_t num_processes = 0;  // 0 where the value does not depend on it
  std::string category;             // what a cluster of bars stands for, if not for a number of processes
  std::optional<double> paper;      // where it prints the value
  stats::Estimate ours;
  std::optional<stats::Estimate> calibration;  // from one half of the workloads
  std::optional<stats::Estimate> held_out;     // from the other

  std::string cluster() const;          // the category or the number of processes; empty without either
  std::optional<double> ratio() const;  // ours / paper
  bool is_noise() const;                // the interval reaches 0, or a single workload tells none
};

// A value without an interval: of what was simulated once.
Value value_of(std::string panel, std::string series, std::string category, double ours,
               std::optional<double> paper = {});

// Something that the text says, checked on our values.
struct Ordering {
  std::string claim;
  bool holds = false;
  std::string evidence;  // the numbers that were compared
};

struct Point {
  double x = 0;
  double y = 0;
};

// A line of a diagram whose panels have no bars.
struct Curve {
  std::string panel;
  std::string series;
  std::vector<Point> points;
};

// A stretch of a timeline.
struct Slice {
  std::string panel;
  std::string series;  // what ran
  std::string row;     // where
  double begin = 0;
  double end = 0;
};

// What stands behind a category, for a reader: a text a column.
struct Meaning {
  std::string category;
  std::vector<std::string> texts;
};

enum class Drawing { kNone, kBars, kStackedBars, kCurves, kTimeline };

struct Figure {
  std::string name;  // "t14-fig5"; also of its files
  std::string title;
  Drawing drawing = Drawing::kNone;
  std::string time_base;                   // under which it was measured, where it was
  bool is_matrix = false;                  // read best with a row a series and category, and a column a panel
  bool has_intervals = false;              // in the matrix too
  std::string log_axes = "y";              // of the curves; empty: none
  bool is_wide = false;                    // many clusters of bars: a panel has a row of its own
  std::string cluster_head = "processes";  // over the column of clusters in a table
  std::string unit_head = "workloads";     // over that of how many observations stand behind a value
  std::vector<std::string> meaning_heads;  // of the columns that follow the category in a matrix, in CSV and JSON
  std::vector<Meaning> meanings;           // of the categories, where they do not speak for themselves
  std::string x_label;
  std::string y_label;
  std::vector<Value> values;
  std::vector<Curve> curves;
  std::vector<Slice> slices;
  std::vector<Ordering> orderings;
  std::string own_table;           // Markdown in the place of the table of the values and the list of claims
  std::vector<std::string> notes;  // what a reader must know to judge the numbers
};

// The texts of a category, one a head: empty ones where the figure has none for it.
std::vector<std::string> meaning_of(const Figure& figure, const std::string& category);

nlohmann::ordered_json values_json(const Figure& figure);     // a list; every entry names the figure
nlohmann::ordered_json orderings_json(const Figure& figure);  // likewise
std::string values_csv(const Figure& figure);                 // a row a value
std::string curves_csv(const Figure& figure);                 // a row a point; empty without curves
std::string figure_markdown(const Figure& figure);            // the table, the claims, the notes

}  // namespace tessera::campaign
