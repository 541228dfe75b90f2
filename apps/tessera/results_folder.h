// SPDX-License-Identifier: Apache-2.0
// A folder of results that appears whole or not at all: written beside its place, and put there at the end. It lists
// its own files in `.tessera-results`, and takes the place of nothing but such a folder that holds no other file, or of
// an empty one.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "apps/tessera/staging_folder.h"

namespace tessera::app {

enum class Replaces {
  kNothing,
  kSameVersion,  // results of this version of the program: of a folder that is named after its content
  kAnyVersion
};

class ResultsFolder {
 public:
  // Creates the folder to write in, and nothing at `place` yet. Throws spec::InputError when what is at `place` may not
  // be replaced, std::runtime_error when the folder cannot be created.
  ResultsFolder(std::filesystem::path place, Replaces replaces);

  const std::filesystem::path& place() const { return place_; }
  // Where to write a file of that name until publish().
  std::filesystem::path file(const std::string& name) const { return staging_->results() / name; }
  void write(const std::string& name, const std::string& text);
  // Puts the results in their place. Incomplete ones do not replace complete ones; then this is false.
  bool publish(bool is_complete);

 private:
  std::filesystem::path place_;
  Replaces replaces_;
  std::unique_ptr<StagingFolder> staging_;  // in the same folder as the place, so that one rename is enough
};

}  // namespace tessera::app
