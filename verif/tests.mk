# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# The tests. Included by the Makefile. Each program or script prints what it checked; verif/run_tests.sh runs them, counts and sums up.

SOS := $(foreach c,$(TEST_CONFIGS),$(foreach b,$(BLOCKS),build/$(c)/$(b)/rtl.so build/$(c)/$(b)/netlist.so))
FAULTS := $(foreach b,$(BLOCKS),build/tiny/$(b)/fault.so)

.PHONY: test-units test-equiv
TEST_BINS := $(UNIT_BIN) $(EQUIV_BIN)

test-job: all $(TEST_BINS) $(SOS) $(FAULTS) build/san/heddle
	@verif/run_tests.sh $(TEST_BINS)

test-faults: all $(FAULTS) ## each planted fault and how lockstep caught it
	@build/heddle faults

test-units: $(UNIT_BIN) ## only the unit tests of the model and the readers
	@verif/run_tests.sh $(UNIT_BIN)

test-equiv: $(EQUIV_BIN) $(SOS) ## only the equivalence tests
	@verif/run_tests.sh $(EQUIV_BIN)

test-long: all $(SOS) $(FAULTS) ## what takes hours; goes on where it stopped
	@verif/test_long.sh
