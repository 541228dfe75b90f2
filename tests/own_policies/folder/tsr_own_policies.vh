      // SPDX-License-Identifier: Apache-2.0
      4'd12: policy_row = ENTERS_IN_TURN | ENTERS_BY_PRIORITY | KEY_PRIORITY; // polite
