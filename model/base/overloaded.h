// SPDX-License-Identifier: Apache-2.0
// One visitor out of a lambda for each alternative of a std::variant: std::visit refuses to compile where one is
// missing.
#pragma once

namespace tessera {

template <typename... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <typename... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

}  // namespace tessera
