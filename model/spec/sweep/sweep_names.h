// SPDX-License-Identifier: Apache-2.0
// The words that sweep files use for the enumerations of sweep_spec.h.
#pragma once

#include "model/spec/names.h"
#include "model/spec/sweep/sweep_spec.h"

namespace tessera::spec {

template <>
inline constexpr std::array<Name<SweepMode>, 2> kNames<SweepMode>{
    {{"grid", SweepMode::kGrid}, {"zip", SweepMode::kZip}}};
template <>
inline constexpr std::array<Name<SweepCost>, 2> kNames<SweepCost>{
    {{"storage", SweepCost::kStorage}, {"synth", SweepCost::kSynth}}};
template <>
inline constexpr std::array<Name<DecisionTime>, 2> kNames<DecisionTime>{
    {{"specified", DecisionTime::kSpecified}, {"measured", DecisionTime::kMeasured}}};
template <>
inline constexpr std::array<Name<CorePolicies>, 2> kNames<CorePolicies>{
    {{"all", CorePolicies::kAll}, {"own", CorePolicies::kOwn}}};
template <>
inline constexpr std::array<Name<Better>, 2> kNames<Better>{{{"min", Better::kMin}, {"max", Better::kMax}}};

}  // namespace tessera::spec
