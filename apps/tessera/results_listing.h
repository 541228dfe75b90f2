// SPDX-License-Identifier: Apache-2.0
// What tells a folder of results from any other: a file with the program's version and the names of what it wrote.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace tessera::app {

// The version that wrote the folder; empty where no version did.
std::string version_of_results(const std::filesystem::path& folder);
// Names of what is in the folder and was not written as results: all of it where there is no listing. Sorted. Throws
// std::system_error where it cannot be looked into.
std::vector<std::string> foreign_entries(const std::filesystem::path& folder);
// "thesis.txt, notes.txt, src and 4 more".
std::string a_few(const std::vector<std::string>& names);
// Lists the files that are there now.
void write_listing(const std::filesystem::path& folder);
// Lists one more file of ours in a folder of results; nothing where the folder is none.
void add_to_listing(const std::filesystem::path& folder, const std::string& name);
// The listed files, and the folder if that leaves it empty.
void remove_results(const std::filesystem::path& folder);

}  // namespace tessera::app
