// SPDX-License-Identifier: Apache-2.0
// Makes user-supplied text safe to print on a terminal: no control sequences, no line breaks.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tessera {

// Length in bytes of the UTF-8 character that starts at `at`; 0 if none does.
std::size_t utf8_length(std::string_view text, std::size_t at);

// `text` with every byte of a control character, or that is not UTF-8, written in the form \x1b. Line separators and
// marks that change the text direction count as control characters.
std::string printable(std::string_view text);

}  // namespace tessera
