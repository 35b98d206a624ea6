# SPDX-License-Identifier: Apache-2.0 WITH SHL-2.1
# Heddle. `make` lists the targets. All generated files are in build/.
VERSION := 0.1.0
CONFIG ?= k20c
SET ?=
BLOCK ?=
ARGS ?=
# The -jN of this make, if given: sub-makes then share its jobs.
JOBS ?= $(or $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS))),$(shell nproc))
AT_ONCE = $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS))
MAKEFLAGS += --no-print-directory --no-builtin-rules

CONFIGS := $(shell sed -n 's/^param,//; T; s/,meaning$$//; y/,/ /; p' rtl/pkg/configs.csv)
BLOCKS := $(shell sed '/^\#/d; /^block,/d; s/,.*//' rtl/pkg/blocks.csv)

.DEFAULT_GOAL := help
.PHONY: help all lib python rtl run run-object run-job test test-job test-long test-faults area area-growth \
  area-accept bench sweep-agt table-dtbl table-laperm table-gpu table-papers table-matrix table-warp \
  table-channels table-wireframe lint coverage clean format docs

help: ## list the targets
	@echo "Heddle $(VERSION): the thread-block dispatch plane of a GPU, as RTL and as a golden C model"; echo
	@sed -n ':join; /\\$$/ { N; s/ *\\\n */ /; b join; }; s/^\([a-z][a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | \
	  awk -F'|' '{printf "  make %-14s %s\n", $$1, $$2}'
	@echo; echo "  CONFIG=$(subst $() ,|,$(CONFIGS))"
	@echo "  SET='PARAM=VALUE ..'   BLOCK=name   -jN"

run: ## install missing tools, build, and run the main job on the bundled graph
	@tb/install/setup.sh build
	@$(MAKE) $(AT_ONCE) run-job

test: ## install missing tools, build, and run every test that takes minutes at most
	@tb/install/setup.sh test
	@$(MAKE) $(AT_ONCE) test-job

all: lib build/heddle ## build the library and the heddle command

run-object:
	@$(BUILD) $(CONFIG)/top/rtl-wave
run-job: all run-object
	@mkdir -p build/run
	@build/heddle run --config $(CONFIG) --report build/run/$(CONFIG).txt --wave build/run/$(CONFIG).fst --wave-cycles 3000
	@echo "report:   build/run/$(CONFIG).txt"
	@echo "waveform: build/run/$(CONFIG).fst (its first 3000 cycles; to view it:" \
	  "build/heddle wave build/run/$(CONFIG).fst)"

# ---------------------------------------------------------------------------------------------- generated

