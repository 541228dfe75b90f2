// SPDX-License-Identifier: Apache-2.0
// Nsight Systems' SQLite export. Its tables are those of CUPTI's activity records; times are nanoseconds.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "importer/readers/nsys_streams.h"
#include "importer/readers/nsys_waits.h"
#include "importer/readers/readers.h"
#include "importer/readers/sqlite_table.h"

namespace tessera::importer {
namespace {

constexpr const char* kKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char* kCopies = "CUPTI_ACTIVITY_KIND_MEMCPY";
constexpr const char* kMemsets = "CUPTI_ACTIVITY_KIND_MEMSET";
constexpr const char* kCalls = "CUPTI_ACTIVITY_KIND_RUNTIME";
constexpr const char* kStrings = "StringIds";
constexpr const char* kGraphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";  // launches that were not traced node by node
constexpr const char* kGpus = "TARGET_INFO_GPU";
constexpr const char* kOldGpus = "TARGET_INFO_CUDA_GPU";  // until 2021

// Databases of other profilers, by a table that no export of nsys has.
struct ForeignDatabase {
  const char* table;
  const char* name;
};
constexpr ForeignDatabase kForeignDatabases[] = {{"StringTable", "a database of nvprof"},
                                                 {"rocpd_string", "a database of rocprofv3 (rocpd)"},
                                                 {"rocpd_metadata", "a database of rocprofv3 (rocpd)"},
                                                 {"rocpd_api", "a database of rocprof (rpd)"},
                                                 {"rocpd_op", "a database of rocprof (rpd)"}};

// copyKind of CUPTI: between host and device (or array; 11 and 12 of managed memory), the rest stays on GPUs.
Work copy_work(std::int64_t kind) {
  switch (kind) {
    case 1:  // HtoD
    case 3:  // HtoA
    case 11:
      return Work::kCopyToGpu;
    case 2:  // DtoH
    case 4:  // AtoH
    case 12:
      return Work::kCopyToHost;
    default:
      return Work::kCopyOnGpu;
  }
}

std::uint32_t clamped_u32(std::optional<std::int64_t> value) {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value.value_or(0), 0, 4'294'967'295));
}

class NsysExport {
 public:
  explicit NsysExport(const std::filesystem::path& path) : database_(path) {
    profile_.format = "nsys-sqlite";
    for (const ForeignDatabase& foreign : kForeignDatabases) {
      if (database_.has_table(foreign.table)) {
        database_.fail(fmt::format("is {}, which is not read", foreign.name), "", "an export of nsys");
      }
    }
    if (!database_.has_table(kKernels) && !database_.has_table(kGraphs)) {
      database_.fail(fmt::format("has no table {}: no CUDA kernel was traced", kKernels), "",
                     "an export of a profile with --trace=cuda");
    }
    // Early versions know no processes beside kernels: then nothing is told apart by them.
    has_processes_ = database_.has_column(kKernels, "globalPid") && database_.has_column(kCalls, "globalTid");
    database_.for_each(kStrings, {"id", "value"}, [this](const SqliteRow& row) {
      if (row.integer(0)) strings_[*row.integer(0)] = row.text(1).value_or("");
    });
  }

  Profile read() {
    read_kernels();
    read_graphs();
    read_copies();
    read_memsets();
    read_calls();
    profile_.set_waits(read_nsys_waits(database_, has_processes_));
    profile_.streams = read_nsys_streams(database_, profile_);
    read_devices();
    return std::move(profile_);
  }

 private:
  // An id of kStrings; some exports have the text itself.
  std::string string(const SqliteRow& row, int column) const {
    if (row.is_text(column)) return row.text(column).value_or("");
    const std::optional<std::int64_t> id = row.integer(column);
    const auto known = id ? strings_.find(*id) : strings_.end();
    return known == strings_.end() ? "" : known->second;
  }

  // Without any text, kernels are told apart by the ids of their names.
  std::string kernel_name(const SqliteRow& row, int first, int last) const {
    for (int column = first; column <= last; ++column) {
      if (std::string name = string(row, column); !name.empty()) return name;
    }
    const std::optional<std::int64_t> id = row.integer(first) ? row.integer(first) : row.integer(last);
    return id ? fmt::format("kernel_{}", *id) : "";
  }

  // Columns 0 .. 6 of every kind of GPU work.
  static std::vector<std::string> work_columns(const std::vector<std::string>& more) {
    std::vector<std::string> columns{"start", "end", "deviceId", "contextId", "streamId", "correlationId", "globalPid"};
    columns.insert(columns.end(), more.begin(), more.end());
    return columns;
  }

  // None: it has no time.
  std::optional<GpuActivity> work(const SqliteRow& row, Work kind) {
    const std::optional<std::int64_t> start = row.integer(0);
    if (!start) {
      ++profile_.num_without_time;
      return std::nullopt;
    }
    GpuActivity activity;
    activity.work = kind;
    activity.start = std::clamp(*start, -kMaxMoment, kMaxMoment);
    const std::int64_t end = std::clamp(row.integer(1).value_or(activity.start - 1), -kMaxMoment, kMaxMoment);
    if (end >= activity.start) activity.duration = end - activity.start;
    activity.device = static_cast<std::uint64_t>(row.integer(2).value_or(0));
    if (row.integer(3)) activity.context = static_cast<std::uint64_t>(*row.integer(3));
    activity.stream = static_cast<std::uint64_t>(row.integer(4).value_or(0));
    if (row.integer(5)) activity.correlation = static_cast<std::uint64_t>(*row.integer(5));
    if (has_processes_) activity.process = nsys_process(row.integer(6));
    return activity;
  }

