# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# The tests. Included by the Makefile. Each program or script prints what it checked; verif/run_tests.py runs them, counts and sums up.
include verif/common/common.mk

# Blocks without RAM run in k20c as standard cells, all others as generic gates; the plane's million gates are in `make test-long`.
MAPPED_BLOCKS := fcfs tbcr memarb regs
SOS := $(foreach c,$(TEST_CONFIGS),$(foreach b,$(BLOCKS),build/$(c)/$(b)/rtl.so)) build/k20c+KdeSearchLanes=1/top/rtl.so \
  $(foreach b,$(BLOCKS),build/tiny/$(b)/netlist.so) $(foreach b,$(filter-out top $(MAPPED_BLOCKS),$(BLOCKS)),build/k20c/$(b)/netlist.so) \
  $(foreach b,$(MAPPED_BLOCKS),build/k20c/$(b)/mapped.so)
FAULTS := $(foreach b,$(BLOCKS),build/tiny/$(b)/fault.so)
TEST_BINS := $(EQUIV_BIN) $(COMMON_BIN) $(UNIT_BIN)

# Scripts that end with `N passed, N failed`.
SCRIPTS := 'docs/update.sh --check --quick' verif/area/test_area.py verif/test_odd_sizes.sh synth/lint.sh 'synth/lint.sh --selftest' \
  verif/test_sanitized.sh 'build/heddle faults' 'verif/install/test_install.sh $(VERSION)' verif/install/test_setup.sh verif/cli/test_cli.sh

.PHONY: test-units test-equiv
test-job: all $(TEST_BINS) $(SOS) $(FAULTS) build/san/heddle
	@verif/run_tests.py $(SCRIPTS) $(TEST_BINS)

test-faults: all $(FAULTS) ## each planted fault and how lockstep caught it
	@build/heddle faults

test-units: $(UNIT_BIN) ## only the unit tests of the model and the readers
	@verif/run_tests.py $(UNIT_BIN)

test-equiv: $(EQUIV_BIN) $(SOS) ## only the equivalence tests
	@verif/run_tests.py $(EQUIV_BIN)

test-long: all $(foreach c,$(TEST_CONFIGS),$(foreach b,$(BLOCKS),build/$(c)/$(b)/rtl.so)) ## what takes longer; goes on where it stopped
	@verif/test_long.sh

lint: build/gen/stamp ## RTL and C lint, formatting, the rooms of every block
	@synth/lint.sh

coverage: all ## line and toggle coverage of every block
	@synth/coverage.sh
