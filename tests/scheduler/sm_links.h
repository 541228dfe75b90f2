// SPDX-License-Identifier: Apache-2.0
// The two links of an SM, whose messages take any time and keep their order.
#pragma once

#include <algorithm>
#include <deque>

#include "rtl_model/interfaces/pins.h"

namespace tessera::rtl_model::test {

// One of both is valid.
struct ToSm {
  SmControlPins control;
  DispatchPins dispatch;
};
struct FromSm {
  SmEventPins event;
  HandlePins handle;
  bool is_last = false;  // handle of the save
};

template <typename Message>
class DelayLine {
 public:
  void push(std::uint64_t now, std::uint64_t delay, const Message& message) {
    last_ = std::max(last_, now + delay);
    messages_.push_back({last_, message});
  }
  // The first, once it has arrived; null: none.
  const Message* front(std::uint64_t now) const {
    return messages_.empty() || messages_.front().at > now ? nullptr : &messages_.front().what;
  }
  void pop() { messages_.pop_front(); }
  bool is_empty() const { return messages_.empty(); }

 private:
  struct Entry {
    std::uint64_t at;
    Message what;
  };
  std::deque<Entry> messages_;
  std::uint64_t last_ = 0;
};

struct SmLinks {
  bool is_slow = false;
  DelayLine<FromSm> up;
  DelayLine<ToSm> down;
};

}  // namespace tessera::rtl_model::test
