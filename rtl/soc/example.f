rtl/soc/tsr_example_slot.v
rtl/soc/tsr_example_sm.v
rtl/soc/tsr_example_soc.v
rtl/soc/tsr_example_host.v
rtl/soc/tsr_example_bench.v
