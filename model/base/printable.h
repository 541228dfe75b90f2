// SPDX-License-Identifier: Apache-2.0
// Text of the user's on its way to a terminal: nothing in it may steer one, or break a line.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace tessera {

// Bytes of the UTF-8 character that starts at `at`; 0 where none does.
std::size_t utf8_length(std::string_view text, std::size_t at);

// `text` with every byte that is a control character's, or no part of UTF-8, written as \x1b. Separators of lines and
// marks that change the direction of text count as control characters.
std::string printable(std::string_view text);

}  // namespace tessera
