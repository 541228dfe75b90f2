// SPDX-License-Identifier: Apache-2.0
// YAML experiment -> Spec, with every mistake in every file reported at once (docs/guide/command_line.md).
// All user input enters the program here.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "model/spec/diagnostics.h"
#include "model/spec/policies.h"
#include "model/spec/spec_fwd.h"

namespace tessera::spec {

// Loads an experiment and the files it refers to; their paths are relative to it. Overrides are `a.b=c` with `c` in
// YAML, keys of lists are positions from 0: `gpu.num_sms=32`, `gpu=../gpus/v100.yaml`,
// `workload.processes.0.application.kernels.0.num_tbs=5`. Outer keys apply before inner ones.
// The experiment must run on all of `cores`: using a feature that one of them lacks is a mistake. Mistakes in the input
// only throw InputError.
Spec load_experiment(const std::filesystem::path& path, const std::vector<std::string>& overrides = {},
                     Cores cores = Cores::kTlm, UnreadKeys unread = UnreadKeys::kRefused);

// Load a GPU, a synthesis or a task set file on its own. Mistakes in the input only throw InputError.
GpuSpec load_gpu(const std::filesystem::path& path);
SynthesisSpec load_synthesis(const std::filesystem::path& path);
// A task set, and the files it refers to; their paths are relative to it.
TaskSetSpec load_task_set(const std::filesystem::path& path);

// The mistakes in an experiment (and what it refers to), or in a GPU, application, host, synthesis, sweep, task set
// or measurements file on its own. Sorted; empty if there are none. An application's requirements on a GPU are checked
// only with an experiment. The file's kind is determined from its keys.
std::vector<Diagnostic> validate_file(const std::filesystem::path& path);
// The same, with `text` as the content of the file.
std::vector<Diagnostic> validate_text(const std::string& text, const std::filesystem::path& path);

// All of `more`, plus those of `overrides` whose keys are not among them: a user cannot override what a study varies.
std::vector<std::string> with_precedence(const std::vector<std::string>& more,
                                         const std::vector<std::string>& overrides);

}  // namespace tessera::spec
