// SPDX-License-Identifier: Apache-2.0
// Reads a thread-block log line by line and collects what is wrong with it.
#include "model/workload/tb_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "model/base/csv_line.h"
#include "model/base/input_file.h"
#include "model/spec/diagnostics.h"
#include "model/spec/gpu_spec.h"

namespace tessera::workload {
namespace {

constexpr std::array<std::string_view, 5> kColumns = {"tb", "sm", "slot", "start_cycle", "end_cycle"};
constexpr std::string_view kColumnLine = "tb,sm,slot,start_cycle,end_cycle";
constexpr std::size_t kMaxFileBytes = std::size_t{256} << 20;  // some ten million TBs
// What a replay counts stays below kNever: at worst its TBs run one after the other.
constexpr Cycle kLastCycle = (Cycle{1} << 46) - 1;

class TbLogReader {
 public:
  TbLogReader(std::istream& in, const std::string& name) : in_(in), name_(name) {}

  TbLog read() {
    for (std::string line; std::getline(in_, line);) {
      ++line_;
      if (!line.empty() && line.back() == '\r') line.pop_back();
      read_line(line);
    }
    check_whole();
    if (!mistakes_.empty()) throw spec::InputError(std::move(mistakes_));
    log_.num_sms = num_sms_.value;
    log_.tbs_per_sm = tbs_per_sm_.value;
    for (auto& [tb, placement] : tbs_) log_.tbs.push_back(placement);
    return std::move(log_);
  }

 private:
  struct Field {
    std::uint64_t value = 0;
    int column = 1;  // in the line
  };
  using Fields = std::array<Field, kColumns.size()>;
  // Of the machine, as the header states it.
  struct Fact {
    std::string_view key;
    std::uint32_t most;
    std::string_view example;
    std::uint32_t value = 0;  // 0: not known
    bool is_stated = false;
  };

  void mistake(int column, std::string_view key, std::string problem, std::string value, std::string allowed) {
    mistakes_.push_back(
        {name_, line_, column, std::string(key), std::move(problem), std::move(value), std::move(allowed)});
  }

  void read_line(const std::string& line) {
    if (line.empty()) return;
    if (line.front() == '#') return read_comment(line);
    if (!has_columns_) return read_column_names(line);
    if (const auto fields = split(line)) read_row(*fields);
  }

  // The machine: "15 SMs" and "tbs_per_sm=6", wherever they stand.
  void read_comment(std::string_view line) {
    constexpr std::string_view kSms = " SMs";
    constexpr std::string_view kTbsPerSm = "tbs_per_sm=";
    constexpr std::string_view kDigits = "0123456789";
    if (const std::size_t end = line.find(kSms); end != std::string_view::npos) {
      const std::size_t begin = line.find_last_not_of(kDigits, end - 1) + 1;  // the line starts with '#'
      read_fact(line, begin, end, num_sms_);
    }
    if (const std::size_t key = line.find(kTbsPerSm); key != std::string_view::npos) {
      const std::size_t begin = key + kTbsPerSm.size();
      read_fact(line, begin, line.find_first_not_of(kDigits, begin), tbs_per_sm_);
    }
  }

  void read_fact(std::string_view line, std::size_t begin, std::size_t end, Fact& fact) {
    const std::string_view text = line.substr(begin, end - begin);
    const auto value = whole_number(text);
    fact.is_stated = true;
    if (value && *value >= 1 && *value <= fact.most) {
      fact.value = static_cast<std::uint32_t>(*value);
    } else {
      mistake(static_cast<int>(begin) + 1, fact.key, "is out of range", std::string(text),
              fmt::format("1 to {}", fact.most));
    }
  }

  void read_column_names(const std::string& line) {
    has_columns_ = true;
    if (line != kColumnLine) mistake(1, "", "is not the line of column names", line, std::string(kColumnLine));
  }

  static bool is_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  }

