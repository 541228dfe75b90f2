// SPDX-License-Identifier: Apache-2.0
// Nsight Compute's table of metrics as CSV. It stands behind lines that the profiled program and ncu print.
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "importer/counters.h"
#include "importer/kernel_names.h"
#include "importer/readers/byte_source.h"
#include "importer/readers/csv_number.h"
#include "model/base/csv_line.h"

namespace tessera::importer {
namespace {

constexpr const char* kHowTo = "ncu --csv --metrics dram__bytes_read.sum,dram__bytes_write.sum PROGRAM";

struct ByteUnit {
  const char* name;
  double factor;
};
constexpr ByteUnit kByteUnits[] = {{"byte", 1}, {"Kbyte", 1e3}, {"Mbyte", 1e6}, {"Gbyte", 1e9}, {"Tbyte", 1e12},
                                   {"B", 1},    {"KB", 1e3},    {"MB", 1e6},    {"GB", 1e9},    {"TB", 1e12}};

enum Column : std::size_t { kId, kKernel, kBlock, kGrid, kMetric, kUnit, kValue, kNumColumns };
constexpr const char* kColumns[kNumColumns] = {"ID",          "Kernel Name", "Block Size",  "Grid Size",
                                               "Metric Name", "Metric Unit", "Metric Value"};

class NcuTable {
 public:
  explicit NcuTable(const std::filesystem::path& path) : source_(path) {}

  Counters read() {
    find_header();
    while (auto line = source_.line()) {
      if (line->empty() || line->rfind("==", 0) == 0) continue;  // what ncu says meanwhile
      add(csv_texts(*line));
    }
    if (launches_.empty()) source_.fail("has no bytes of device memory", "", kHowTo);
    return counters();
  }

 private:
  struct Launch {
    std::string kernel;
    std::uint64_t num_tbs = 0;
    std::uint64_t threads_per_tb = 0;
    std::optional<double> both;  // dram__bytes.sum
    double parts = 0;            // dram__bytes_read.sum, dram__bytes_write.sum
  };

  void find_header() {
    while (auto line = source_.line()) {
      const std::vector<std::string> cells = csv_texts(*line);
      const auto at = [&](const char* name) { return std::find(cells.begin(), cells.end(), name) - cells.begin(); };
      if (static_cast<std::size_t>(at(kColumns[kKernel])) == cells.size()) continue;
      for (std::size_t i = 0; i < kNumColumns; ++i) {
        columns_[i] = static_cast<std::size_t>(at(kColumns[i]));
        if (columns_[i] == cells.size()) source_.fail(std::string("has no column ") + kColumns[i], "", kHowTo);
      }
      return;
    }
    source_.fail("is no table of Nsight Compute", "", kHowTo);
  }

  void add(const std::vector<std::string>& cells) {
    const std::size_t last = *std::max_element(columns_, columns_ + kNumColumns);
    if (cells.size() <= last) source_.fail("is not a row of the table", cells.front().substr(0, 40));
    const auto cell = [&](Column column) -> const std::string& { return cells[columns_[column]]; };
    const bool is_both = cell(kMetric) == "dram__bytes.sum";
    const bool is_part = cell(kMetric) == "dram__bytes_read.sum" || cell(kMetric) == "dram__bytes_write.sum";
    if ((!is_both && !is_part) || cell(kValue) == "n/a") return;
    const double bytes = bytes_of(cell(kValue), cell(kUnit));
    Launch& launch = launches_[cell(kId)];
    launch.kernel = short_kernel_name(cell(kKernel));
    launch.num_tbs = product_of(cell(kGrid));
    launch.threads_per_tb = product_of(cell(kBlock));
    if (is_both) {
      launch.both = bytes;
    } else {
      launch.parts += bytes;
    }
  }

  double bytes_of(const std::string& value, const std::string& unit) const {
    const std::optional<double> number = csv_number(value);
    if (!number) source_.fail("is no number of bytes", value.substr(0, 40));
    const auto known = std::find_if(std::begin(kByteUnits), std::end(kByteUnits),
                                    [&](const ByteUnit& each) { return unit == each.name; });
    if (known == std::end(kByteUnits))
      source_.fail("has a unit that is not known", unit.substr(0, 40), "byte, Kbyte, Mbyte, Gbyte");
    return *number * known->factor;
  }

  // `(256, 1, 1)`
  std::uint64_t product_of(const std::string& sizes) const {
    std::uint64_t product = 1;
    std::size_t count = 0;
    for (std::size_t at = 0; at < sizes.size();) {
      const std::size_t begin = sizes.find_first_of("0123456789", at);
      if (begin == std::string::npos) break;
      const std::size_t end = std::min(sizes.size(), sizes.find_first_not_of("0123456789", begin));
      const std::optional<std::uint64_t> size = whole_number(sizes.substr(begin, end - begin));
      if (!size || *size == 0 || *size > 0x7FFFFFFF) break;
      product *= *size;
      ++count;
      at = end;
    }
    if (count != 3) source_.fail("is no size of a grid or block", sizes.substr(0, 40), "(256, 1, 1)");
    return product;
  }

  Counters counters() const {
    std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, CountedKernel> of_shape;
    for (const auto& [id, launch] : launches_) {
      CountedKernel& counted = of_shape[{launch.kernel, launch.num_tbs, launch.threads_per_tb}];
      counted.name = launch.kernel;
      counted.num_tbs = launch.num_tbs;
      counted.threads_per_tb = launch.threads_per_tb;
      counted.bytes += launch.both.value_or(launch.parts);
      ++counted.num_launches;
    }
    Counters all;
    for (auto& [shape, counted] : of_shape) all.push_back(counted);
    return all;
  }

  ByteSource source_;
  std::size_t columns_[kNumColumns] = {};
  std::map<std::string, Launch> launches_;  // by ID
};

}  // namespace

Counters read_ncu_csv(const std::filesystem::path& path) { return NcuTable(path).read(); }

}  // namespace tessera::importer
