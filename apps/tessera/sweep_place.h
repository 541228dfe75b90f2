// SPDX-License-Identifier: Apache-2.0
// The folder of a sweep at the command line: whether it may be begun, gone on with, or begun anew.
#pragma once

#include "sweep/folder.h"
#include "sweep/plan.h"

namespace tessera::app {

struct SweepPlace {
  bool resumes = false;
  bool is_forced = false;
};

// Throws spec::InputError.
void check_sweep_place(const sweep::Folder& folder, const SweepPlace& place);

// Makes the folder, or takes it over from an interrupted sweep: points that are none of the plan are set aside.
// `is_new`: empties it before. Throws std::runtime_error.
void open_sweep_folder(const sweep::Folder& folder, const sweep::Plan& plan, bool is_new);

}  // namespace tessera::app
