// SPDX-License-Identifier: Apache-2.0
// How `--help` tells options: what a value is on the left; words, bounds and defaults behind the description.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tessera::app {

class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace tessera::app
