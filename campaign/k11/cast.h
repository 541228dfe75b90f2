// SPDX-License-Identifier: Apache-2.0
// Who plays in the figures of [K11], with the policies and priorities of its section 6.
#pragma once

#include <string>
#include <vector>

#include "campaign/k11/scenario.h"

namespace tessera::campaign::k11 {

inline const std::vector<std::string> kGames{"openarena", "padman", "urbanterror", "ut2004"};
inline const std::string kEngine = "engine";
inline const std::string kBomb = "clearspd";
inline const std::string kXServer = "x_server";

// [K11] 6.1: the X server has the highest priority, whoever competes with the application in question a lower one.
inline constexpr std::uint32_t kXPriority = 15;
inline constexpr std::uint32_t kHighPriority = 10;
inline constexpr std::uint32_t kLowPriority = 5;

Budget pe(double capacity_us, double period_us);
Budget ae(double capacity_us, double period_us);
Budget shared(Budget budget);

Task game(const std::string& name, spec::GroupDispatch dispatch = spec::GroupDispatch::kHt);
Task x_server(spec::GroupDispatch dispatch = spec::GroupDispatch::kPrt);
Task widget(std::uint32_t priority, Budget budget = {});
Task bomb(Budget budget = {});
std::vector<Task> bombs(std::size_t number, const Budget& budget = {});
// The application, the X server and those that compete with it.
std::vector<Task> with(std::vector<Task> tasks, const std::vector<Task>& more);

Scenario vanilla(std::vector<Task> tasks);    // Nouveau: nothing is held back
Scenario timegraph(std::vector<Task> tasks);  // its name tells all of the specification

// A figure of bars, a cluster a game or the like.
Figure bars(const std::string& name, const std::string& title, const std::string& cluster_head,
            const std::string& y_label);

}  // namespace tessera::campaign::k11
