// SPDX-License-Identifier: Apache-2.0
// The tables of docs/hardware/register_map.md, and where the registers that it names are in the code.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tessera/register_map.h"

namespace tessera::tlm_model::test {

using Row = std::vector<std::string>;

// The rows of the table whose heading cells start with `first_heading`, without the back quotes of their cells.
inline std::vector<Row> table(const std::string& first_heading) {
  std::ifstream file(TESSERA_SOURCE_DIR "/docs/hardware/register_map.md");
  std::vector<Row> rows;
  bool is_inside = false;
  for (std::string line; std::getline(file, line);) {
    Row row;
    std::istringstream cells(line.empty() ? line : line.substr(1));
    for (std::string cell; std::getline(cells, cell, '|');) {
      std::string text;
      for (const char c : cell) {
        if (c != '`') text += c;
      }
      const std::size_t first = text.find_first_not_of(' ');
      row.push_back(first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') - first + 1));
    }
    if (line.rfind("| ", 0) != 0) {
      is_inside = false;
    } else if (row[0] == first_heading) {
      is_inside = true;
    } else if (is_inside && row[0].rfind("---", 0) != 0) {
      rows.push_back(row);
    }
  }
  return rows;
}

// First column to second: "0x0010" -> "kControl" comes out as {"kControl", 0x10}.
inline std::map<std::string, std::uint64_t> numbers_by_name(const std::vector<Row>& rows, std::size_t name_column) {
  std::map<std::string, std::uint64_t> numbers;
  for (const Row& row : rows) numbers[row.at(name_column)] = std::stoull(row.at(0), nullptr, 0);
  return numbers;
}

inline const std::map<std::string, std::uint64_t> kRegisters = {
    {"kId", reg::kId},
    {"kCapabilities", reg::kCapabilities},
    {"kControl", reg::kControl},
    {"kStatus", reg::kStatus},
    {"kInterruptStatus", reg::kInterruptStatus},
    {"kInterruptEnable", reg::kInterruptEnable},
    {"kError", reg::kError},
    {"kPolicy", reg::kPolicy},
    {"kCompletion", reg::kCompletion},
    {"kLaunchGrid", reg::kLaunchGrid},
    {"kLaunchDescriptor", reg::kLaunchDescriptor},
    {"kLaunchDoorbell", reg::kLaunchDoorbell},
    {"kLaunchStatus", reg::kLaunchStatus},
    {"kKernelDone", reg::kKernelDone},
    {"kCoreSize", reg::kCoreSize},
    {"kFeatures", reg::kFeatures},
    {"kTimeSlice", reg::kTimeSlice},
    {"kSwitchCost", reg::kSwitchCost},
    {"kSwitchTimer", reg::kSwitchTimer},
    {"kTurn", reg::kTurn},
    {"kCounters", reg::kCounters},
    {"kPriority", reg::kContexts + reg::kPriority},
    {"kTokens", reg::kContexts + reg::kTokens},
    {"kPageTable", reg::kContexts + reg::kPageTable},
    {"kDeadline", reg::kContexts + reg::kDeadline},
    {"kSmPartition", reg::kSmPartition},
    {"kPartition", reg::kPartition},
    {"kSmCycles", reg::kSmCycles},
    {"kHeld", reg::kHeld},
    {"kPartitionMask", reg::kPartitionMask},
    {"kOwnSlice", reg::kOwnSlice},
    {"kWaiting", reg::kWaiting},
    {"kSliceEnd", reg::kSliceEnd},
    {"kListed", reg::kListed},
    {"kBase", reg::kQueues + reg::kBase},
    {"kEntries", reg::kQueues + reg::kEntries},
    {"kDoorbell", reg::kQueues + reg::kDoorbell},
    {"kHead", reg::kQueues + reg::kHead},
};

// Of the first table, by column.
inline bool is_in(const Row& row, const char* device) { return row.at(5).find(device) != std::string::npos; }
inline bool has_fixed_reset(const Row& row) { return row.at(3) != "Spec"; }
inline bool has_fixed_bits(const Row& row) { return row.at(2) == "RW" && row.at(4) != "see below"; }

}  // namespace tessera::tlm_model::test
