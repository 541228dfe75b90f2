// SPDX-License-Identifier: Apache-2.0
// Functional coverage: named situations, and how often each was met.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tessera::testbench {

class Coverage {
 public:
  struct Point {
    std::string name;         // "ksrt.full"
    std::string description;  // one line
    std::uint64_t hits = 0;
  };
  using Id = std::uint32_t;

  Id add(std::string name, std::string description) {
    points_.push_back({std::move(name), std::move(description), 0});
    return static_cast<Id>(points_.size() - 1);
  }
  void hit(Id id) { ++points_[id].hits; }
  void hit_if(Id id, bool condition) { points_[id].hits += condition ? 1 : 0; }

  const std::vector<Point>& points() const { return points_; }
  std::map<std::string, std::uint64_t> hits() const {
    std::map<std::string, std::uint64_t> hits;
    for (const Point& point : points_) hits[point.name] = point.hits;
    return hits;
  }

 private:
  std::vector<Point> points_;
};

}  // namespace tessera::testbench