  void read_kernels() {
    const auto columns =
        work_columns({"gridX", "gridY", "gridZ", "blockX", "blockY", "blockZ", "registersPerThread",
                      "staticSharedMemory", "dynamicSharedMemory", "demangledName", "mangledName", "shortName"});
    database_.for_each(kKernels, columns, [this](const SqliteRow& row) {
      std::optional<GpuActivity> known = work(row, Work::kKernel);
      if (!known) return;
      GpuActivity& kernel = *known;
      for (int i = 0; i < 3; ++i) {
        kernel.grid[static_cast<std::size_t>(i)] = clamped_u32(row.integer(7 + i));
        kernel.block[static_cast<std::size_t>(i)] = clamped_u32(row.integer(10 + i));
      }
      if (row.integer(13)) kernel.regs_per_thread = clamped_u32(row.integer(13));
      if (row.integer(14) || row.integer(15)) {
        kernel.smem_bytes = clamped_u32(row.integer(14).value_or(0) + row.integer(15).value_or(0));
      }
      kernel.name = profile_.name_index(kernel_name(row, 16, 18));
      profile_.activities.push_back(kernel);
    });
  }

  void read_graphs() {
    std::size_t count = 0;
    database_.for_each(kGraphs, work_columns({"graphId"}), [&](const SqliteRow& row) {
      std::optional<GpuActivity> graph = work(row, Work::kKernel);
      if (!graph) return;
      graph->name = profile_.name_index(fmt::format("graph_{}", row.integer(7).value_or(0)));
      profile_.activities.push_back(*graph);
      ++count;
    });
    if (count == 0) return;
    profile_.notes.push_back(
        fmt::format("{} launches of graphs were traced as a whole (--cuda-graph-trace=node tells their kernels): each "
                    "is one kernel",
                    count));
  }

  void read_copies() {
    database_.for_each(kCopies, work_columns({"bytes", "copyKind"}), [this](const SqliteRow& row) {
      std::optional<GpuActivity> copy = work(row, copy_work(row.integer(8).value_or(0)));
      if (copy) add(*copy, row.integer(7));
    });
  }

  void read_memsets() {
    database_.for_each(kMemsets, work_columns({"bytes"}), [this](const SqliteRow& row) {
      std::optional<GpuActivity> memset = work(row, Work::kMemset);
      if (memset) add(*memset, row.integer(7));
    });
  }

  void add(GpuActivity activity, std::optional<std::int64_t> bytes) {
    activity.bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(0, bytes.value_or(0)));
    profile_.activities.push_back(activity);
  }

  void read_calls() {
    if (!database_.has_table(kCalls)) {
      profile_.notes.push_back(fmt::format("no table {}: the host's calls are not known", kCalls));
      return;
    }
    database_.for_each(kCalls, {"start", "end", "globalTid", "correlationId", "nameId"}, [this](const SqliteRow& row) {
      const std::string name = string(row, 4);
      // Without names a call is one only where work has its correlation.
      const std::optional<CallKind> kind = name.empty() ? CallKind::kWork : call_kind_of(name);
      if (!kind || !row.integer(0)) return;
      HostCall call;
      call.kind = *kind;
      call.launches_graph = is_graph_launch(name);
      call.start = std::clamp(*row.integer(0), -kMaxMoment, kMaxMoment);
      call.duration = std::max<std::int64_t>(0, std::min(row.integer(1).value_or(call.start), kMaxMoment) - call.start);
      call.thread = static_cast<std::uint64_t>(row.integer(2).value_or(0));
      if (has_processes_) call.process = nsys_process(row.integer(2));
      if (row.integer(3)) call.correlation = static_cast<std::uint64_t>(*row.integer(3));
      profile_.calls.push_back(call);
    });
  }

  // Work names a GPU by its CUDA number, which is not that of the table where some GPUs are hidden from CUDA.
  void read_devices() {
    const char* const id = database_.has_column(kGpus, "cuDevice") ? "cuDevice" : "id";
    read_devices(kGpus, {id, "name", "smCount", "threadsPerWarp", "maxWarpsPerSm", "maxRegistersPerSm", "maxShmemPerSm",
                         "computeMajor", "clockRate", "memoryBandwidth"});
    read_devices(kOldGpus,
                 {"deviceId", "name", "numMultiprocessors", "numThreadsPerWarp", "maxWarpsPerMultiprocessor",
                  "maxRegistersPerMultiprocessor", "maxSharedMemoryPerMultiprocessor", "computeCapabilityMajor"});
  }

  void read_devices(const char* table, const std::vector<std::string>& columns) {
    database_.for_each(table, columns, [&](const SqliteRow& row) {
      DeviceProperties device;
      device.name = row.text(1).value_or("");
      device.num_sms = clamped_u32(row.integer(2));
      device.max_threads_per_sm = clamped_u32(row.integer(3).value_or(32) * row.integer(4).value_or(0));
      device.registers_per_sm = clamped_u32(row.integer(5));
      device.smem_bytes_per_sm = clamped_u32(row.integer(6));
      device.compute_major = clamped_u32(row.integer(7));
      profile_.devices[static_cast<std::uint64_t>(row.integer(0).value_or(0))] = device;
      if (columns.size() <= 8) return;
      device.clock_hz = static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.integer(8).value_or(0)));
      device.memory_bandwidth_bytes_per_s =
          static_cast<std::uint64_t>(std::max<std::int64_t>(0, row.integer(9).value_or(0)));
      profile_.devices[static_cast<std::uint64_t>(row.integer(0).value_or(0))] = device;
    });
  }

  SqliteDatabase database_;
  Profile profile_;
  bool has_processes_ = false;
  std::unordered_map<std::int64_t, std::string> strings_;
};

}  // namespace

Profile read_nsys_sqlite(const std::filesystem::path& path) { return NsysExport(path).read(); }

}  // namespace tessera::importer
