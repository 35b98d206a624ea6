# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# The tests. Included by the Makefile. Each program or script prints what it checked; verif/run_tests.py runs them,
# counts and sums up.
include verif/common/common.mk
include verif/exhaustive/exhaustive.mk

# RTL objects that the tests run. In tiny the RTL of a block is its build with planted faults, none of them enabled: the
# same logic. Waveforms are those of the timing diagrams in the pages and of the views.
gates_of = $(shell sed -n 's/^$(1),[a-z]*,//p' rtl/pkg/blocks.csv)
gates = $(patsubst %,k20c/$(1)/%,$(filter-out none,$(call gates_of,$(1))))
gates_top = tiny/top/rtl
more_agg = tiny/agg/rtl
more_apu = tiny/apu/rtl $(addprefix tiny+ChanPaper=,$(addsuffix /apu/rtl,1 2 4))
more_dgb = $(addprefix k20c+,$(addsuffix /dgb/rtl,Lna=512+Lea=2048+ChildLanes=1 DgbPaper=1))
base = +HasLaunch=0+HasGroups=0+HasBanks=0+HasGraph=0+HasThrottle=0
dtbl = +HasBanks=0+HasGraph=0+HasThrottle=0
more_top = $(addsuffix /top/fault,tiny+NumSmx=13 tiny+FairEvery=2) \
  $(addsuffix /top/rtl,tiny+NumSmx=132+CtasPerSmx=1 tiny+PqDepth=128) \
  $(addprefix tiny,$(addsuffix /top/rtl,$(base) $(dtbl) \
    +HasGroups=0+HasBanks=0+HasGraph=0+HasThrottle=0 +HasGraph=0+HasThrottle=0 +HasGroups=0+HasGraph=0+HasThrottle=0 \
    +HasLaunch=0+HasGroups=0+HasBanks=0+HasThrottle=0 +HasLaunch=0+HasGroups=0+HasBanks=0+HasGraph=0)) \
  $(addprefix tiny,$(addsuffix /top/netlist,$(base) $(dtbl)))
more_throttle = $(addsuffix /throttle/rtl,tiny+NumSmx=13 tiny+NumSmx=13+EqualHolds=1+Recovers=0)
more_warp = gtx480ws/warp/rtl gtx480ws+StallW=5+WarpWait=100/warp/rtl
gates_laperm = tiny+NumSmx=3+NumKde=5+ArrivalW=4/laperm/netlist
checked = tiny/$(1)/fault tiny/$(1)/netlist k20c/$(1)/rtl $(more_$(1))
objects = $(checked) $(or $(gates_$(1)),$(gates))
waves = $(sort $(shell awk '/^block/ {b = $$2} /^config/ {print $$2 "/" b "/rtl-wave"}' $(1)))
# A fault that does not show in tiny names its parameter changes.
faults = $(sort $(shell awk -F, '$$NF ~ /^[A-Z].*=/ { \
    n = split($$2, b, " "); for (k = 1; k <= n; k++) print "tiny+" $$NF "/" b[k] "/fault"}' verif/faults.csv))
