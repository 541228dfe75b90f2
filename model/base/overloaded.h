// SPDX-License-Identifier: Apache-2.0
// Combines lambdas, one per alternative of a std::variant, into a visitor; std::visit does not compile if one is
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
