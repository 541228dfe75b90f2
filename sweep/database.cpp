// SPDX-License-Identifier: Apache-2.0
// One transaction, without a journal: nobody sees the file before it is whole.
#include "sweep/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <stdexcept>

#include "model/base/whole_file.h"

namespace tessera::sweep {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string sql_name(const std::string& text) {
  std::string name = "\"";
  for (const char c : text) name += c == '"' ? std::string("\"\"") : std::string(1, c);
  return name + '"';
}

class Database {
 public:
  explicit Database(const fs::path& path) {
    if (::sqlite3_open(path.c_str(), &database_) != SQLITE_OK) fail();
  }
  ~Database() { ::sqlite3_close(database_); }
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  void run(const std::string& sql) {
    if (::sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }
  [[noreturn]] void fail() { throw std::runtime_error(fmt::format("sweep.sqlite: {}", ::sqlite3_errmsg(database_))); }
  sqlite3* handle() { return database_; }

 private:
  sqlite3* database_ = nullptr;
};

class Insertion {
 public:
  Insertion(Database& database, const std::string& table, std::size_t num_columns) : database_(database) {
    std::string places;
    for (std::size_t i = 0; i < num_columns; ++i) places += i == 0 ? "?" : ",?";
    const std::string sql = fmt::format("INSERT INTO {} VALUES ({})", table, places);
    if (::sqlite3_prepare_v2(database.handle(), sql.c_str(), -1, &statement_, nullptr) != SQLITE_OK) database.fail();
  }
  ~Insertion() { ::sqlite3_finalize(statement_); }
  Insertion(const Insertion&) = delete;
  Insertion& operator=(const Insertion&) = delete;

  void row(const std::vector<Json>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) bind(static_cast<int>(i) + 1, values[i]);
    if (::sqlite3_step(statement_) != SQLITE_DONE) database_.fail();
    ::sqlite3_reset(statement_);
  }

 private:
  void bind(int place, const Json& value) {
    if (value.is_null()) {
      ::sqlite3_bind_null(statement_, place);
    } else if (value.is_string()) {
      const auto text = value.get<std::string>();
      ::sqlite3_bind_text(statement_, place, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
    } else if (value.is_number_float()) {
      ::sqlite3_bind_double(statement_, place, value.get<double>());
    } else {
      ::sqlite3_bind_int64(statement_, place, value.is_boolean() ? value.get<bool>() : value.get<std::int64_t>());
    }
  }

  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

// A label as what it reads as.
Json sql_value(const std::string& label) {
  const Json number = Json::parse(label, nullptr, false);
  return number.is_number() ? number : Json(label);
}

// An axis over it is a column already.
bool is_engine(const Column& column) { return column.kind == ColumnKind::kStatus && column.name == "engine"; }

void create_tables(Database& database, const Table& table) {
  std::string axes;
  for (const Column& column : table.columns) {
    if (column.kind == ColumnKind::kAxis) axes += ", " + sql_name(column.name);
    if (is_engine(column)) axes += ", engine TEXT NOT NULL";
  }
  database.run(
      "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;"
      "CREATE TABLE points (point INTEGER PRIMARY KEY, key TEXT NOT NULL, seed INTEGER, status TEXT NOT NULL,"
      " reason TEXT NOT NULL" +
      axes +
      ");"
      "CREATE TABLE metrics (point INTEGER NOT NULL REFERENCES points, name TEXT NOT NULL, kind TEXT NOT NULL,"
      " unit TEXT NOT NULL, value REAL NOT NULL, PRIMARY KEY (point, name)) WITHOUT ROWID;"
      "CREATE TABLE processes (point INTEGER NOT NULL REFERENCES points, name TEXT NOT NULL, application TEXT NOT NULL,"
      " priority INTEGER NOT NULL, background INTEGER NOT NULL, runs INTEGER NOT NULL, turnaround_us REAL,"
      " alone_us REAL, ntt REAL, PRIMARY KEY (point, name)) WITHOUT ROWID;");
}

void fill_points(Database& database, const Table& table) {
  constexpr std::size_t kFixed = 5;
  const bool tells_engine = std::any_of(table.columns.begin(), table.columns.end(), is_engine);
  Insertion points(database, "points", kFixed + table.plan->spec().axes.size() + (tells_engine ? 1 : 0));
  for (const Row& row : table.rows) {
    std::vector<Json> values{row.index, row.key, row.seed ? Json(*row.seed) : Json(), row.status, row.reason};
    for (const std::string& label : row.labels) values.push_back(sql_value(label));
    if (tells_engine) values.emplace_back(row.engine);
    points.row(values);
  }
}

void fill_metrics(Database& database, const Table& table) {
  Insertion metrics(database, "metrics", 5);
  for (const Row& row : table.rows) {
    for (const Column& column : table.columns) {
      const auto value = row.value(column.name);
      if (value) metrics.row({row.index, column.name, to_string(column.kind), column.unit, *value});
    }
  }
}

void fill_processes(Database& database, const Table& table) {
  Insertion processes(database, "processes", 9);
  for (const Row& row : table.rows) {
    for (const Json& process : row.processes) {
      processes.row({row.index, process.at("name"), process.at("application"), process.at("priority"),
                     process.at("background"), process.at("runs"), process.at("turnaround_us"), process.at("alone_us"),
                     process.at("ntt")});
    }
  }
}

}  // namespace

void write_database(const Table& table, const fs::path& path) {
  const fs::path aside = aside_of(path);
  fs::remove(aside);
  {
    Database database(aside);
    create_tables(database, table);
    fill_points(database, table);
    fill_metrics(database, table);
    fill_processes(database, table);
    database.run("COMMIT;");
  }
  fs::rename(aside, path);
}

}  // namespace tessera::sweep
