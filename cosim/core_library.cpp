// SPDX-License-Identifier: Apache-2.0
// dlopen. Handles are never closed: cores made from them may live as long as the process.
#include "cosim/core_library.h"

#include <dlfcn.h>

namespace tessera::cosim {

std::unique_ptr<IVerilatedCore> make_core(const BuildRequest& request) {
  const std::filesystem::path library = build_core(request);
  void* const handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const make = handle == nullptr ? nullptr : ::dlsym(handle, "make_verilated_core");
  if (make == nullptr) throw BuildError(std::string("cannot load the Verilog core: ") + ::dlerror());
  return std::unique_ptr<IVerilatedCore>(reinterpret_cast<MakeVerilatedCore*>(make)());
}

}  // namespace tessera::cosim
