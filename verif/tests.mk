# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# The tests. Included by the Makefile. Each program or script prints what it checked; verif/run_tests.py runs them, counts and sums up.
include verif/common/common.mk

# What the tests run. In tiny the RTL of a block is its build with planted faults, none of them switched on: the same logic. Blocks
# without RAM run in k20c as standard cells, all others as generic gates; the plane's million gates are in `make test-long`. Waveforms
# are those of the pages' timing diagrams.
MAPPED_BLOCKS := fcfs tbcr memarb regs
OBJECTS := tiny/top/rtl $(foreach b,$(BLOCKS),tiny/$(b)/fault tiny/$(b)/netlist k20c/$(b)/rtl) k20c+KdeSearchLanes=1/top/rtl \
  $(foreach b,$(filter-out top,$(BLOCKS)),k20c/$(b)/$(if $(filter $(b),$(MAPPED_BLOCKS)),mapped,netlist)) \
  $(sort $(shell awk '/^block/ {b = $$2} /^config/ {print $$2 "/" b "/rtl-wave"}' docs/life/*.replay))
TEST_BINS := $(EQUIV_BIN) $(COMMON_BIN) $(UNIT_BIN)

# Scripts that end with `N passed, N failed`.
SCRIPTS := 'docs/update.sh --check --quick' verif/area/test_area.py verif/test_odd_sizes.sh verif/test_build.py synth/lint.sh 'synth/lint.sh --selftest' \
  verif/test_sanitized.sh 'build/heddle faults' 'verif/install/test_install.sh $(VERSION)' verif/install/test_setup.sh verif/cli/test_cli.sh

.PHONY: test-units test-equiv
test-job: all $(TEST_BINS) build/san/heddle
	@$(BUILD) $(OBJECTS) $$(verif/test_odd_sizes.sh --objects)
	@verif/run_tests.py $(SCRIPTS) $(TEST_BINS)

test-faults: all ## each planted fault and how lockstep caught it
	@$(BUILD) $(BLOCKS:%=tiny/%/fault)
	@build/heddle faults

test-units: $(UNIT_BIN) ## only the unit tests of the model and the readers
	@verif/run_tests.py $(UNIT_BIN)

test-equiv: all $(EQUIV_BIN) ## only the equivalence tests
	@$(BUILD) $(OBJECTS)
	@verif/run_tests.py $(EQUIV_BIN)

test-long: all ## what takes longer; goes on where it stopped
	@$(BUILD) $(foreach c,tiny k20c,$(BLOCKS:%=$(c)/%/rtl))
	@verif/test_long.sh

lint: build/gen/stamp ## RTL and C lint, formatting, the rooms of every block
	@synth/lint.sh

coverage: all ## line and toggle coverage of every block
	@synth/coverage.sh