TABLES := $(wildcard rtl/*/*.csv rtl/*/*/*.csv)
GEN := build/gen/stamp

$(GEN): $(TABLES) $(wildcard rtl/hdgen/*.py)
	@python3 rtl/hdgen head -o build/gen && touch $@
build/gen/%.h: $(GEN) ;
build/gen/%.c: $(GEN) ;

# ---------------------------------------------------------------------------------------------- C

CC := gcc
CCACHE := $(shell command -v ccache)
# Objects do not depend on the folder of the checkout, so ccache can reuse those compiled in another one. Debugging
# information has no absolute paths either.
export CCACHE_BASEDIR := $(CURDIR)
HERE := '-fdebug-prefix-map=$(CURDIR)=.'
WARN := -Wall -Wextra -Wpedantic -Werror
QUOTES := $(addprefix -iquote ,build cmodel tb verif)
OPT := -O3
ALL := -std=c11 $(WARN) $(QUOTES) -g $(HERE) -MMD -MP
CFLAGS := $(ALL) $(OPT) -fPIC
SANFLAGS := $(ALL) -O1 -fsanitize=address,undefined -fno-sanitize-recover=undefined
# Uses gold if it is installed: it needs a third less time, and the tests link hundreds of programs.
LIBS := $(if $(shell command -v ld.gold),-fuse-ld=gold) -lcjson -lz -lcrypto -lm -ldl
# The model is plain C11; the harness uses system functions of the C library. Nothing is built for this machine alone:
# the command and the library may be copied, -march=native made no run faster, and with it gcc 14.2 vectorizes loops
# wrongly on processors with AVX-512.
SYSTEM := -D_GNU_SOURCE -DHD_VERSION='"$(VERSION)"'

MODEL := $(wildcard cmodel/*/*.c)
TB := $(filter-out tb/cmd/main.c,$(wildcard \
  $(addsuffix /*.c,$(addprefix tb/,engine env/* oracle mem gpu sim work graph cmd))))
UNIT := $(wildcard verif/unit/*/test_*.c)
EQUIV := $(wildcard verif/equiv/test_*.c)

# Speed: creates all folders at once; a mkdir process per object would cost as much as a hit in the compiler cache.
FOLDERS := gen/ $(sort $(dir $(wildcard cmodel/*/*.c $(addprefix tb/*/,*.c */*.c) $(addprefix verif/*/,*.c */*.c))))
MAKE_FOLDERS := mkdir -p build/test $(addprefix build/obj/,$(FOLDERS)) $(addprefix build/san/,$(FOLDERS))
$(shell $(MAKE_FOLDERS))

obj = $(patsubst %.c,build/$(1)/%.o,$(2))
MODEL_O := $(call obj,obj,$(MODEL)) build/obj/gen/hd_cfg_table.o
MODEL_SAN := $(call obj,san,$(MODEL)) build/san/gen/hd_cfg_table.o
TB_O := $(call obj,obj,$(TB)) build/obj/gen/fields_table.o build/obj/gen/plane_wires.o
TB_SAN := $(call obj,san,$(TB)) build/san/gen/fields_table.o build/san/gen/plane_wires.o

lib: build/libheddle.a build/libheddle.so ## build the golden model as libheddle, static and shared

build/libheddle.a: $(MODEL_O)
build/libtb.a: $(TB_O)
build/san/libheddle.a: $(MODEL_SAN)
build/san/libtb.a: $(TB_SAN)
build/%.a:
	@rm -f $@; ar rcs $@ $^
build/libheddle.so: $(MODEL_O)
	@$(CC) -shared -Wl,-soname,libheddle.so.0 -o $@ $^
build/heddle: build/obj/tb/cmd/main.o build/libtb.a build/libheddle.a | build/commit
	@echo "  link   $@"; $(CC) -o $@ $^ $(LIBS)
build/san/heddle: build/san/tb/cmd/main.o build/san/libtb.a build/san/libheddle.a
	@echo "  link   $@"; $(CC) -fsanitize=address,undefined -o $@ $^ $(LIBS)

# The commit, for reports.
.PHONY: build/commit
build/commit:
	@git describe --always --dirty --abbrev=12 --exclude '*' > $@ 2> /dev/null || echo unknown > $@

# The command, and the unit test of the object UNIT_O, with files of the model replaced by those named in FAULTY, and
# the object of such a file (verif/common_faults.py, verif/mutants_model.py).
build/common/%/heddle: $(FAULTY) build/obj/tb/cmd/main.o build/libtb.a build/libheddle.a
	@$(CC) $(filter-out -MMD -MP,$(CFLAGS)) -o $@ $^ $(LIBS)
build/common/%.o: build/common/%.c
	@$(CC) $(filter-out -MMD -MP,$(CFLAGS)) -w -g0 -c $< -o $@
build/common/%/test: $(FAULTY) $(UNIT_O) build/san/libtb.a build/san/libheddle.a
	@$(CC) $(filter-out -MMD -MP,$(SANFLAGS)) -o $@ $^ -lcmocka $(LIBS)

build/obj/cmodel/%.o: cmodel/%.c | $(GEN)
	@$(CCACHE) $(CC) $(CFLAGS) -c $< -o $@
build/san/cmodel/%.o: cmodel/%.c | $(GEN)
	@$(CCACHE) $(CC) $(SANFLAGS) -c $< -o $@
build/obj/gen/%.o: build/gen/%.c
	@$(CCACHE) $(CC) $(CFLAGS) -c $< -o $@
build/san/gen/%.o: build/gen/%.c
	@$(CCACHE) $(CC) $(SANFLAGS) -c $< -o $@
build/obj/%.o: %.c | $(GEN)
	@$(CCACHE) $(CC) $(CFLAGS) $(SYSTEM) -c $< -o $@
build/san/%.o: %.c | $(GEN)
	@$(CCACHE) $(CC) $(SANFLAGS) $(SYSTEM) -c $< -o $@

# Unit tests run under the sanitizers; equivalence tests are built for speed (the sanitized command runs lockstep too).
UNIT_BIN := $(patsubst %.c,build/test/%,$(notdir $(UNIT)))
EQUIV_BIN := $(patsubst verif/equiv/test_%.c,build/test/equiv_%,$(EQUIV))
$(foreach u,$(UNIT),$(eval build/test/$(basename $(notdir $(u))): build/san/$(u:.c=.o)))
$(UNIT_BIN): build/san/libtb.a build/san/libheddle.a
	@$(CC) -fsanitize=address,undefined -o $@ $(filter %.o,$^) $(filter %.a,$^) -lcmocka $(LIBS)
build/test/equiv_%: build/obj/verif/equiv/test_%.o build/obj/verif/equiv/cases.o build/libtb.a build/libheddle.a
	@$(CC) -o $@ $^ -lcmocka $(LIBS)

-include $(shell find build/obj build/san -name '*.d' 2>/dev/null)
.SECONDARY:

# ---------------------------------------------------------------------------------------------- RTL

# Builds all results of Verilator and Yosys that are out of date (python3 tb/build --help).
BUILD = python3 tb/build -j $(JOBS)

space := $(subst ,, )
derived := $(CONFIG)$(if $(SET),+$(subst $(space),+,$(strip $(SET))))
AREA := build/area/$(derived)$(if $(BLOCK),-$(subst $(space),-,$(strip $(BLOCK))))
rtl: all ## verilate the blocks of CONFIG (and SET), or only BLOCK
	@$(BUILD) $(foreach b,$(or $(BLOCK),$(BLOCKS)),$(derived)/$(b)/rtl)

# ---------------------------------------------------------------------------------------------- the rest

# The package contains an installation of library, command and data, for python/backend.py.
python: lib build/heddle ## build the Python package, complete, in build/python (pip install . does this)
	@rm -rf build/python && mkdir -p build/python/heddle
	@cp python/heddle/*.py python/heddle/py.typed build/python/heddle/ && echo $(VERSION) > build/python/VERSION
	@cd build/python/heddle && install -D -t _prefix/lib ../../libheddle.so && \
	  install -D -t _prefix/bin ../../heddle && install -D -m 644 -t _prefix/lib/heddle ../../commit && \
	  install -D -m 644 -t _prefix/share/heddle/data ../../../tb/data/*

include tb/install/install.mk
include verif/tests.mk

area: ## report area and timing of the blocks of CONFIG (and SET), or only BLOCK: text, JSON, CSV and a plot
	@tb/install/setup.sh test
	@python3 synth/area --config $(CONFIG) $(addprefix --set ,$(SET)) \
	  --json=$(AREA).json --csv=$(AREA).csv --plot $(AREA).svg $(BLOCK)
	@$(if $(BLOCK)$(SET)$(filter-out k20c,$(CONFIG)),, \
	  echo; echo "What the proposals of the papers cost:"; python3 synth/area --costs --json=build/area/costs.json; \
	  echo "also in: build/area/costs.json")
	@echo "also in: $(AREA).json $(AREA).csv $(AREA).svg"

area-growth: ## report area and timing over SMXs, entries and levels, with a plot (ARGS='--axis NumSmx laperm ..')
	@tb/install/setup.sh test
	@python3 synth/area --config $(CONFIG) --growth \
	  --json=build/area/$(CONFIG)-growth.json --plot build/area/$(CONFIG)-growth.svg $(ARGS)
	@echo "also in: build/area/$(CONFIG)-growth.json build/area/$(CONFIG)-growth.svg"

area-accept: ## write the current area and timing of the blocks to the budget file
	@tb/install/setup.sh test
	@python3 synth/area --accept

bench: all ## measure the simulation speed of RTL, model and lockstep; AGAINST=COMMIT: compare with a commit \
           (ARGS='--variant fast ..')
	@$(if $(AGAINST), \
	  tb/experiments/bench_against.py $(AGAINST) --config $(CONFIG) --json build/bench-against.json $(ARGS), \
	  build/heddle bench --config $(CONFIG) $(ARGS))

sweep-agt: all ## tabulate overflows of groups by AGT size and hash (ARGS: its options, or those of heddle run)
	@python3 tb/experiments/sweep_agt.py --config $(CONFIG) --json=build/sweep-agt.json $(ARGS)
	@echo "also in: build/sweep-agt.json"

table-dtbl: all ## compare launch models, in lockstep: waiting times, overflows, TBs per cycle (ARGS as above)
	@python3 tb/experiments/table_dtbl.py --config $(CONFIG) --json=build/table-dtbl.json $(ARGS)
	@echo "also in: build/table-dtbl.json"

table-laperm: all ## compare policies of the SMX scheduler, first seed in lockstep (ARGS as above)
	@python3 tb/experiments/table_laperm.py --config $(CONFIG) --json=build/table-laperm.json \
	  --plot build/table-laperm.svg $(ARGS)
	@echo "also in: build/table-laperm.json build/table-laperm.svg"

table-gpu: all ## compare launch models and policies on SMXs that run warps, on the golden model (ARGS as above)
	@python3 tb/experiments/table_gpu.py --config $(CONFIG) --sources 8,1 --json=build/table-gpu.json $(ARGS)
	@echo "also in: build/table-gpu.json"

table-papers: all ## compare workloads of DTBL and LaPerm with the papers' numbers; can be interrupted (ARGS as above)
	@python3 tb/experiments/table_papers.py --config $(CONFIG) --keep build/papers/runs --json=build/table-papers.json \
	  $(ARGS)
	@echo "also in: build/table-papers.json"

table-matrix: all ## compare combinations that the papers did not evaluate, one change at a time (ARGS as above)
	@python3 tb/experiments/table_matrix.py --config $(CONFIG) --keep build/papers/runs --json=build/table-matrix.json \
	  $(ARGS)
	@echo "also in: build/table-matrix.json"

table-warp: all ## compare policies of the warp scheduler, and the throttle, on six kernels (ARGS as above)
	@python3 tb/experiments/table_warp.py --keep build/warp/runs --json=build/table-warp.json $(ARGS)
	@echo "also in: build/table-warp.json"

table-channels: all ## compare Cilk programs on channels: 1 to 8 CUs, widths, variants; continues if interrupted
	@python3 tb/experiments/table_channels.py --keep build/channels/runs --json build/table-channels.json $(ARGS)
	@echo "also in: build/table-channels.json"

table-wireframe: all ## compare workloads of tiles wave by wave and as one kernel with its graph (ARGS as above)
	@python3 tb/experiments/table_wireframe.py --config $(CONFIG) --json=build/table-wireframe.json $(ARGS)
	@echo "also in: build/table-wireframe.json"

format: ## clang-format all C files and the C++ files that use the model
	@clang-format -i $$(git ls-files 'cmodel/*.[ch]' 'tb/*.[ch]' 'verif/*.[ch]' | grep -v bind) \
	  $$(git ls-files 'cmodel/*.hpp' 'verif/install/*.cpp' 'verif/unit/*.cpp')

clean: ## remove everything that was built
	@rm -rf build $(if $(filter-out clean,$(MAKECMDGOALS)),&& $(MAKE_FOLDERS))
