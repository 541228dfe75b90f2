// SPDX-License-Identifier: Apache-2.0
// A sweep: a base experiment, and the points that its axes, seeds and conditions make of it.
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
  std::size_t index = 0;              // among those that the conditions keep
  std::size_t combination = 0;        // among all: the first axis varies slowest, the seed fastest
  std::vector<std::size_t> choice;    // of each axis: which of its values
  std::optional<std::uint64_t> seed;  // none: that of the base
};

struct Node;
class Report;

class Sweep {
 public:
  // Reads the sweep file and the experiment it refers to. `overrides` as those of load_experiment, and of keys of
  // `slurm`; what an axis sets is not theirs to set. Throws InputError and nothing else about input.
  explicit Sweep(const std::filesystem::path& path, const std::vector<std::string>& overrides = {});
  ~Sweep();
  Sweep(Sweep&&) noexcept;
  Sweep& operator=(Sweep&&) noexcept;

  const SweepSpec& spec() const;

  // Every point that the conditions keep, in order, resolved and checked. Throws InputError with the mistakes of all.
  void for_each_point(const std::function<void(const SweepPoint&, const Spec&)>& visit) const;

  // The resolved experiment of a point that for_each_point() visited.
  Spec resolve(const SweepPoint& point) const;

  // The point of a combination; its index is not known from that alone, and is 0.
  SweepPoint at(std::size_t combination) const;

 private:
  friend Sweep load_sweep(const Node& root, const std::filesystem::path& path,
                          const std::vector<std::string>& overrides, Report& report);
  struct Content;
  explicit Sweep(std::unique_ptr<Content> content);
  // As for_each_point(); the mistakes are added to the report.
  void visit_points(const std::function<void(const SweepPoint&, const Spec&)>& visit, Report& report) const;
  friend void validate_sweep(const Node& root, const std::filesystem::path& path, Report& report);

  std::unique_ptr<Content> content_;
};

}  // namespace tessera::spec
