// SPDX-License-Identifier: Apache-2.0
// Databases as Nsight Systems exports them, made from SQL.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <string>

#include "tests/importer/profiles.h"

namespace tessera::importer::test {

// As the export of version 2023.2, but for columns that nobody reads.
inline const std::string kStrings = R"sql(CREATE TABLE StringIds (id INTEGER, value TEXT);
  INSERT INTO StringIds VALUES (1, 'void f<int>(int)'), (2, 'f'), (3, 'cudaLaunchKernel_v7000'), (4, 'cudaMalloc'),
  (5, 'cudaDeviceSynchronize_v3020');)sql";
inline const std::string kKernels =
    R"(CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER,
  contextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER,
  gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER,
  registersPerThread INTEGER, staticSharedMemory INTEGER, dynamicSharedMemory INTEGER);
  INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1000, 6000, 0, 1, 7, 42, 16777216000, 1, 2, 10, 2, 1, 256, 1, 1, 40, 128,
  1024);)";
inline const std::string kCalls =
    R"(CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER,
  correlationId INTEGER, nameId INTEGER);
  INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 500, 16777216005, 42, 3), (600, 700, 16777216005, 43, 4),
  (700, 6500, 16777216005, 44, 5);)";

class Database {
 public:
  explicit Database(const std::string& sql) : file_("export.sqlite", "") {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(file_.path().c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
    sqlite3_close(database);
  }
  const std::filesystem::path& path() const { return file_.path(); }

 private:
  TemporaryFile file_;
};

}  // namespace tessera::importer::test
