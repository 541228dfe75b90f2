// SPDX-License-Identifier: Apache-2.0
// What the program's exit status says (docs/guide/command_line.md).
#pragma once

namespace tessera::app {

inline constexpr int kDone = 0;
inline constexpr int kFailed = 1;      // a run failed or an invariant broke
inline constexpr int kWrongInput = 2;  // the user's input is wrong; nothing was written
inline constexpr int kInterrupted = 130;

}  // namespace tessera::app
