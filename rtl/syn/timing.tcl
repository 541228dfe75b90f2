# SPDX-License-Identifier: Apache-2.0
# The slowest path between two registers, memories counted as such. Wires have no length here.
read_liberty timing.lib
read_verilog timing.v
link_design tsr_scheduler
create_clock -name clk -period @period_ns@ [get_ports clk_i]
set_false_path -from [get_ports rst_ni]
report_checks -from [all_registers -clock_pins] -to [all_registers -data_pins] -path_delay max -format full -digits 4
