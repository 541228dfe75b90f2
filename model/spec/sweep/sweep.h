// SPDX-License-Identifier: Apache-2.0
// A sweep: a base experiment, and the points given by its axes, seeds and conditions.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/spec/spec.h"
#include "model/spec/sweep/sweep_spec.h"

namespace tessera::spec {

struct SweepPoint {
  std::size_t index = 0;              // among the points that meet the conditions
  std::size_t combination = 0;        // among all: the first axis varies slowest, the seed fastest
  std::vector<std::size_t> choice;    // by axis: index of the value
  std::optional<std::uint64_t> seed;  // empty: the base's seed
};

struct Node;
class Report;

class Sweep {
 public:
  // Reads the sweep file and the experiment it refers to. `overrides` as in load_experiment, and keys of `slurm`; they
  // cannot set keys of an axis. Mistakes in the input only throw InputError.
  explicit Sweep(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});
  ~Sweep();
  Sweep(Sweep&&) noexcept;
  Sweep& operator=(Sweep&&) noexcept;

  const SweepSpec& spec() const;

  // Visits every point that meets the conditions, in order, resolved and checked. Throws InputError with the mistakes
  // of all points.
  void for_each_point(const std::function<void(const SweepPoint&, const Spec&)>& visit) const;

  // The resolved experiment of a point that for_each_point() visited.
  Spec resolve(const SweepPoint& point) const;

  // The point of a combination; its index is unknown and set to 0.
  SweepPoint at(std::size_t combination) const;

 private:
  friend Sweep load_sweep(const Node& root, const std::filesystem::path& path,
                          const std::vector<std::string>& overrides, Report& report);
  struct Content;
  explicit Sweep(std::unique_ptr<Content> content);
  // As for_each_point(), but adds mistakes to the report.
  void visit_points(const std::function<void(const SweepPoint&, const Spec&)>& visit, Report& report) const;
  friend void validate_sweep(const Node& root, const std::filesystem::path& path, Report& report);

  std::unique_ptr<Content> content_;
};

}  // namespace tessera::spec
