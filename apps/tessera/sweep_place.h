// SPDX-License-Identifier: Apache-2.0
// The folder of a sweep at the command line: whether it may be started, resumed, or started anew.
#pragma once

#include <filesystem>
#include <string>

#include "sweep/folder.h"
#include "sweep/plan.h"

namespace tessera::app {

struct SweepPlace {
  bool resumes = false;
  bool is_forced = false;
};

// The folder that the user gave, or one that is named after the sweep's content.
std::string sweep_place(const std::string& given, const sweep::Plan& plan);

// Throws spec::InputError.
void check_sweep_place(const sweep::Folder& folder, const SweepPlace& place);

// What the points in a folder were made by (Plan::program); empty where there is no sweep.
std::string recorded_program(const std::filesystem::path& place);
// That tables can be made of it. Throws spec::InputError.
void check_has_points(const sweep::Folder& folder, const sweep::Plan& plan);

void write_sweep_json(const sweep::Plan& plan, const sweep::Folder& folder);

// Makes the folder, or takes it over from an interrupted sweep: points that are none of the plan are set aside.
// `is_new`: empties it before. Throws std::runtime_error.
void open_sweep_folder(const sweep::Folder& folder, const sweep::Plan& plan, bool is_new);

}  // namespace tessera::app
