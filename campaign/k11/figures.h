// SPDX-License-Identifier: Apache-2.0
// The figures of [K11], and what goes beyond them. Each asks the batch for what it needs; see Batch.
#pragma once

#include <vector>

#include "campaign/k11/scenario.h"

namespace tessera::campaign::k11 {

Figure fig1(Batch& batch);   // a game beside other programs without TimeGraph
Figure fig5(Batch& batch);   // PRT and HT, event for event; no simulation
Figure fig6(Batch& batch);   // PE and AE, likewise
Figure fig7(Batch& batch);   // games beside the widget
Figure fig8(Batch& batch);   // beside a bomb
Figure fig9(Batch& batch);   // beside five
Figure fig10(Batch& batch);  // frame rates over C/T
Figure fig11(Batch& batch);  // the widget beside five bombs, over time
Figure fig12(Batch& batch);  // three widgets
Figure fig13(Batch& batch);  // video beside five bombs
Figure fig14(Batch& batch);  // prediction errors, and what they cost
Figure fig15(Batch& batch);  // what TimeGraph costs games alone
Figure fig16(Batch& batch);  // events against ticks
Figure calibration(Batch& batch);
Figure driver_crossing(Batch& batch);
Figure driver_strengths(Batch& batch);

}  // namespace tessera::campaign::k11
