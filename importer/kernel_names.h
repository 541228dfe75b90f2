// SPDX-License-Identifier: Apache-2.0
// Names of kernels as YAML may have them: short, plain, and without paths.
#pragma once

#include <set>
#include <string>

namespace tessera::importer {

// `void at::native::vectorized_elementwise_kernel<4, ...>(int, ...)` -> `vectorized_elementwise_kernel`. Only letters,
// digits and underscores are left, 40 at most, a letter first; mangled names are demangled.
std::string short_kernel_name(const std::string& name);

// `name`, or with a number behind it where `taken` has it; it is taken then.
std::string unique_name(const std::string& name, std::set<std::string>& taken);

}  // namespace tessera::importer
