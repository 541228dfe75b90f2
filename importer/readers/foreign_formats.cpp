// SPDX-License-Identifier: Apache-2.0
// Each format by columns, first bytes or keys that no other has.
#include "importer/readers/foreign_formats.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "importer/readers/csv_line.h"

namespace tessera::importer {
namespace {

struct ForeignTable {
  std::array<std::string_view, 3> columns;  // all of them, each as a cell's beginning; empty: none
  std::string_view name;
};
constexpr ForeignTable kForeignTables[] = {
    {{"Start", "CorrID", "Pid"}, "an API trace of nsys (cuda_api_trace, osrt_trace)"},
    {{"Start", "Result", "Tid"}, "an API trace of nsys (cuda_api_trace, osrt_trace)"},
    {{"API Start", "Kernel Start", ""}, "a kernel launch table of nsys (cuda_kern_exec_trace)"},
    {{"RangeId", "RangeStack", ""}, "an NVTX trace of nsys (nvtx_pushpop_trace)"},
    {{"Start", "RangeId", ""}, "an NVTX trace of nsys (nvtx_startend_trace)"},
    {{"Start", "NameTree", ""}, "an NVTX trace of nsys (nvtx_pushpop_trace)"},
    {{"Time (%)", "Total Time", ""}, "a summary of nsys (.._sum)"},
    {{"Time(%)", "Total Time", ""}, "a summary of nsys (.._sum)"},
    {{"Total (MB)", "Count", "Operation"}, "a summary of nsys (cuda_gpu_mem_size_sum)"},
    {{"Time(%)", "Calls", "Avg"}, "a summary of nvprof"},
    {{"Type", "Time(%)", "Calls"}, "a summary of nvprof"},
    {{"Grid X", "Registers Per Thread", ""}, "a GPU trace of nvprof"},
    {{"Kernel Name", "Metric Name", ""}, "a table of Nsight Compute"},
    {{"Kernel Name", "Host Name", "Process ID"}, "a table of Nsight Compute"},
    {{"KernelName", "gpu-id", ""}, "a table of rocprof"},
    {{"Kernel_Name", "Start_Timestamp", ""}, "a kernel trace of rocprofv3"},
    {{"\"KernelName\"", "\"Calls\"", ""}, "a summary of rocprof"},
    {{"Name", "TotalDurationNs", ""}, "a summary of rocprof"},
};

struct ForeignFile {
  std::string_view start;
  std::string_view name;
};
constexpr ForeignFile kForeignFiles[] = {
    {"==", "text of nvprof"},
    {"QDSTRM", "a raw capture of Nsight Systems (.qdstrm): open it, or nsys export --type sqlite"},
    {"NVR\0", "a report of Nsight Compute (.ncu-rep)"},
    {"%PDF", "a PDF document"},
    {"PK\x03\x04", "a ZIP archive: unpack it"},
    {"\xFD" "7zXZ", "an xz archive: unpack it"},
    {"\x28\xB5\x2F\xFD", "a zstd archive: unpack it"},
    {"\x89HDF", "an HDF5 file: nsys export --type sqlite is read"},
    {"ARROW1", "an Arrow file: nsys export --type sqlite is read"},
    {"PAR1", "a Parquet file: nsys export --type sqlite is read"},
    {"<", "XML or HTML"},
};

struct JsonKey {
  std::string_view key;
  std::string_view name;
};
constexpr JsonKey kJsonKeys[] = {
    {"hlo_op", "a trace of XLA (JAX, TensorFlow)"},
    {"hlo_module", "a trace of XLA (JAX, TensorFlow)"},
    {"kernel_details", "a trace of XLA (JAX, TensorFlow)"},
    {"BeginNs", "a trace of rocprof"},
    {"dev-id", "a trace of rocprof"},
    {"rocprofiler-sdk-tool", "an output of rocprofv3"},
    {"rocprofiler-sdk-json-tool", "an output of rocprofv3"},
};

bool has_columns(const std::vector<std::string>& cells, const ForeignTable& table) {
  return std::all_of(table.columns.begin(), table.columns.end(), [&](std::string_view column) {
    return column.empty() || std::any_of(cells.begin(), cells.end(), [&](const std::string& cell) {
             const std::size_t first = cell.find_first_not_of(" \t\xEF\xBB\xBF");
             return first != std::string::npos && cell.compare(first, column.size(), column) == 0;
           });
  });
}

}  // namespace

std::string foreign_table(const std::string& line) {
  const std::vector<std::string> cells = csv_cells(line);
  for (const ForeignTable& table : kForeignTables) {
    if (has_columns(cells, table)) return std::string(table.name);
  }
  return "";
}

std::string foreign_file(std::string_view start) {
  for (const ForeignFile& marker : kForeignFiles) {
    if (start.substr(0, marker.start.size()) == marker.start) return std::string(marker.name);
  }
  return "";
}

std::string foreign_json(std::string_view key) {
  for (const JsonKey& each : kJsonKeys) {
    if (key == each.key) return std::string(each.name);
  }
  return "";
}

}  // namespace tessera::importer
