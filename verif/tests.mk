# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# The tests. Included by the Makefile. Each program or script prints what it checked; verif/run_tests.sh runs them, counts and sums up.
include verif/common/common.mk

SOS := $(filter-out build/k20c/top/netlist.so,$(foreach c,$(TEST_CONFIGS),$(foreach b,$(BLOCKS),build/$(c)/$(b)/rtl.so build/$(c)/$(b)/netlist.so)))
MAPPED := $(foreach b,fcfs tbcr memarb regs,build/k20c/$(b)/mapped.so)
FAULTS := $(foreach b,$(BLOCKS),build/tiny/$(b)/fault.so)
TEST_BINS := $(UNIT_BIN) $(COMMON_BIN) $(EQUIV_BIN)

# Scripts that end with `N passed, N failed`.
SCRIPTS := verif/test_sanitized.sh verif/test_odd_sizes.sh 'build/heddle faults' 'verif/install/test_install.sh $(VERSION)' \
  verif/install/test_setup.sh synth/lint.sh 'synth/lint.sh --selftest' 'docs/update.sh --check' verif/cli/test_cli.sh synth/coverage.sh verif/area/test_area.py

.PHONY: test-units test-equiv
test-job: all $(TEST_BINS) $(SOS) $(MAPPED) $(FAULTS) build/san/heddle
	@verif/run_tests.sh $(TEST_BINS) $(SCRIPTS)

test-faults: all $(FAULTS) ## each planted fault and how lockstep caught it
	@build/heddle faults

test-units: $(UNIT_BIN) ## only the unit tests of the model and the readers
	@verif/run_tests.sh $(UNIT_BIN)

test-equiv: $(EQUIV_BIN) $(SOS) $(MAPPED) ## only the equivalence tests
	@verif/run_tests.sh $(EQUIV_BIN)

test-long: all $(foreach c,$(TEST_CONFIGS),$(foreach b,$(BLOCKS),build/$(c)/$(b)/rtl.so)) ## what takes longer; goes on where it stopped
	@verif/test_long.sh

lint: build/gen/stamp ## RTL and C lint, formatting, the rooms of every block
	@synth/lint.sh

coverage: all ## line and toggle coverage of every block
	@synth/coverage.sh
