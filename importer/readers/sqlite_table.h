// SPDX-License-Identifier: Apache-2.0
// A table of somebody else's database, of which not every version has every column.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct sqlite3;
struct sqlite3_stmt;

namespace tessera::importer {

class SqliteRow {
 public:
  explicit SqliteRow(sqlite3_stmt* statement) : statement_(statement) {}
  // By position in the list of columns that was asked for; none where it is NULL, or the table has no such column.
  std::optional<std::int64_t> integer(int column) const;
  std::optional<std::string> text(int column) const;
  bool is_text(int column) const;

 private:
  sqlite3_stmt* statement_;
};

// Opened for reading only. Throws spec::InputError where the file is no database, or is damaged.
class SqliteDatabase {
 public:
  explicit SqliteDatabase(const std::filesystem::path& path);

  bool has_table(const std::string& table) const { return !columns_of(table).empty(); }
  bool has_column(const std::string& table, const std::string& column) const;
  // Columns that are not there are NULL in every row. `table` is a literal of ours.
  void for_each(const std::string& table, const std::vector<std::string>& columns,
                const std::function<void(const SqliteRow&)>& visit) const;
  [[noreturn]] void fail(const std::string& problem, const std::string& value = "",
                         const std::string& allowed = "") const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };
  std::vector<std::string> columns_of(const std::string& table) const;
  void query(const std::string& sql, const std::function<void(const SqliteRow&)>& visit) const;

  std::string name_;
  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace tessera::importer
