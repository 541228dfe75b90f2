// SPDX-License-Identifier: Apache-2.0
// What the sizes of the core must be. A module that there is not names the mistake in every tool.

  generate
    if (NUM_SMS < 1 || NUM_SMS > 256) begin : g_num_sms
      NUM_SMS_must_be_1_to_256 u_error ();
    end
    if (MAX_TBS_PER_SM < 1 || PTBQ_DEPTH < MAX_TBS_PER_SM) begin : g_ptbq_depth
      PTBQ_DEPTH_must_hold_the_TBs_of_an_SM u_error ();
    end
    if (NUM_KSRS < 1 || NUM_KSRS > 256 || NUM_CONTEXTS < 1 || NUM_CONTEXTS > 256 || NUM_COMMAND_BUFFERS < 1 ||
        NUM_COMMAND_BUFFERS > 256) begin : g_tables
      NUM_KSRS_NUM_CONTEXTS_and_NUM_COMMAND_BUFFERS_must_be_1_to_256 u_error ();
    end
    if (SEARCH_WIDTH != 1 && SEARCH_WIDTH != 2 && SEARCH_WIDTH != 4) begin : g_search
      SEARCH_WIDTH_must_be_1_2_or_4 u_error ();
    end
    if (TB_WIDTH < 4 || TB_WIDTH > 32) begin : g_tb_width
      TB_WIDTH_must_be_4_to_32 u_error ();
    end
    if (POLICIES < 1 || POLICIES > 65535 || (POLICIES & ~policies_with(ANY_RULE)) != 0) begin : g_policies
      POLICIES_must_name_a_policy u_error ();
    end
    if (WAIT_WIDTH < 3) begin : g_wait_width // a scan counts to seven
      WAIT_WIDTH_must_be_3_or_more u_error ();
    end
    if (PARITY != 0 && PARITY != 1) begin : g_parity_bit
      PARITY_must_be_0_or_1 u_error ();
    end
    if (LINGER != 0 && LINGER != 1) begin : g_linger_bit
      LINGER_must_be_0_or_1 u_error ();
    end
    if (KEPT_TURN != 0 && KEPT_TURN != 1) begin : g_kept_turn_bit
      KEPT_TURN_must_be_0_or_1 u_error ();
    end
    if (REFILL != 0 && REFILL != 1) begin : g_refill_bit
      REFILL_must_be_0_or_1 u_error ();
    end
    if (REFILL == 1 && TAG_WIDTH < 1) begin : g_refill_tag
      REFILL_1_needs_a_TAG_WIDTH_of_1_or_more u_error ();
    end
    if (TAG_WIDTH < 0 || TAG_WIDTH > 3) begin : g_tag_width
      TAG_WIDTH_must_be_0_to_3 u_error ();
    end
  endgenerate
