// SPDX-License-Identifier: Apache-2.0
// Streams the log as CSV (RFC 4180, LF line ends): one line per record, columns as in docs/guide/record_format.md.
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string_view>

#include "model/record/names.h"
#include "model/record/record.h"
#include "model/record/trace/chunked_writer.h"
#include "model/record/trace/csv_names.h"

namespace tessera::record {

enum class CsvScope { kAll, kWithoutTbs };

class CsvSink : public ISink {
 public:
  static constexpr std::string_view kHeader =
      "cycle,kind,process,kernel,launch,run,sm,slot,tb,technique,bytes,cycles,value\n";

  // `out` must outlive the sink. Cells that a kind does not use are empty; process and kernel are also filled in if
  // only the launch is given.
  CsvSink(std::ostream& out, const Names& names, CsvScope scope = CsvScope::kAll);

  bool wants_per_tb() const override { return scope_ == CsvScope::kAll; }
  bool wants_held() const override { return true; }
  void consume(const Record& record) override;
  void finish(Cycle end) override;  // throws std::runtime_error if the stream failed

 private:
  void append(std::string_view cell);
  void append(std::optional<std::uint64_t> cell);
  void append_names(const Record& record);

  ChunkedWriter writer_;
  CsvScope scope_;
  CsvNames names_;
  LaunchTable launches_;
};

}  // namespace tessera::record
