// SPDX-License-Identifier: Apache-2.0
// The words that measurements files use for the enumerations of measurements_spec.h.
#pragma once

#include "model/spec/measured/measurements_spec.h"
#include "model/spec/names.h"

namespace tessera::spec {

template <>
inline constexpr std::array<Name<RowKind>, 10> kNames<RowKind>{{{"requests", RowKind::kRequests},
                                                                {"arrivals", RowKind::kArrivals},
                                                                {"slices", RowKind::kSlices},
                                                                {"percentiles", RowKind::kPercentiles},
                                                                {"responses", RowKind::kResponses},
                                                                {"suspensions", RowKind::kSuspensions},
                                                                {"rates", RowKind::kRates},
                                                                {"thread_blocks", RowKind::kThreadBlocks},
                                                                {"starts", RowKind::kStarts},
                                                                {"values", RowKind::kValues}}};
template <>
inline constexpr std::array<Name<Standing>, 3> kNames<Standing>{
    {{"fitted", Standing::kFitted}, {"predicted", Standing::kPredicted}, {"kept_back", Standing::kKeptBack}}};

}  // namespace tessera::spec
