// SPDX-License-Identifier: Apache-2.0
// What a sweep is going to do: its points, each with the key that its result goes by, and the cores they need.
#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "model/spec/sweep/sweep.h"
#include "sweep/core_cost.h"

namespace tessera::sweep {

struct PlannedPoint {
  spec::SweepPoint point;
  std::string key;       // by content: the resolved Spec, this program, and what is asked of the point
  std::string engine;    // of its GPU: "serialised", "ideal"
  std::size_t core = 0;  // of Plan::cores, with `cost: synth`
};

struct Plan {
  spec::Sweep sweep;
  std::string program;                      // hash of this program, and with `cost: synth` of rtl/
  std::vector<PlannedPoint> points;         // by index
  std::vector<Core> cores;                  // distinct ones
  std::vector<std::string> processes;       // names, as they first come
  std::vector<std::string> released{};      // of those whose runs are released, likewise
  std::vector<std::string> event_driven{};  // of those with event-driven kernels
  std::vector<std::string> left_out{};      // keys of the base, at points of another policy

  const spec::SweepSpec& spec() const { return sweep.spec(); }
  // The label of each axis; the same by the names of the axes, as point files have them.
  std::vector<std::string> labels_of(const spec::SweepPoint& point) const;
  nlohmann::ordered_json axes_of(const spec::SweepPoint& point) const;
  // By content, as that of a point; where its cost is kept in the folder.
  std::string key_of(const Core& core) const;
  // Adds a point whose combination and index are known, for a worker that was told which, without looking at the
  // others: its key tells whether it is the one meant.
  void add_point(std::size_t combination, std::size_t index);
};

// Throws spec::InputError with the mistakes of all points. `program`: the hash that keys have; that of this program
// where it is empty.
Plan make_plan(spec::Sweep sweep, const std::string& program = "");

// 16 hexadecimal digits.
std::string program_hash(const spec::SweepSpec& spec);

// A sentence where points run on different engines, else nothing.
std::string engines_note(const Plan& plan);

// sweep.json (docs/guide/design_space.md).
nlohmann::ordered_json to_json(const Plan& plan);

// 12 hexadecimal digits of all points: the default folder's name ends in them.
std::string plan_hash(const Plan& plan);

}  // namespace tessera::sweep
