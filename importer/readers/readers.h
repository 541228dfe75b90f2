// SPDX-License-Identifier: Apache-2.0
// A reader for each kind of profile. They throw spec::InputError where a file is none of its kind, or is damaged.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "importer/profile.h"

namespace tessera::importer {

enum class Format { kKineto, kNsysSqlite, kNsysCsv, kAccelSim };

struct ReadOptions {
  std::optional<Format> format;  // none: told from the file's first bytes
  std::filesystem::path times;   // Accel-Sim: a table of kernel times; empty: none
};

// The PyTorch profiler's Chrome JSON, plain or gzip, streamed.
Profile read_kineto(const std::filesystem::path& path);
// What `nsys export --type sqlite` writes.
Profile read_nsys_sqlite(const std::filesystem::path& path);
// What `nsys stats --report cuda_gpu_trace --format csv` (earlier: gputrace) prints.
Profile read_nsys_csv(const std::filesystem::path& path);
bool is_gpu_trace_header(const std::string& line);
// kernelslist.g, or the folder that holds it, and the headers of the kernel traces beside it.
Profile read_accelsim(const std::filesystem::path& path, const std::filesystem::path& times);

Profile read_profile(const std::filesystem::path& path, const ReadOptions& options);

}  // namespace tessera::importer
