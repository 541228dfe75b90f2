// SPDX-License-Identifier: Apache-2.0
// Numbers as the page unpacks them (report/page/unpack.js): small ones take a byte, and all of it is text in the end.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tessera::report {

// 7 bits a byte, the lowest first; the highest bit says that more follow.
void append_number(std::string& bytes, std::uint64_t number);
// Small numbers of either sign: 0, -1, 1, -2, ... become 0, 1, 2, 3, ...
void append_signed(std::string& bytes, std::int64_t number);

std::string base64(std::string_view bytes);

}  // namespace tessera::report
