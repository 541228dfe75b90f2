// SPDX-License-Identifier: Apache-2.0
// Small profiles written by hand, and files to put them into.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "importer/kernel_groups.h"
#include "importer/profile.h"
#include "importer/workload.h"
#include "model/spec/diagnostics.h"

namespace tessera::importer::test {

// A file of its own, gone with the test.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& name, const std::string& text)
      : folder_(std::filesystem::temp_directory_path() / fmt::format("tessera_import_{}", ::getpid())) {
    std::filesystem::create_directories(folder_);
    write(name, text);
    path_ = folder_ / name;
  }
  ~TemporaryFile() { std::filesystem::remove_all(folder_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }
  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
  std::filesystem::path path_;
};

// The text as gzip.
inline std::string packed(const std::string& text) {
  const TemporaryFile file("packed.gz", "");
  const gzFile out = gzopen(file.path().c_str(), "wb");
  gzwrite(out, text.data(), static_cast<unsigned>(text.size()));
  gzclose(out);
  std::ifstream in(file.path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// A profile in memory: kernels on one device, each launched so long before it begins. Times in us.
struct ProfileBench {
  Profile profile;
  std::uint64_t next_correlation = 1;

  GpuActivity& kernel(const std::string& name, double start, double duration, std::uint64_t stream = 0,
                      double called = -1, std::uint64_t thread = 1) {
    GpuActivity activity;
    activity.name = profile.name_index(name);
    activity.start = ns(start);
    activity.duration = ns(duration);
    activity.context = 1;
    activity.stream = stream;
    activity.grid = {64, 1, 1};
    activity.block = {128, 1, 1};
    activity.regs_per_thread = 32;
    activity.smem_bytes = 0;
    activity.correlation = next_correlation;
    profile.activities.push_back(activity);
    call(CallKind::kWork, called < 0 ? start - 8 : called, 4, thread).correlation = next_correlation++;
    return profile.activities.back();
  }
  HostCall& call(CallKind kind, double start, double duration, std::uint64_t thread = 1) {
    HostCall call;
    call.kind = kind;
    call.start = ns(start);
    call.duration = ns(duration);
    call.thread = thread;
    profile.calls.push_back(call);
    return profile.calls.back();
  }
  static Nanoseconds ns(double us) { return static_cast<Nanoseconds>(us * 1000); }
};

// Of a profile of one context.
inline Workload only_workload(const Profile& profile) {
  std::vector<Workload> workloads = workloads_of(profile, Collectives::kKeep);
  EXPECT_EQ(workloads.size(), 1U);
  return workloads.front();
}

inline KernelGroups groups_of(const Profile& profile, const GroupOptions& options = {}) {
  return group_kernels(profile, only_workload(profile), options);
}

// What the user is told of input that is wrong.
template <typename Read>
std::string problem_of(const Read& read) {
  try {
    read();
  } catch (const spec::InputError& error) {
    return error.what();
  }
  return "nothing was wrong";
}

}  // namespace tessera::importer::test
