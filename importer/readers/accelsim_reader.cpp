// SPDX-License-Identifier: Apache-2.0
// Accel-Sim's traces: the list of kernels and copies, and of each kernel's trace the header. Instructions are not read.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>

#include "importer/readers/byte_source.h"
#include "importer/readers/csv_number.h"
#include "importer/readers/readers.h"
#include "model/base/csv_line.h"

namespace tessera::importer {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxHeaderLines = 64;
constexpr double kLongestKernelUs = 1e9;

// `(196,1,1)`.
std::array<std::uint32_t, 3> dimensions(const ByteSource& source, const std::string& text) {
  std::array<std::uint32_t, 3> sizes{};
  const std::size_t open = text.find('(');
  const std::size_t close = text.find(')');
  const std::vector<std::string> cells = open == std::string::npos || close == std::string::npos
                                             ? std::vector<std::string>{}
                                             : csv_texts(text.substr(open + 1, close - open - 1));
  for (std::size_t i = 0; i < 3; ++i) {
    const std::optional<double> size = i < cells.size() ? csv_number(cells[i]) : std::nullopt;
    if (!size || *size < 1 || *size > 4294967295.0) source.fail("is not a three-dimensional size", text, "(196,1,1)");
    sizes[i] = static_cast<std::uint32_t>(*size);
  }
  return sizes;
}

class AccelSimList {
 public:
  AccelSimList(const fs::path& path, const fs::path& times)
      : list_(fs::is_directory(path) ? path / "kernelslist.g" : path) {
    profile_.format = "accelsim";
    if (!times.empty()) read_times(times);
    profile_.has_times = !times.empty();
    profile_.has_recorded_starts = false;
  }

  Profile read() {
    ByteSource source(list_);
    while (auto line = source.line()) {
      if (line->empty() || line->front() == '#') continue;
      if (line->rfind("Memcpy", 0) == 0) {
        add_copy(source, *line);
      } else if (line->rfind("kernel", 0) == 0 || line->rfind("./kernel", 0) == 0) {
        add_kernel(line->substr(line->find('k')));
      } else if (line->rfind("nccl", 0) == 0) {
        ++num_collectives_;
      } else {
        source.fail("is neither a copy nor a kernel", line->substr(0, 40),
                    "MemcpyHtoD,address,bytes or kernel-1.traceg");
      }
    }
    if (num_collectives_ > 0) {
      profile_.notes.push_back(
          fmt::format("{} calls of nccl, which a trace has no kernels of, are left out", num_collectives_));
    }
    profile_.notes.push_back(
        "a trace has no host: kernels and copies follow each other as they are listed, and copies are synchronous");
    return std::move(profile_);
  }

 private:
  // kernel,us: a kernel's name, or that of its trace file.
  void read_times(const fs::path& path) {
    ByteSource source(path);
    while (auto line = source.line()) {
      if (line->empty() || line->front() == '#') continue;
      const std::vector<std::string> cells = csv_texts(*line);
      const std::optional<double> time = cells.size() == 2 ? csv_number(cells[1]) : std::nullopt;
      if (!time && source.line_number() == 1 && times_.empty()) continue;  // a header
      if (!time || !(*time > 0) || *time > kLongestKernelUs)
        source.fail("is not a kernel and its time in us", line->substr(0, 40), "name,12.5");
      times_[cells[0]] = *time;
    }
  }

  // One after the other, so that the order is all that times say.
  void add(GpuActivity activity) {
    activity.start = next_;
    next_ = activity.end() + 1;
    profile_.activities.push_back(activity);
  }

