// SPDX-License-Identifier: Apache-2.0
// The folder of a sweep. Whatever is in it appeared whole: it was written aside and renamed, so that any process may be
// killed at any moment, and several may work on one folder.
//   sweep.json   points/KEY.json   alone/KEY.json   cores/KEY.json   timelines/KEY/   slurm/   superseded/
//   points.csv   sweep.sqlite   summary.md   plots/
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace tessera::sweep {

class Folder {
 public:
  explicit Folder(std::filesystem::path place) : place_(std::move(place)) {}

  const std::filesystem::path& place() const { return place_; }
  std::filesystem::path file(const std::filesystem::path& name) const { return place_ / name; }
  std::filesystem::path point_file(const std::string& key) const { return file("points") / (key + ".json"); }

  // Nothing where it is not finished, or its file is damaged.
  std::optional<nlohmann::ordered_json> point(const std::string& key) const;
  bool has_point(const std::string& key) const;
  // On the disk before it has its name.
  void write_point(const std::string& key, const nlohmann::ordered_json& point) const;
  void remove_point(const std::string& key) const;

  // Of any name below the folder, whose own folder is made if need be. The disk may lose it if the machine fails.
  void write(const std::filesystem::path& name, const std::string& text) const;

  // Names of the finished points.
  std::vector<std::string> keys() const;
  // Moves what is no point of this sweep to superseded/, and back what is one again.
  void set_aside(const std::vector<std::string>& keys) const;
  void take_back(const std::vector<std::string>& keys) const;
  // What killed processes left; not what others are writing.
  void remove_remains() const;

  // `.tessera-results`: what is there now is ours.
  void write_listing() const;
  // Has that file: holds a sweep, or other results.
  bool is_sweep() const;
  // What we did not write, and is therefore not ours to remove; sorted.
  std::vector<std::string> foreign_entries() const;
  // All of a sweep.
  void clear() const;

 private:
  std::filesystem::path place_;
};

}  // namespace tessera::sweep
