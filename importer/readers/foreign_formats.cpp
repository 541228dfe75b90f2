// SPDX-License-Identifier: Apache-2.0
// Each format by columns, first bytes or keys that no other has.
#include "importer/readers/foreign_formats.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "model/base/csv_line.h"

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
    {{"Counter_Name", "Counter_Value", ""}, "a counter table of rocprofv3"},
    {{"Kernel_Name", "Start_Timestamp", ""}, "a kernel trace of rocprofv3"},
    {{"Direction", "Start_Timestamp", ""}, "a copy trace of rocprofv3"},
    {{"Function", "Start_Timestamp", ""}, "an API trace of rocprofv3"},
    {{"Start_Timestamp", "End_Timestamp", ""}, "a trace of rocprofv3"},
    {{"Node_Id", "Logical_Node_Id", ""}, "an agent table of rocprofv3"},
    {{"\"KernelName\"", "\"Calls\"", ""}, "a summary of rocprof"},
    {{"Name", "TotalDurationNs", ""}, "a summary of rocprof"},
};

struct ForeignFile {
  std::string_view marker;  // the first bytes, or the end of the name
  std::string_view name;
  std::string_view advice;
};
constexpr std::string_view kUnpack = "unpack it";
constexpr std::string_view kExport = "an export of the report it comes from: nsys export --type sqlite";
constexpr ForeignFile kForeignFiles[] = {
    {"==PROF==", "text of Nsight Compute", ""},
    {"==", "text of nvprof", ""},
    {"QDSTRM", "a raw capture of Nsight Systems (.qdstrm)",
     "open it in Nsight Systems, then nsys export --type sqlite"},
    {std::string_view("NVR\0", 4), "a report of Nsight Compute (.ncu-rep)", ""},
    {"%PDF", "a PDF document", ""},
    {"PK\x03\x04", "a ZIP archive", kUnpack},
    {"\xFD"
     "7zXZ",
     "an xz archive", kUnpack},
    {"BZh", "a bzip2 archive", kUnpack},
    {"\x28\xB5\x2F\xFD", "a zstd archive", kUnpack},
    {"\x89HDF", "an HDF5 file", kExport},
    {"ARROW1", "an Arrow file", kExport},
    {"PAR1", "a Parquet file", kExport},
    {"<", "XML or HTML", ""},
    {"\x0A\x04\x08", "a profile of pprof", ""},  // its first sample type: two small numbers
};
constexpr ForeignFile kForeignNames[] = {
    {".nsys-rep", "a report of Nsight Systems (.nsys-rep)", "nsys export --type sqlite"},
    {".qdrep", "a report of Nsight Systems (.qdrep)", "nsys export --type sqlite"},
    {".xplane.pb", "a profile of XLA (XSpace)", ""},
    {".pprof", "a profile of pprof", ""},
};

// Messages in field 1, one after the other. No text begins with a line feed and has other control characters.
bool is_protobuf(std::string_view start) {
  const bool is_binary = std::any_of(start.begin(), start.end(),
                                     [](unsigned char c) { return c < 0x20 && c != '\n' && c != '\r' && c != '\t'; });
  return is_binary && start.front() == '\x0A';
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

struct JsonKey {
  std::string_view key;
  std::string_view name;
};
constexpr JsonKey kJsonKeys[] = {
    {"hlo_op", "a trace of XLA (JAX, TensorFlow)"},
    {"hlo_module", "a trace of XLA (JAX, TensorFlow)"},
    {"kernel_details", "a trace of XLA (JAX, TensorFlow)"},
    {"run_id", "a trace of XLA (JAX, TensorFlow)"},
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
  const std::vector<std::string> cells = csv_texts(line);
  for (const ForeignTable& table : kForeignTables) {
    if (has_columns(cells, table)) return std::string(table.name);
  }
  return "";
}

ForeignFormat foreign_file(std::string_view start, std::string_view file_name) {
  const auto told = [](const ForeignFile& file) {
    return ForeignFormat{std::string(file.name), std::string(file.advice)};
  };
  for (const ForeignFile& each : kForeignFiles) {
    if (start.substr(0, each.marker.size()) == each.marker) return told(each);
  }
  for (const ForeignFile& each : kForeignNames) {
    if (ends_with(file_name, each.marker)) return told(each);
  }
  if (is_protobuf(start)) return {"a trace in protobuf (Perfetto, XLA)", ""};
  return {};
}

std::string foreign_json(std::string_view key) {
  for (const JsonKey& each : kJsonKeys) {
    if (key == each.key) return std::string(each.name);
  }
  return "";
}

}  // namespace tessera::importer
