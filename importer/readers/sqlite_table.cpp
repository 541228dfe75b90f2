// SPDX-License-Identifier: Apache-2.0
// SQLite's own interface, row by row.
#include "importer/readers/sqlite_table.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>

#include "model/spec/diagnostics.h"

namespace tessera::importer {

std::optional<std::int64_t> SqliteRow::integer(int column) const {
  if (sqlite3_column_type(statement_, column) == SQLITE_NULL) return std::nullopt;
  return sqlite3_column_int64(statement_, column);
}

std::optional<std::string> SqliteRow::text(int column) const {
  const unsigned char* const text = sqlite3_column_text(statement_, column);
  if (text == nullptr) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(text),
                     static_cast<std::size_t>(sqlite3_column_bytes(statement_, column)));
}

bool SqliteRow::is_text(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_TEXT; }

void SqliteDatabase::Close::operator()(sqlite3* database) const { sqlite3_close(database); }

SqliteDatabase::SqliteDatabase(const std::filesystem::path& path) : name_(path.string()) {
  sqlite3* database = nullptr;
  const int status = sqlite3_open_v2(path.c_str(), &database, SQLITE_OPEN_READONLY, nullptr);
  database_.reset(database);
  if (status != SQLITE_OK) fail("cannot be read", sqlite3_errmsg(database));
}

void SqliteDatabase::fail(const std::string& problem, const std::string& value, const std::string& allowed) const {
  throw spec::InputError({{name_, 1, 1, "", problem, value, allowed}});
}

void SqliteDatabase::query(const std::string& sql, const std::function<void(const SqliteRow&)>& visit) const {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_.get(), sql.c_str(), -1, &statement, nullptr) != SQLITE_OK) {
    fail("cannot be read as a database", sqlite3_errmsg(database_.get()));
  }
  const std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> finalised(statement, sqlite3_finalize);
  int status = SQLITE_ROW;
  while ((status = sqlite3_step(statement)) == SQLITE_ROW) visit(SqliteRow(statement));
  if (status != SQLITE_DONE) fail("is damaged", sqlite3_errmsg(database_.get()));
}

std::vector<std::string> SqliteDatabase::columns_of(const std::string& table) const {
  std::vector<std::string> columns;
  query(fmt::format("PRAGMA table_info(\"{}\")", table),
        [&](const SqliteRow& row) { columns.push_back(row.text(1).value_or("")); });
  return columns;
}

bool SqliteDatabase::has_column(const std::string& table, const std::string& column) const {
  const std::vector<std::string> columns = columns_of(table);
  return std::find(columns.begin(), columns.end(), column) != columns.end();
}

void SqliteDatabase::for_each(const std::string& table, const std::vector<std::string>& columns,
                              const std::function<void(const SqliteRow&)>& visit) const {
  const std::vector<std::string> known = columns_of(table);
  if (known.empty()) return;
  std::vector<std::string> wanted;
  for (const std::string& column : columns) {
    const bool is_there = std::find(known.begin(), known.end(), column) != known.end();
    wanted.push_back(is_there ? "\"" + column + "\"" : "NULL");
  }
  query(fmt::format("SELECT {} FROM \"{}\"", fmt::join(wanted, ", "), table), visit);
}

}  // namespace tessera::importer
