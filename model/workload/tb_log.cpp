// SPDX-License-Identifier: Apache-2.0
// Reads a thread-block log line by line and collects what is wrong with it.
#include "model/workload/tb_log.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>

#include "model/spec/diagnostics.h"

namespace tessera::workload {
namespace {

constexpr std::array<std::string_view, 5> kColumns = {"tb", "sm", "slot", "start_cycle", "end_cycle"};
constexpr std::string_view kColumnLine = "tb,sm,slot,start_cycle,end_cycle";
constexpr std::uint32_t kMaxCount = 0xFFFF;  // SMs, and slots of one

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
    for (auto& [tb, placement] : tbs_) log_.tbs.push_back(placement);
    return std::move(log_);
  }

 private:
  struct Field {
    std::uint64_t value = 0;
    int column = 1;  // in the line
  };
  using Fields = std::array<Field, kColumns.size()>;

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
      read_fact(line, begin, end, "SMs", log_.num_sms);
    }
    if (const std::size_t key = line.find(kTbsPerSm); key != std::string_view::npos) {
      const std::size_t begin = key + kTbsPerSm.size();
      read_fact(line, begin, line.find_first_not_of(kDigits, begin), "tbs_per_sm", log_.tbs_per_sm);
    }
  }

  void read_fact(std::string_view line, std::size_t begin, std::size_t end, std::string_view key, std::uint32_t& fact) {
    const std::string_view text = line.substr(begin, end - begin);
    const auto value = number(text);
    if (value && *value >= 1 && *value <= kMaxCount) {
      fact = static_cast<std::uint32_t>(*value);
    } else {
      mistake(static_cast<int>(begin) + 1, key, "is out of range", std::string(text),
              fmt::format("1 to {}", kMaxCount));
    }
  }

  void read_column_names(const std::string& line) {
    has_columns_ = true;
    if (line != kColumnLine) mistake(1, "", "is not the line of column names", line, std::string(kColumnLine));
  }

  static std::optional<std::uint64_t> number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
  }

  std::optional<Fields> split(std::string_view line) {
    Fields fields;
    std::size_t at = 0;
    for (std::size_t i = 0; i < fields.size(); ++i) {
      const bool is_last = i + 1 == fields.size();
      const std::size_t comma = is_last ? line.size() : line.find(',', at);
      if (comma == std::string_view::npos) {
        mistake(static_cast<int>(line.size()) + 1, kColumns[i + 1], "is missing", "", "five numbers");
        return std::nullopt;
      }
      const std::string_view text = line.substr(at, comma - at);
      const auto value = number(text);
      fields[i].column = static_cast<int>(at) + 1;
      if (!value || *value > kNever) {
        mistake(fields[i].column, kColumns[i], "is not a number", std::string(text), fmt::format("0 to {}", kNever));
        return std::nullopt;
      }
      fields[i].value = *value;
      at = comma + 1;
    }
    return fields;
  }

  void read_row(const Fields& fields) {
    const auto& [tb, sm, slot, start, end] = fields;
    bool is_good = check_below(sm, kColumns[1], log_.num_sms) && check_below(slot, kColumns[2], log_.tbs_per_sm);
    if (end.value <= start.value) {
      mistake(end.column, kColumns[4], "is not after the start", std::to_string(end.value),
              fmt::format("more than {}", start.value));
      is_good = false;
    }
    if (!is_good) {
      has_bad_rows_ = true;
      return;
    }
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
    if (log_.num_sms == 0) mistake(1, "SMs", "is missing from the header", "", "a comment with '15 SMs'");
    if (log_.tbs_per_sm == 0)
      mistake(1, "tbs_per_sm", "is missing from the header", "", "a comment with 'tbs_per_sm=6'");
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
  std::ifstream in(path);
  if (!in) throw spec::InputError({{path, 1, 1, "", "cannot be read", "", ""}});
  return read_tb_log(in, path);
}

}  // namespace tessera::workload
