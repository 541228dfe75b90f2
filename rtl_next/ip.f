rtl/tsr_axi_channels.v
rtl/tsr_control_registers.v
rtl/tsr_context_registers.v
rtl/tsr_done_queue.v
rtl/tsr_command_port.v
rtl/tsr_event_counters.v
rtl/tsr_axi_lite.v
rtl_next/tsr_ip.v
