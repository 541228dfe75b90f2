// SPDX-License-Identifier: Apache-2.0
// Tasks in processes of their own: order, number at a time, and how the death of one is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <string>
#include <vector>

#include "platform/worker_pool.h"

namespace tessera::platform {
namespace {

using Task = std::function<nlohmann::json()>;
using testing::ElementsAre;
using testing::HasSubstr;

std::string error_of(const std::vector<Task>& tasks, std::size_t& done) {
  try {
    run_in_workers(tasks, 2, [&done](std::size_t now) { done = now; });
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(WorkerPool, AnswersInTheOrderOfTheTasksWhoeverIsFirst) {
  std::vector<Task> tasks;
  for (int i = 0; i < 8; ++i) {
    tasks.emplace_back([i] {
      ::usleep(static_cast<useconds_t>(8 - i) * 2000);
      return nlohmann::json(i);
    });
  }
  for (const unsigned workers : {1U, 3U, 100U}) {
    std::vector<std::size_t> done;
    const auto answers = run_in_workers(tasks, workers, [&done](std::size_t now) { done.push_back(now); });
    EXPECT_THAT(answers, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
    EXPECT_THAT(done, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  }
}

TEST(WorkerPool, GivesEveryTaskAProcessOfItsOwn) {
  int touched = 0;
  const Task task = [&touched] { return nlohmann::json{++touched, ::getpid()}; };
  const auto answers = run_in_workers({task, task}, 1);
  EXPECT_EQ(touched, 0);
  EXPECT_EQ(answers[0][0], 1);
  EXPECT_EQ(answers[1][0], 1);
  EXPECT_NE(answers[0][1], answers[1][1]);
  EXPECT_NE(answers[0][1], ::getpid());
}

TEST(WorkerPool, BringsAnswersBackThatAreLargerThanAPipe) {
  const std::string large(5'000'000, 'x');
  EXPECT_EQ(run_in_workers({[&] { return nlohmann::json(large); }}, 1).front().get<std::string>(), large);
}

TEST(WorkerPool, ThrowsWhatATaskThrewOnceTheOthersHaveEnded) {
  std::size_t done = 0;
  const Task fails = []() -> nlohmann::json { throw std::logic_error("a cause"); };
  const Task works = [] { return nlohmann::json(1); };
  EXPECT_EQ(error_of({works, fails, works, works}, done), "a cause");
  EXPECT_EQ(done, 4U);
}

TEST(WorkerPool, SaysHowATaskDied) {
  std::size_t done = 0;
  const Task killed = []() -> nlohmann::json { return ::raise(SIGKILL); };
  EXPECT_THAT(error_of({killed}, done), HasSubstr("signal 9"));
  const Task leaves = []() -> nlohmann::json { ::_exit(0); };
  EXPECT_THAT(error_of({leaves}, done), HasSubstr("without a result"));
}

TEST(WorkerPool, OfNoTasksIsDoneAtOnce) { EXPECT_TRUE(run_in_workers({}, 4).empty()); }

}  // namespace
}  // namespace tessera::platform