  void add_copy(const ByteSource& source, const std::string& line) {
    const std::vector<std::string> cells = csv_texts(line);
    const std::optional<double> bytes = cells.size() == 3 ? csv_number(cells[2]) : std::nullopt;
    if (!bytes || *bytes > 1e12) source.fail("is not a copy", line.substr(0, 40), "MemcpyHtoD,address,bytes");
    GpuActivity copy;
    copy.work = line.rfind("MemcpyHtoD", 0) == 0   ? Work::kCopyToGpu
                : line.rfind("MemcpyDtoH", 0) == 0 ? Work::kCopyToHost
                                                   : Work::kCopyOnGpu;
    copy.bytes = static_cast<std::uint64_t>(*bytes);
    copy.holds_host = copy.follows_all = true;  // the tracer lists calls of cudaMemcpy
    add(copy);
  }

  void add_kernel(const std::string& file) {
    if (file.find('/') != std::string::npos || file.find("..") != std::string::npos) {
      throw spec::InputError({{list_.string(), 1, 1, "", "names a file outside of its folder", file, ""}});
    }
    ByteSource source(trace_of(file));
    GpuActivity kernel;
    std::string name;
    std::map<std::string, std::string> header;
    for (std::size_t i = 0; i < kMaxHeaderLines && !source.at_end() && source.peek() != '#'; ++i) {
      const std::string line = *source.line();
      if (line.empty() || line.front() != '-') continue;
      const std::size_t equals = line.find(" = ");
      if (equals == std::string::npos) continue;
      const std::string key = line.substr(1, equals - 1);
      const std::string value = line.substr(equals + 3);
      if (key == "kernel name") name = value;
      if (key == "grid dim") kernel.grid = dimensions(source, value);
      if (key == "block dim") kernel.block = dimensions(source, value);
      header[key] = value;
    }
    for (const char* needed : {"grid dim", "block dim", "shmem", "nregs"}) {
      if (header.count(needed) == 0)
        source.fail(fmt::format("has no header line `-{} = ..`", needed), "", "a kernel trace of Accel-Sim's tracer");
    }
    kernel.smem_bytes = number(source, header["shmem"]);
    kernel.regs_per_thread = number(source, header["nregs"]);
    if (header.count("cuda stream id") > 0)
      kernel.stream = std::strtoull(header["cuda stream id"].c_str(), nullptr, 10);
    kernel.name = profile_.name_index(name.empty() ? "kernel" : name);
    if (profile_.has_times) kernel.duration = time_of(source, file, name);
    add(kernel);
  }

  // As listed, or packed, or before it was put in the order of thread blocks.
  fs::path trace_of(const std::string& file) const {
    const fs::path path = list_.parent_path() / file;
    const fs::path unpacked = path.extension() == ".xz" ? fs::path(path).replace_extension() : path;
    for (const fs::path& candidate :
         {unpacked, fs::path(unpacked.string() + ".gz"), fs::path(unpacked).replace_extension(".trace")}) {
      if (fs::exists(candidate)) return candidate;
    }
    const fs::path packed = unpacked.string() + ".xz";
    if (!fs::exists(packed)) return path;
    throw spec::InputError({{packed.string(), 1, 1, "", "is packed", "", "unpacked, or gzip: unxz"}});
  }

  static std::uint32_t number(const ByteSource& source, const std::string& text) {
    const std::optional<double> value = csv_number(text);
    if (!value || *value > 4294967295.0) source.fail("is not a number", text);
    return static_cast<std::uint32_t>(*value);
  }

  Nanoseconds time_of(const ByteSource& source, const std::string& file, const std::string& name) const {
    for (const std::string& key : {file, fs::path(file).stem().string(), name}) {
      const auto known = times_.find(key);
      if (known != times_.end()) return std::llround(known->second * 1e3);
    }
    source.fail("has no time in the table", name.empty() ? file : name, "its name, or that of its file");
  }

  fs::path list_;
  Profile profile_;
  std::map<std::string, double> times_;  // us
  Nanoseconds next_ = 0;
  std::size_t num_collectives_ = 0;
};

}  // namespace

Profile read_accelsim(const fs::path& path, const fs::path& times) { return AccelSimList(path, times).read(); }

}  // namespace tessera::importer
