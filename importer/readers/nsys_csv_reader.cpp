// SPDX-License-Identifier: Apache-2.0
#include "importer/readers/readers.h"
namespace tessera::importer {
Profile read_nsys_csv(const std::filesystem::path&) { return {}; }
}
