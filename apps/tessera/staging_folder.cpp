// SPDX-License-Identifier: Apache-2.0
// The lock is one of the open file (flock): worker processes hold it too, and it ends with the last of them, also on
// another machine that shares the file system, where a process id says nothing.
#include "apps/tessera/staging_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <stdexcept>
#include <system_error>

#include "apps/tessera/results_listing.h"

namespace tessera::app {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLock = ".tessera-unfinished";
constexpr const char* kResults = "results";

std::error_code last_error() { return {errno, std::generic_category()}; }

[[noreturn]] void fail(const fs::path& place, const std::error_code& error) {
  throw std::runtime_error(fmt::format("cannot create {}: {}", place.string(), error.message()));
}

// Old results that were swapped in keep what is not theirs; unfinished new ones are all ours.
void discard(const fs::path& folder) {
  std::error_code ignored;
  if (version_of_results(folder / kResults).empty()) {
    fs::remove_all(folder / kResults, ignored);
  } else {
    remove_results(folder / kResults);
  }
  fs::remove(folder / kLock, ignored);
  fs::remove(folder, ignored);
}

// Nobody holds its lock, and somebody did: one that is empty is about to be taken.
void discard_if_abandoned(const fs::path& folder) {
  const int lock = ::open((folder / kLock).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (lock < 0) return;
  struct stat status {};
  if (::flock(lock, LOCK_EX | LOCK_NB) == 0 && ::fstat(lock, &status) == 0 && status.st_size > 0) discard(folder);
  ::close(lock);
}

void discard_abandoned(const fs::path& parent) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(parent, ignored)) {
    const bool is_hidden = entry.path().filename().string().front() == '.';
    if (is_hidden && fs::is_directory(entry.symlink_status(ignored))) discard_if_abandoned(entry.path());
  }
}

// One that nobody has: process ids repeat where machines or containers share a folder.
fs::path create_hidden_folder(const fs::path& place) {
  for (int attempt = 0;; ++attempt) {
    const std::string suffix = attempt == 0 ? "" : fmt::format(".{}", attempt);
    const fs::path folder =
        place.parent_path() / fmt::format(".{}.{}{}", place.filename().string(), ::getpid(), suffix);
    if (::mkdir(folder.c_str(), 0777) == 0) return folder;
    if (errno != EEXIST) fail(place, last_error());
  }
}

int take_lock(const fs::path& folder) {
  const int lock = ::open((folder / kLock).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (lock < 0) return lock;
  if (::flock(lock, LOCK_EX) == 0 && ::dprintf(lock, "%d\n", static_cast<int>(::getpid())) > 0) return lock;
  ::close(lock);
  return -1;
}

bool cannot_do_that(int error) { return error == EINVAL || error == ENOSYS; }  // a file system that is no local one

}  // namespace

StagingFolder::StagingFolder(const fs::path& place) {
  std::error_code error;
  const fs::path parent = place.has_parent_path() ? place.parent_path() : fs::path(".");
  fs::create_directories(parent, error);
  if (error) fail(place, error);
  discard_abandoned(parent);
  folder_ = create_hidden_folder(place);
  lock_ = take_lock(folder_);
  if (lock_ >= 0 && ::mkdir(results().c_str(), 0777) == 0) return;
  error = last_error();
  discard(folder_);
  if (lock_ >= 0) ::close(lock_);
  fail(place, error);
}

StagingFolder::~StagingFolder() {
  discard(folder_);
  ::close(lock_);
}

fs::path StagingFolder::results() const { return folder_ / kResults; }

bool StagingFolder::move_to(const fs::path& place) {
  if (::renameat2(AT_FDCWD, results().c_str(), AT_FDCWD, place.c_str(), RENAME_NOREPLACE) == 0) return true;
  if (errno == EEXIST) return false;
  if (!cannot_do_that(errno)) fail(place, last_error());
  if (fs::exists(fs::symlink_status(place))) return false;
  fs::rename(results(), place);
  return true;
}

void StagingFolder::swap_with(const fs::path& place) {
  if (::renameat2(AT_FDCWD, results().c_str(), AT_FDCWD, place.c_str(), RENAME_EXCHANGE) == 0) return;
  if (!cannot_do_that(errno)) fail(place, last_error());
  const fs::path old = folder_ / "old";
  fs::rename(place, old);
  fs::rename(results(), place);
  fs::rename(old, results());
}

}  // namespace tessera::app
