// SPDX-License-Identifier: Apache-2.0
// Folders and locks.
#include "cosim/core_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "cosim/core_builder.h"

namespace tessera::cosim {
namespace {

namespace fs = std::filesystem;

bool is_usable(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  return fs::is_directory(folder, error) && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

// Where others may write too: what we load from there has to be ours.
fs::path folder_of_our_own() {
  const fs::path folder = fs::temp_directory_path() / fmt::format("tessera-{}", ::getuid());
  ::mkdir(folder.c_str(), 0700);
  struct stat status {};
  const bool is_ours = ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
                       status.st_uid == ::getuid() && (status.st_mode & 022) == 0;
  if (!is_ours) throw BuildError("no directory for built Verilog cores: set TESSERA_CORE_CACHE");
  return folder;
}

// Of all cores of this user.
fs::path cache_folder() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const std::string chosen = variable("TESSERA_CORE_CACHE"); !chosen.empty()) {
    if (!is_usable(chosen)) throw BuildError("TESSERA_CORE_CACHE: cannot write to " + chosen);
    return fs::absolute(chosen);
  }
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty() && is_usable(cache + "/tessera")) {
    return cache + "/tessera";
  }
  if (const std::string home = variable("HOME"); !home.empty() && is_usable(home + "/.cache/tessera")) {
    return home + "/.cache/tessera";
  }
  return folder_of_our_own();
}

// A folder to build an entry in, locked against other processes for as long as this lives.
class Workplace {
 public:
  explicit Workplace(const fs::path& entry) : folder_(entry / "work") {
    fs::create_directories(entry);
    // The tools inherit the lock: it stays until the last of them has ended, even if this process was killed.
    lock_ = ::open(entry.c_str(), O_RDONLY | O_DIRECTORY);
    if (lock_ < 0) throw BuildError("cannot open " + entry.string());
    if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
      fmt::print(stderr, "tessera: waiting for another process that is building the same\n");
      if (::flock(lock_, LOCK_EX) != 0) {  // by a signal, as a rule
        ::close(lock_);
        throw BuildError("interrupted while another process was building the same");
      }
    }
    fs::remove_all(folder_);
    fs::create_directory(folder_);
  }
  ~Workplace() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
    ::close(lock_);
  }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
  int lock_;
};

}  // namespace

// FNV-1a.
std::string fingerprint(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

fs::path cached(const std::string& key, const std::string& result,
                const std::function<void(const fs::path& folder)>& build) {
  const fs::path entry = cache_folder() / key;
  if (fs::exists(entry / result)) return entry / result;
  const Workplace workplace(entry);
  if (fs::exists(entry / result)) return entry / result;  // built while we waited
  build(workplace.folder());
  fs::rename(workplace.folder() / result, entry / result);
  return entry / result;
}

}  // namespace tessera::cosim
