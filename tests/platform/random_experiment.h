// SPDX-License-Identifier: Apache-2.0
// Any experiment that the loader would let pass, drawn by rapidcheck.
#pragma once

#include <rapidcheck.h>

#include <initializer_list>
#include <vector>

#include "model/base/time.h"
#include "model/spec/names.h"
#include "model/spec/spec.h"

namespace tessera::platform::test {

spec::Spec any_experiment();
// Of an experiment that has all the rest.
void add_any_driver(spec::Spec& spec);
// Command groups in its programs.
void add_any_groups(spec::Spec& spec);

// ---- what all of it is made of -----------------------------------------------------------------------------------

// All of the range from the first case on: rapidcheck would begin with small values only.
template <typename T>
T in(T first, T last) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(first, last + 1));
}

// One of the ranges that start at `first` and end at one of `lasts`: small machines and workloads meet more often.
inline std::uint32_t in_one_of(std::uint32_t first, std::initializer_list<std::uint32_t> lasts) {
  return in(first, *rc::gen::elementOf(std::vector<std::uint32_t>(lasts)));
}

inline bool flip() { return in(0, 1) == 1; }

template <typename E>
E any() {
  const auto& names = spec::kNames<E>;
  return names[in<std::size_t>(0, names.size() - 1)].value;
}

inline Picoseconds nanoseconds(std::uint64_t first, std::uint64_t last) { return 1000 * in(first, last); }

}  // namespace tessera::platform::test