# Those of heddle example.
EXAMPLE := $(addprefix tiny+NumSmx=4+CtasPerSmx=1/top/,rtl rtl-wave) $(addprefix tiny+Pub=4/dgb/,rtl rtl-wave)
OBJECTS := $(foreach b,$(BLOCKS),$(call objects,$(b))) $(faults) tiny/top/icarus \
  $(EXAMPLE) $(call waves,docs/replays/*.replay) $(BLOCKS:%=k20c/%/rtl-wave) k20c/common/bench tiny/ulx3s/demo
ALL_OBJECTS = $(OBJECTS) $$(verif/test_odd_sizes.sh --objects)
TEST_BINS := $(EQUIV_BIN) $(EXHAUSTIVE_BIN) $(UNIT_BIN) build/test/regs_probe
# The tests that every block has, and its own tests, if any.
equiv_block = 'build/test/equiv_block $(1) $(call gates_of,$(1))'
equiv_of = 'build/test/equiv_block $(1) none' $(filter build/test/equiv_$(1) build/test/equiv_$(1)_%,$(EQUIV_BIN))
# A block's unit tests: test_BLOCK and test_BLOCK_*.
unit_of = build/test/test_$(1) $(filter build/test/test_$(1)_%,$(UNIT_BIN))
EQUIV_RUNS = $(foreach b,$(BLOCKS),$(call equiv_block,$(b))) $(filter-out %/equiv_block,$(EQUIV_BIN))

# Scripts that end with `N passed, N failed`.
SCRIPTS := 'docs/update.sh --check --quick' verif/area/test_area.py verif/area/test_liberty.py verif/fpga/test_fpga.py \
  verif/fpga/test_demo.py \
  verif/proofs/test_proofs.py \
  verif/test_odd_sizes.sh verif/test_build.py verif/test_faults.py verif/test_limits.py verif/test_package.py \
  verif/test_recipes.sh verif/test_registers.py verif/test_tools.py verif/unit/api/test_python.py \
  verif/unit/api/test_cpp.py verif/python/test_runs.py verif/python/test_tasks.py verif/python/test_wheel.py \
  verif/test_views.py synth/lint.sh 'synth/lint.sh --selftest' \
  verif/test_sanitized.sh verif/test_icarus.sh verif/test_assert.sh \
  'build/heddle faults' \
  'verif/mutants.py --count 40 --score 95 fcfs match agc tbcr kin' \
  'verif/mutants_model.py --count 10 --score 70 fcfs agc' \
  verif/common_faults.py 'verif/install/test_install.sh $(VERSION)' verif/install/test_setup.sh verif/cli/test_cli.sh \
  verif/cli/test_cli_graphs.sh verif/cli/test_cli_files.sh verif/cli/test_cli_edges.sh \
  verif/cli/test_cli_rounds.sh verif/cli/test_cli_warps.sh verif/cli/test_cli_import.sh verif/cli/test_cli_traces.sh \
  verif/cli/test_cli_channels.sh verif/cli/test_cli_wave.sh verif/cli/test_json_keys.py verif/cli/test_ranges.py \
  verif/cli/test_page.py verif/cli/test_sweep.sh \
  verif/campaign/test_campaign.py verif/cocotb/test_cocotb.py 'docs/pictures.py --check' 'docs/plane.py --check'

# Prints the model's registers for test_registers.py.
build/test/regs_probe: build/obj/verif/unit/service/regs_probe.o build/libheddle.a
	@$(CC) -o $@ $^ -lcmocka $(LIBS)

RUN_TESTS = verif/run_tests.py -j $(JOBS)
# An object that cannot be built fails the tests that need it, which name it, and make at the end.
if_built = $(BUILD) $(1); built=$$?; [ $$built -le 1 ] && $(RUN_TESTS) $(2) && exit $$built
# Linked with an object.
COMMON_RUN = 'env -u MAKEFLAGS make -s $(COMMON_BIN) && $(COMMON_BIN)'

.PHONY: prove test-tools test-units test-equiv check check-blocks objects build-cost
test-job: all $(TEST_BINS) build/san/heddle
	@$(call if_built,$(ALL_OBJECTS),$(SCRIPTS) $(EQUIV_RUNS) $(COMMON_RUN) $(EXHAUSTIVE_BIN) $(UNIT_BIN))

# Checks for a developer after an edit: all tests of these blocks, except those that take longest to build: gates in
# k20c (in tiny they are run).
CHANGED = $(filter $(BLOCKS),$(shell (git diff --name-only main; git ls-files -o --exclude-standard) | sed -nE \
  -e 's#^rtl(/[a-z]+)?/([a-z]+)/.*#\2#p' \
  -e 's#^(cmodel|docs)/[a-z]+/([a-z]+)[._].*#\2#p' -e 's#^tb/(env/[a-z]+|oracle)/([a-z]+)[_.].*#\2#p' \
  -e 's#^verif/(unit/[a-z]+|equiv)/(test_)?([a-z]+)(_[a-z_]+)?\.[ch]$$#\3#p'))
check: all ## run all tests of BLOCK, or of the blocks that differ from main
	@$(MAKE) check-blocks BLOCK='$(or $(BLOCK),$(sort $(CHANGED)))'
check-blocks: $(foreach b,$(BLOCK),$(call unit_of,$(b))) build/test/equiv_block \
  $(foreach b,$(BLOCK),$(filter build/test/equiv_$(b) build/test/equiv_$(b)_%,$(EQUIV_BIN)))
	@$(if $(BLOCK),,echo "no block differs from main; BLOCK=name checks one"; exit 2)
	@$(call if_built,$(foreach b,$(BLOCK),$(call checked,$(b)) $(filter %/$(b)/fault,$(faults))) \
	  $(call waves,$(BLOCK:%=docs/replays/%*.replay)), \
	  'synth/lint.sh --block $(BLOCK)' 'build/heddle faults $(BLOCK)' 'build/heddle area --check $(BLOCK)' \
	  'docs/update.sh --check --no-area $(foreach b,$(BLOCK),$(wildcard docs/$(b).md docs/*/$(b).md))' \
	  $(foreach b,$(BLOCK),$(call unit_of,$(b)) $(call equiv_of,$(b))))

objects: ## print the RTL objects that the tests run, for tb/build
	@echo $(ALL_OBJECTS)

build-cost: ## measure the time to build and to check a change: a table, after two hours
	@verif/build_cost.py

test-faults: all ## show how lockstep catches each planted fault
	@$(BUILD) $(BLOCKS:%=tiny/%/fault) $(faults)
	@build/heddle faults
	@verif/common_faults.py

test-units: $(UNIT_BIN) ## run only the unit tests of the model and the readers
	@$(RUN_TESTS) $(UNIT_BIN)

test-equiv: all $(EQUIV_BIN) ## run only the equivalence tests
	@$(call if_built,$(OBJECTS),$(EQUIV_RUNS))

LONG_BIN := $(addprefix build/test/equiv_,storm live dgb_debian throttle_exact)
test-long: all $(LONG_BIN) ## run the long tests: the campaign long; continues if interrupted
	@tb/install/setup.sh campaign
	@build/heddle campaign long --jobs $(JOBS)

prove: all ## prove that the RTL of blocks, or of BLOCK, equals the golden model: in tiny, or CONFIG
	@build/heddle prove $(if $(filter-out file,$(origin CONFIG)),--config $(CONFIG)) $(addprefix --set ,$(SET)) $(BLOCK)

test-tools: ## test lockstep, netlists, lint, areas with other compilers, Verilators, Yosys, Pythons and Debian 13
	@python3 verif/tools $(ARGS)

lint: build/gen/stamp ## check RTL and C: lint, formatting, the files of every block
	@JOBS=$(JOBS) synth/lint.sh

coverage: all ## report line and toggle coverage of every block
	@synth/coverage.sh

new-block: ## create a block NAME in CLUSTER that builds, lints and passes lockstep
	@tb/new_block/new_block.sh '$(NAME)' '$(CLUSTER)'
.PHONY: new-block
