// SPDX-License-Identifier: Apache-2.0
#include "apps/tessera/help_format.h"

#include <fmt/format.h>

#include <set>
#include <sstream>
#include <vector>

#include "apps/tessera/words.h"

namespace tessera::app {
namespace {

constexpr std::size_t kDescriptionWidth = 90;  // lines of 120

// Lines that end at blanks.
std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string lines;
  std::size_t length = 0;
  for (std::string word; words >> word;) {
    const bool breaks = length > 0 && length + 1 + word.size() > kDescriptionWidth;
    if (length > 0) lines += breaks ? '\n' : ' ';
    length = (breaks || length == 0 ? 0 : length + 1) + word.size();
    lines += word;
  }
  return lines;
}

std::string joined_names(const std::set<CLI::Option*>& options) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options) names.push_back(option->get_name());
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

// Without the `{false}` of a flag that switches something off.
std::string HelpFormat::make_option_name(const CLI::Option* option, bool is_positional) const {
  const std::string name = Formatter::make_option_name(option, is_positional);
  return name.substr(0, name.find('{'));
}

std::string HelpFormat::make_option_opts(const CLI::Option* option) const {
  if (option->get_positional() || option->get_type_size() == 0) return "";
  return " " + kind_of(*option);
}

std::string HelpFormat::make_option_desc(const CLI::Option* option) const {
  std::vector<std::string> notes;
  const Words words = words_of(*option);
  if (!words.empty()) notes.push_back(fmt::format("{}", fmt::join(words, ", ")));
  if (!bounds_of(*option).empty()) notes.push_back(bounds_of(*option));
  if (!option->get_default_str().empty()) notes.push_back("default: " + option->get_default_str());
  if (!option->get_needs().empty()) notes.push_back("with " + joined_names(option->get_needs()));
  if (!option->get_excludes().empty()) notes.push_back("not with " + joined_names(option->get_excludes()));
  std::string text = option->get_description();
  if (!notes.empty()) text += fmt::format(" ({})", fmt::join(notes, "; "));
  return wrapped(text);
}

}  // namespace tessera::app
