// SPDX-License-Identifier: Apache-2.0
// The waveform of a core built with waves; otherwise it does nothing. Signals outside the core are sampled when a cycle
// is selected; the core's own are written later, when the cycle's inputs are known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "Vtsr_core.h"
#include "cosim/i_verilated_core.h"

#if VM_TRACE_FST
#include <verilated_fst_c.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>

#include "cosim/glue/packed.h"

namespace tessera::cosim {

class Wave {
 public:
  bool open(Vtsr_core& top, const std::string& path, std::vector<WaveSignal> extra) {
    extra_ = std::move(extra);
    values_.resize(extra_.size());
    file_ = std::make_unique<VerilatedFstC>();
    file_->set_time_unit("1ps");
    file_->set_time_resolution("1ps");
    top.trace(file_.get(), 99);
    file_->spTrace()->addInitCb(&declare, this);
    file_->spTrace()->addFullCb(&write_all, this);
    file_->spTrace()->addChgCb(&write_changes, this);
    file_->open(path.c_str());
    if (!file_->isOpen()) throw std::runtime_error("cannot write " + path);
    return true;
  }
  bool is_waiting() const { return waiting_.has_value(); }
  void keep(std::uint64_t time_ps) {
    if (file_ == nullptr) return;
    waiting_ = time_ps;
    for (std::size_t i = 0; i < extra_.size(); ++i) values_[i] = extra_[i].value() & mask(extra_[i].width);
  }
  void dump() {
    file_->dump(*waiting_);
    waiting_.reset();
  }
  void close() { file_.reset(); }

 private:
  // Codes count 32-bit words: two per signal, independent of its width.
  static void declare(void* self, VerilatedFst* file, std::uint32_t code) {
    auto& wave = *static_cast<Wave*>(self);
    wave.code_ = code;
    for (std::size_t i = 0; i < wave.extra_.size(); ++i) {
      const WaveSignal& signal = wave.extra_[i];
      const int msb = static_cast<int>(signal.width) - 1;
      std::string scope = "top." + signal.scope + ".";
      std::replace(scope.begin(), scope.end(), '.', ' ');  // a blank ends a scope
      file->pushNamePrefix(scope);
      if (signal.width == 1) {
        file->declBit(wave.code_of(i), signal.name.c_str(), -1, FST_VD_IMPLICIT, FST_VT_VCD_WIRE, false, -1);
      } else {
        file->declBus(wave.code_of(i), signal.name.c_str(), -1, FST_VD_IMPLICIT, FST_VT_VCD_WIRE, false, -1, msb, 0);
      }
      file->popNamePrefix();
    }
  }
  static void write_all(void* self, VerilatedFst::Buffer* buffer) {
    static_cast<const Wave*>(self)->write(*buffer, [](const auto&, auto) { return true; });
  }
  static void write_changes(void* self, VerilatedFst::Buffer* buffer) {
    static_cast<const Wave*>(self)->write(*buffer, [](const auto& old, auto value) { return old != value; });
  }
  template <typename IsWritten>
  void write(VerilatedFst::Buffer& buffer, IsWritten is_written) const {
    for (std::size_t i = 0; i < extra_.size(); ++i) {
      std::uint32_t* const old = buffer.oldp(code_of(i));
      const int width = static_cast<int>(extra_[i].width);
      if (width == 1) {
        if (is_written(*old, values_[i])) buffer.fullBit(old, static_cast<CData>(values_[i]));
      } else if (width <= 32) {
        if (is_written(*old, values_[i])) buffer.fullIData(old, static_cast<IData>(values_[i]), width);
      } else {
        if (is_written(*reinterpret_cast<QData*>(old), values_[i])) buffer.fullQData(old, values_[i], width);
      }
    }
  }
  std::uint32_t code_of(std::size_t signal) const { return code_ + 2 * static_cast<std::uint32_t>(signal); }

  std::unique_ptr<VerilatedFstC> file_;
  std::vector<WaveSignal> extra_;
  std::vector<std::uint64_t> values_;  // in the selected cycle
  std::optional<std::uint64_t> waiting_;
  std::uint32_t code_ = 0;
};

}  // namespace tessera::cosim

#else

namespace tessera::cosim {

class Wave {
 public:
  bool open(Vtsr_core&, const std::string&, const std::vector<WaveSignal>&) { return false; }
  static constexpr bool is_waiting() { return false; }
  void keep(std::uint64_t) {}
  void dump() {}
  void close() {}
};

}  // namespace tessera::cosim

#endif
