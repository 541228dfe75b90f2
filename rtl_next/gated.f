rtl/tsr_clock_gate.sv
rtl_next/tsr_gated_scheduler.v
