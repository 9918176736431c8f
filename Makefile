# moontile: build, run, test, install.  `make help` lists what it does.
#
#   make                   build/moontile
#   make test T=dialect    the tests whose names contain "dialect"
#   make test UPDATE=1     rewrite the expected files, to be read in the diff
#   make test T=all        also those in tests/long, as CI does
#   make test T=quick      those that tests/quick lists: less than 40 s
#   make test T=swift      all but the longest, tests/slow
#   make test SLOW=1       also which tests took most of the processor's time
#   make test FULL=1       printed C with the flags that users get, -O3 (else -Og)
#   make test SAN=1        the same under address and undefined-behaviour sanitizers
#   make CC=clang B=build/clang     another compiler, in a folder of its own
#   make EDITLINE=libedit  libedit instead of readline
#   V=1 shows the commands; PREFIX and DESTDIR place an installation.

ifeq ($(origin CC),default)
CC = gcc
endif
PREFIX   = /usr/local
EDITLINE = readline
V        = @
ifeq ($(V),1)
override V =
endif
B        = build$(if $(SAN),/san)

# As many compilers as processors, unless a -j says another number.  Not for two goals, which may
# have to wait for each other.
ifeq ($(filter-out 0 1,$(words $(MAKECMDGOALS)))$(filter --jobserver%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 1)
endif

OPT      = $(if $(SAN),-O1,-O2)
DEBUG    = $(if $(SAN),-g1,-g)
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes \
	   -Wmissing-prototypes -Wold-style-definition -Wvla -Wpointer-arith \
	   -Wwrite-strings -Wundef -Wcast-qual -Wformat=2
CFLAGS   = $(OPT) $(DEBUG) $(WARN) $(if $(WERROR),-Werror)
ifneq ($(SAN),)
# The tests start this program some ten thousand times.  Undefined behaviour traps, and ASan says where: the
# texts of its messages are 18 MB of pointers that each start would relocate and register (50 ms, 20 without).
SANFLAGS = -fsanitize=address,undefined -fsanitize-undefined-trap-on-error -fno-omit-frame-pointer -fno-pie
SANLIBS  = -no-pie
# Where addresses have 32 random bits, one process in some ten thousand finds the sanitizer's
# shadow taken, and dies.
FIXED    = $(shell setarch -R true 2>/dev/null && echo setarch -R)
endif

# Which packages there are and how to use them: written once, by .ci/deps.
# The goals a newcomer types first install what is missing; the others only
# say it.
SELF_HELP  = help clean size
INSTALLING = $(filter run test bench lint,$(MAKECMDGOALS))
ifneq ($(or $(filter-out $(SELF_HELP),$(MAKECMDGOALS)),$(if $(MAKECMDGOALS),,x)),)
include build/deps-$(EDITLINE).mk
endif

ALL_CFLAGS = -std=c11 -D_GNU_SOURCE -I. -I$(B)/gen $(DEPS_CFLAGS) $(SANFLAGS) -pthread $(CFLAGS)
ALL_LIBS   = $(SANLIBS) -Wl,-E -Wl,--as-needed $(DEPS_LIBS) -pthread -ldl -lm $(LDFLAGS)

# Everything is found by its place in the tree.
SRC  = $(filter-out lua/tools/%,$(sort $(wildcard core/*/*.c core/*/*/*.c targets/*.c targets/*/*.c lua/*/*.c layout_viz/*.c repl/*.c repl/*/*.c)))
LUA  = $(sort $(shell find lua layout_viz repl -name '*.lua' -not -path '*/pictures/*') \
         $(shell find puzzles -mindepth 2 \( -name '*.lua' -o -name '*.md' -o -name '*.diff' \)) puzzles/index.lua)
OBJ  = $(SRC:%.c=$(B)/%.o)
LIB  = $(B)/libmoontile.a
UNIT = $(patsubst %.c,$(B)/%,$(sort $(wildcard tests/unit/*.c)))
SEAM = $(sort $(wildcard lua/seam/*.c lua/state/*.c))

all: $(B)/moontile ## build the program (the default)

$(B)/moontile: $(B)/repl/main.o $(LIB)
	@echo "  link    $@"
	$(V)$(CC) $(SANFLAGS) -o $@.new $^ $(ALL_LIBS)
	$(V)$(if $(SAN),ASAN_OPTIONS=detect_leaks=0 $(FIXED)) $@.new --selfcheck
	$(V)mv $@.new $@

$(LIB): $(filter-out $(B)/repl/main.o,$(OBJ))
	@rm -f $@
	$(V)ar rcs $@ $^

$(B)/%.o: %.c $(B)/gen/flags
	@mkdir -p $(@D)
	@echo "  cc      $<"
	$(V)$(CC) $(ALL_CFLAGS) -MMD -MP -c -o $@ $<

# Loops over lanes and elements: vector code, and the same bits as without it.
LOOPS = $(if $(SAN),,-O3) -fno-math-errno -fno-trapping-math -ffp-contract=off
$(B)/targets/sim/kern_%.o $(B)/targets/sim/units%.o $(B)/core/ir/eval.o $(B)/core/tensor/rng.o \
    $(B)/core/tensor/op_%.o $(B)/core/tensor/vec_%.o: CFLAGS += $(LOOPS)

# Half of the time to make these would go into -O2 and into copies of our lines for a debugger,
# which SAN=1 keeps.
UNIT_FLAGS = $(if $(SAN),,-O1 -Wl,--strip-debug)
$(B)/tests/unit/%: tests/unit/%.c $(LIB)
	@mkdir -p $(@D)
	@echo "  cc      $<"
	$(V)$(CC) $(ALL_CFLAGS) $(UNIT_FLAGS) -MMD -MP -o $@ $< $(LIB) $(ALL_LIBS)

-include $(OBJ:.o=.d) $(UNIT:%=%.d)

# Generated: the list of C modules, the Lua files as C arrays (text, and compiled by the
# Lua that the program has), and a record of the flags and file lists, rewritten only when one of them changes.
$(B)/lua/seam/modules.o: $(B)/gen/modules.h
$(B)/lua/state/embed.o: $(B)/gen/embedded.h

# The ids of a group of messages; not touched when only a text has changed.
ERRS = $(patsubst core/base/errs/%.h,$(B)/gen/err/%.h,$(wildcard core/base/errs/*.h))
$(OBJ) $(UNIT): | $(ERRS)
$(ERRS): $(B)/gen/err/%.h: core/base/errs/%.h core/base/errs.h .ci/errs.awk
	@mkdir -p $(@D)
	$(V)awk -v group=$* -f .ci/errs.awk core/base/errs.h $< >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

$(B)/gen/modules.h: $(SEAM) $(B)/gen/seam
	$(V)sed -n 's/^int luaopen_moontile_\([A-Za-z0-9_]*\)(lua_State \*L)[^;]*$$/MODULE(\1)/p' $(SEAM) >$@

$(B)/gen/embed: lua/tools/embed.c lua/state/sources.h $(B)/gen/flags
	$(V)$(CC) $(ALL_CFLAGS) -o $@ $< $(ALL_LIBS)

$(B)/gen/embedded.h: $(B)/gen/embed $(LUA) $(B)/gen/luafiles
	@echo "  embed   $(words $(LUA)) files"
	$(V)$< $(LUA) >$@

define record # file, text
$(1): force
	@mkdir -p $$(@D)
	@echo '$(2)' | cmp -s - $$@ || echo '$(2)' >$$@
endef
# -Werror makes no other objects.
$(eval $(call record,$(B)/gen/flags,$(CC) $(filter-out -Werror,$(ALL_CFLAGS))))
$(eval $(call record,$(B)/gen/seam,$(SEAM)))
$(eval $(call record,$(B)/gen/luafiles,$(LUA)))

build/deps-$(EDITLINE).mk: .ci/deps $(if $(INSTALLING),force)
	$(V)mkdir -p build
	$(V)EDITLINE=$(EDITLINE) .ci/deps $(if $(INSTALLING),--install) build $(INSTALLING) >$@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@

# Goals ----------------------------------------------------------------------

run: $(B)/moontile ## install what is missing, build, run a GEMM, open the prompt
	$(V)$(B)/moontile -i lua/examples/quickstart.lua

WANTED = $(foreach u,$(UNIT),$(if $(findstring $(T),unit/$(notdir $(u))),$(u)))
QUICK  = $(addprefix $(B)/tests/,$(shell sed -n 's/^\(unit\/[a-z_]*\).*/\1/p' tests/quick))
LONG   = $(addprefix $(B)/tests/,$(shell grep '^unit/' tests/long))
test: $(B)/moontile $(if $(filter-out swift all,$(T)),$(if $(filter quick,$(T)),$(QUICK),$(WANTED)),$(if $(T)$(UPDATE),$(UNIT),$(filter-out $(LONG),$(UNIT)))) ## run the tests (T=name filters, T=all, T=quick, T=swift, UPDATE=1, SAN=1)
	$(V)UPDATE='$(UPDATE)' SLOW='$(SLOW)' FULL='$(FULL)' $(FIXED) $(B)/moontile tests/run.lua $(B) $(T)

# What the figures are measured against: plain C as the table names it.
$(B)/tests/bench/anchor: tests/bench/anchor.c
	@mkdir -p $(@D)
	$(V)$(CC) -O3 -march=native -ffast-math -D_GNU_SOURCE -Wall -pthread -o $@ $< -ldl -lm

conform: $(B)/moontile ## all of tests/conform through the stand-in run-times of maca and hip
	$(V)cd tests/standin && MOONTILE=$(abspath $(B))/moontile sh lib/all.sh $(abspath $(B))/conform

conform-card: $(B)/moontile ## tests/conform on an NVIDIA card, bit by bit (RECORD=1: tests/conform/h200.bits anew)
	$(V)MOONTILE=$(abspath $(B))/moontile RECORD='$(RECORD)' sh tests/conform/lib/card.sh

siege: $(B)/tests/unit/serve_crowd $(B)/tests/unit/serve_fuzz ## the server under 64 clients, then a fuzzer for S=60 seconds
	$(V)cd tests/unit && $(abspath $(B))/tests/unit/serve_crowd 64 10000 $(SEED) && \
	    $(abspath $(B))/tests/unit/serve_fuzz $(or $(S),60) $(SEED)

HUNTERS = $(addprefix $(B)/tests/unit/,cpu_hostile fuzz_lower fuzz_made)
hunt: $(B)/moontile $(HUNTERS) ## generated programs on every target against an interpreter (SEED=, COUNT=, TARGETS=, PROFILE=; PROFILE=hostile: kernels that try to leave their tensors); then hostile kernels and IR, T's names, puzzles (PROFILE=rest: only these; HOSTILE=seeds, FUZZ=seconds, THROUGH=programs, TILES=programs, ATOMICS=programs, ROLES=programs, AROUND=programs, VOTES=programs, GATHERS=programs, MASKS=programs, GUARDS=programs, OWNED=programs, VALUES=seeds, SEEDS=)
	$(V)bad=0; \
	$(if $(filter rest,$(PROFILE)),,tests/hunt/lib/all.sh $(abspath $(B))/moontile $(abspath $(B))/hunt $(or $(SEED),1) $(or $(COUNT),1000) \
	    $(or $(TARGETS),sm_75,sm_80,sm_90a,c500,gfx942,cpu) $(or $(PROFILE),all) || bad=1;) \
	$(if $(filter-out rest,$(PROFILE)),,tests/hunt/lib/rest.sh $(abspath $(B))/moontile $(abspath $(B))/hunt $(or $(SEED),1) || bad=1;) \
	exit $$bad

bench: $(B)/moontile $(B)/tests/bench/anchor $(B)/tests/unit/serve_crowd ## the table of figures of the README (T=name filters)
	$(V)$(B)/moontile tests/bench.lua $(B) '$(T)'

pictures: $(B)/moontile ## draw the README's pictures anew
	$(V)$(B)/moontile layout_viz/pictures/draw.lua layout_viz/pictures

lint: $(B)/moontile ## static checks of C, Lua and shell sources
	$(V)CC="$(CC)" LIB=$(LIB) FLAGS='-std=c11 -D_GNU_SOURCE -I. -I$(B)/gen $(DEPS_CFLAGS) $(WARN)' .ci/lint

# The editor is all that knows which library there is: the rest is that of the other build.
ifeq ($(EDITLINE),libedit)
$(B)/with-libedit: $(filter $(B)/repl/edit/%,$(OBJ))
	@echo "  link    $@"
	$(V)$(CC) -o $@ build/repl/main.o $^ build/libmoontile.a $(ALL_LIBS)
	$(V)$@ --selfcheck
endif

with-libedit: $(B)/moontile ## also with the other library for editing lines, as build/libedit/with-libedit
	$(V)$(MAKE) EDITLINE=libedit B=build/libedit build/libedit/with-libedit

compile-commands: ## compile_commands.json, for editors
	@{ echo '['; for f in $(SRC); do printf '%s{"directory": "%s", "file": "%s", "command": "%s"}' \
	    "$$comma" '$(CURDIR)' "$$f" '$(subst ",\\",$(CC) $(ALL_CFLAGS)) -c '"$$f"; comma=",$$(printf '\n_')"; \
	    comma=$${comma%_}; done; echo ']'; } >compile_commands.json

install: $(B)/moontile ## into DESTDIR/PREFIX (/usr/local)
	install -Dm755 $(B)/moontile $(DESTDIR)$(PREFIX)/bin/moontile
	install -Dm644 LICENSE $(DESTDIR)$(PREFIX)/share/doc/moontile/LICENSE

release: ## checks, then build/release with archive and checksums, and a tag
	.ci/release

size: ## lines of each file, and of each folder
	@wc -l $$(find core targets lua layout_viz repl puzzles tests Makefile .ci -type f \
	    \( -name '*.[ch]' -o -name '*.lua' -o -name '*.sh' -o -name Makefile \
	    -o -path '.ci/*' \)) | awk '$$2 != "total" { n = split($$2, p, "/"); \
	    d = n > 1 ? p[1] : "."; t[d] += $$1; s += $$1; print } \
	    END { print ""; for (d in t) printf "%7d %s\n", t[d], d | "sort -rn"; \
	    close("sort -rn"); printf "%7d in all\n", s }'

clean: ## remove build/
	rm -rf build

help: ## this list
	@sed -n 's/^# \{3\}/  /p' Makefile
	@echo
	@sed -n 's/^\([a-z]*\):[^#]*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 18

force:
.PHONY: all run test conform conform-card siege hunt bench pictures lint compile-commands install release size clean help force
.DELETE_ON_ERROR:
