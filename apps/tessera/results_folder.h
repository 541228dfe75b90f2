// SPDX-License-Identifier: Apache-2.0
// A folder of results that appears whole or not at all: written beside its place, and renamed at the end.
#pragma once

#include <filesystem>
#include <string>

namespace tessera::app {

class ResultsFolder {
 public:
  // Creates the hidden folder, and nothing at `place` yet. Throws spec::InputError when `place` exists and may not be
  // replaced, std::runtime_error when the folder cannot be created.
  ResultsFolder(std::filesystem::path place, bool may_replace);
  ~ResultsFolder();  // removes what was not published
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  const std::filesystem::path& place() const { return place_; }
  // Where to write a file of that name until publish().
  std::filesystem::path file(const std::string& name) const { return hidden_ / name; }
  void write(const std::string& name, const std::string& text);
  // Puts the results in their place. Incomplete ones do not replace complete ones; then this is false.
  bool publish(bool is_complete);

 private:
  std::filesystem::path place_;
  std::filesystem::path hidden_;  // in the same folder, so that the rename is atomic
  bool may_replace_;
};

}  // namespace tessera::app
