rtl/soc/tsr_event_arbiter.v
rtl/soc/tsr_handle_arbiter.v
rtl/soc/tsr_link_register.v
rtl/soc/tsr_up_link.v
rtl/soc/tsr_down_link.v
rtl/soc/tsr_sm_side.v
