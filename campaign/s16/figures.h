// SPDX-License-Identifier: Apache-2.0
// The tables and figures of [S16]. Values bear the paper's numbers where it prints them.
#pragma once

#include "campaign/figure.h"
#include "model/spec/spec.h"

namespace tessera::campaign::s16 {

Figure table3_1(const spec::Spec& base);  // storage of victim selection (3.4.5)
Figure fig3_8();                          // victim sets, and their update (3.4.3)
Figure table4_2(const spec::Spec& base);  // the benchmarks' kernels on an SM (4.1)

}  // namespace tessera::campaign::s16