  std::optional<Fields> split(std::string_view line) {
    Fields fields;
    split_csv(line, cells_);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const bool is_last = i + 1 == fields.size();
      if (!is_last && i + 1 >= cells_.size()) {
        mistake(static_cast<int>(line.size()) + 1, kColumns[i + 1], "is missing", "", "five numbers");
        return std::nullopt;
      }
      const std::size_t column = cells_[i].column;
      const std::string_view text = is_last ? line.substr(column - 1) : cells_[i].text;  // what is too much is its
      const auto value = whole_number(text);
      fields[i].column = static_cast<int>(column);
      if (!value || *value > kLastCycle) {
        mistake(fields[i].column, kColumns[i], is_digits(text) ? "is out of range" : "is not a number",
                std::string(text), fmt::format("0 to {}", kLastCycle));
        return std::nullopt;
      }
      fields[i].value = *value;
    }
    return fields;
  }

  void read_row(const Fields& fields) {
    const auto& [tb, sm, slot, start, end] = fields;
    bool is_good = check_below(sm, kColumns[1], num_sms_.value) && check_below(slot, kColumns[2], tbs_per_sm_.value);
    if (end.value <= start.value) {
      mistake(end.column, kColumns[4], "is not after the start", std::to_string(end.value),
              fmt::format("more than {}", start.value));
      is_good = false;
    }
    if (!is_good) {
      has_bad_rows_ = true;
      return;
    }
    if (end.value - start.value > kLastCycle - total_) {
      mistake(end.column, kColumns[4], "makes the thread blocks so far run too long", std::to_string(end.value),
              fmt::format("at most {} cycles together", kLastCycle));
      has_bad_rows_ = true;
      return;
    }
    total_ += end.value - start.value;
    const TbPlacement placement{static_cast<std::uint32_t>(sm.value), static_cast<std::uint32_t>(slot.value),
                                start.value, end.value};
    if (tbs_.emplace(tb.value, placement).second) return;
    mistake(tb.column, kColumns[0], "is listed twice", std::to_string(tb.value), "");
  }

  // A machine that is not known is complained about once, at the end.
  bool check_below(const Field& field, std::string_view key, std::uint32_t limit) {
    if (limit == 0 || field.value < limit) return true;
    mistake(field.column, key, "is not on the machine", std::to_string(field.value), fmt::format("0 to {}", limit - 1));
    return false;
  }

  void check_whole() {
    line_ = std::max(line_, 1);
    for (const Fact& fact : {num_sms_, tbs_per_sm_}) {
      if (fact.is_stated) continue;
      mistake(1, fact.key, "is missing from the header", "", fmt::format("a comment with '{}'", fact.example));
    }
    if (!has_columns_) mistake(1, "", "has no line of column names", "", std::string(kColumnLine));
    if (!mistakes_.empty() || has_bad_rows_) return;
    if (tbs_.empty()) mistake(1, kColumns[0], "is missing", "", "at least one TB");
    std::uint64_t expected = 0;
    for (const auto& [tb, placement] : tbs_) {
      if (tb != expected) return mistake(1, kColumns[0], "is missing", std::to_string(expected), "TBs 0, 1, 2, ...");
      ++expected;
    }
  }

  std::istream& in_;
  std::string name_;
  int line_ = 0;
  bool has_columns_ = false;
  bool has_bad_rows_ = false;
  Fact num_sms_{"SMs", spec::kMaxSms, "15 SMs"};
  Fact tbs_per_sm_{"tbs_per_sm", spec::kMaxTbsPerSm, "tbs_per_sm=6"};
  Cycle total_ = 0;             // of the TBs' times so far, while it is small enough
  std::vector<CsvCell> cells_;  // of the line
  TbLog log_;
  std::map<std::uint64_t, TbPlacement> tbs_;
  std::vector<spec::Diagnostic> mistakes_;
};

}  // namespace

std::vector<Cycle> TbLog::durations() const {
  std::vector<Cycle> durations;
  durations.reserve(tbs.size());
  for (const TbPlacement& tb : tbs) durations.push_back(tb.end - tb.start);
  return durations;
}

TbLog read_tb_log(std::istream& in, const std::string& name) { return TbLogReader(in, name).read(); }

TbLog read_tb_log_file(const std::string& path) {
  std::string problem;
  std::optional<std::string> text = read_input_file(path, kMaxFileBytes, problem);
  if (!text) throw spec::InputError({{path, 1, 1, "", problem, "", ""}});
  std::istringstream in(*std::exchange(text, std::nullopt));
  return read_tb_log(in, path);
}

}  // namespace tessera::workload
