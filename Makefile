# make            the tool and the library, in build/release, on all cores (JOBS=N: on N)
# make test       everything that must be green before a commit
# make help       the rest
#
# One makefile, no recursion but for modes. CC CFLAGS CPPFLAGS LDFLAGS LDLIBS DESTDIR PREFIX are
# yours: ours are kept apart, so that setting one loses nothing. HOSTCC compiles for the machine that builds.

MODE     ?= release
CFLAGS   ?= -O2 -g
PREFIX   ?= /usr/local
DESTDIR  ?=
HOSTCC   ?= cc
PKG_CONFIG ?= pkg-config
NM       ?= nm
OBJCOPY  ?= objcopy
NUMEL_SHARED ?= ../shared
JOBS     ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
T        ?= gguf
S        ?= 60
export NUMEL_SHARED

part     = $(shell awk '/define NUMEL_VERSION_$(1)/{print $$3}' include/numel.h)
MAJOR   := $(call part,MAJOR)
VERSION := $(MAJOR).$(call part,MINOR).$(call part,PATCH)
SONAME  := libnumel.so.$(MAJOR)

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla -Wformat=2 \
        -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings $(if $(WERROR),-Werror)
mode_release :=
mode_asan    := -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
mode_cover   := -O0 --coverage
mode_tsan    := -O1 -fsanitize=thread -fno-omit-frame-pointer
mode_fuzz    := -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all

# What distributions harden their programs with, in release builds. HARDEN= leaves it out; what CFLAGS, CPPFLAGS and
# LDFLAGS say of the same things comes later and wins. Checked calls of the C library need an optimizer, and -static
# excludes -pie.
HARDEN   ?= 1
yours    := $(CPPFLAGS) $(CFLAGS) $(LDFLAGS)
ifeq ($(MODE)$(HARDEN),release1)
hard_cflags  := -fstack-protector-strong $(if $(findstring _FORTIFY_SOURCE,$(yours)),,$(if \
                $(filter -O1 -O2 -O3 -Os,$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3))
ifneq ($(shell uname -s),Darwin)
hard_ldflags := -Wl,-z,relro,-z,now
hard_pie     := $(if $(filter -static -static-pie -no-pie,$(yours)),,-pie)
endif
endif

# libcrypto is loaded when a digest is asked for: most commands end before it would have been linked. LINK_CRYPTO=1 links
# it, for distributions that want to see what a program needs; so do static programs, and macOS, which lets nobody
# load it by that name. Objects do not notice the change: make clean between.
LINK_CRYPTO  ?= $(if $(or $(filter Darwin,$(shell uname -s)),$(filter -static -static-pie,$(yours))),1)
linked       := $(filter-out 0,$(LINK_CRYPTO))
deps_pc      := libcjson libzstd $(if $(linked),libcrypto)
private_libs := $(if $(linked),,-ldl)
own_cppflags := -Iinclude -Isrc -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 $(if $(linked),-DNUMEL_LINK_CRYPTO)
deps_cflags  := $(shell $(PKG_CONFIG) --cflags libcjson libzstd libcrypto 2>/dev/null)
own_cflags   := -std=c11 $(WARN) $(mode_$(MODE)) $(hard_cflags) -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections -pthread $(deps_cflags)
own_libs     := $(or $(shell $(PKG_CONFIG) --libs $(deps_pc) 2>/dev/null),-lcjson -lzstd $(if $(linked),-lcrypto)) $(private_libs)

B      := build/$(MODE)
lib_c  := $(sort $(wildcard src/base/*.c src/source/*.c src/registry/*.c src/reader/*.c \
                            src/formula/*.c src/model/*.c src/statement/*.c src/content/*.c src/diff/*.c \
                            src/verify/*.c src/explain/*.c src/counters/*.c src/printout/*.c src/adapter/*.c src/components/*.c src/memory/*.c src/subject/*.c \
                            src/page/*.c src/reporter/*.c))
cli_c  := $(sort $(wildcard src/cli/*.c))
unit_c := $(sort $(wildcard test/unit/test_*.c))
tool_c := $(sort $(wildcard test/tool/*.c))
support_c := $(sort $(wildcard test/support/*.c))
spec_d := $(wildcard src/data/specs/* src/data/blocks/*) src/data/layouts
specs  := $(sort $(wildcard $(foreach x,spec print layout forms,$(addsuffix /*.$(x),$(spec_d))) src/data/*/*.table)) $(sort $(wildcard src/data/products/*.product src/data/adapters/*.adapter))
# What the build reads besides: of the truth's cases the names of classes.
specs  += $(sort $(wildcard fixtures/oracle/*.jsonl.zst))
obj     = $(patsubst %.c,$(B)/%.o,$(1))
lib_o   = $(call obj,$(lib_c)) $(B)/embedded.o $(B)/sizes.o
units  := $(patsubst test/unit/%.c,$(B)/unit/%,$(unit_c)) $(B)/unit/test_library_many
fuzz_c := $(sort $(wildcard test/fuzz/fuzz_*.c))
fuzz_more := $(sort $(wildcard test/fuzz/common/*.c))
replays := $(if $(filter check,$(MAKECMDGOALS)),,$(patsubst test/fuzz/fuzz_%.c,$(B)/fuzz/replay_%,$(fuzz_c)))
embed_c := $(sort $(wildcard test/embed/*.c))
embeds := $(foreach k,static shared,$(patsubst test/embed/%.c,$(B)/embed/%.$(k),$(embed_c)))
tools  := $(patsubst test/tool/%.c,$(B)/tool/%,$(tool_c))

# As many jobs as there are cores (or -jN), each with its output in one piece; one after another where goals need an order.
ifeq ($(MAKELEVEL)$(filter clean uninstall deps deps-test,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(JOBS) $(if $(filter output-sync,$(.FEATURES)),-Otarget)
endif

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all check import causes contradict loaders neighbours products reworded adapters single bulk caches trees deps deps-test fresh lib programs cross laws test unit embed truth packed layouts evidence identified forms partial mutants corpus golden docs faults layers symbols interop differential interop-packed printed claims asan fuzz cover bench bench-count bench-data bench-peers bench-plot shim hostile ci bounds screens streams schema figures completions learn \
        install uninstall clean help tools golden-update format format-check \
        lint lint-versions abi abi-update tsan valgrind fuzz-smoke
Q := $(if $(V),,@)
# $(call say,CC,FILE) before a command says what it makes; V=1 shows the command instead, -s neither.
silent := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
say = $(if $(V),,@$(if $(silent),,printf '%-4s %s\n' $(1) $(2) && ))

all: $(B)/numel lib ## the tool and the library (default)
lib: $(B)/libnumel.a $(B)/$(SONAME) ## the static and the shared library
tools: $(tools)
programs: $(tools) $(units) $(patsubst %,$(B)/fuzz/replay_%,safetensors gguf json) # what test/cross.sh runs, built

# What is not the interface stays inside: a host may have an eval() of its own. The library is one object whose
# hidden symbols are made local, in a section a function, so that a linker still leaves out what nobody calls
# (-Wl,--gc-sections). Tests look inside: they link libnumel_all.a.
$(B)/numel.o: $(lib_o) test/symbols.txt
ifeq ($(shell uname -s),Darwin)
	$(call say,LD,$@)ld -r -exported_symbols_list test/symbols.txt $(lib_o) -o $@
else
	$(call say,LD,$@)$(CC) $(CFLAGS) -r -nostdlib -Wl,--unique $(lib_o) -o $@ && $(OBJCOPY) --localize-hidden $@
endif
$(B)/libnumel.a: $(B)/numel.o
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^
$(B)/libnumel_all.a: $(lib_o)
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^
$(B)/$(SONAME): $(lib_o)
	$(call say,LD,$@)$(CC) -shared -Wl,-soname,$(SONAME) $(own_cflags) $(hard_ldflags) $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(LDLIBS) -o $@
$(B)/numel: $(call obj,$(cli_c)) $(B)/libnumel.a
	$(call say,LD,$@)$(CC) $(own_cflags) $(hard_ldflags) $(hard_pie) $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(LDLIBS) -o $@
$(B)/unit/%: $(B)/test/unit/%.o $(B)/libtest.a $(B)/libnumel_all.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $^ -lcmocka $(own_libs) $(LDLIBS) -o $@
$(B)/unit/test_distance: own_libs += -lm
$(B)/unit/test_starved $(B)/unit/test_public: own_libs += -Wl,--wrap=realloc
$(B)/unit/test_canonical: own_libs += -Wl,--wrap=canonical_entry -Wl,--wrap=safetensors_in_order
$(B)/libtest.a: $(call obj,$(support_c))
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^
$(B)/tool/%: $(B)/test/tool/%.o $(B)/libtest.a $(B)/libnumel_all.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(LDLIBS) -o $@
$(B)/symbols_host: $(B)/test/symbols_host.o $(B)/libnumel.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(LDLIBS) -o $@
# Programs that see numel.h alone, as strangers do, each linked with both libraries. One of them has functions
# named as the library's own are inside.
embed_cc = $(CC) -Iinclude $(CPPFLAGS) -std=c11 -pthread $(WARN) $(mode_$(MODE)) $(CFLAGS)
$(B)/embed/%.static: test/embed/%.c test/embed/embed.h include/numel.h $(B)/libnumel.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(embed_cc) $(LDFLAGS) $< $(B)/libnumel.a $(own_libs) $(LDLIBS) -o $@
$(B)/embed/%.shared: test/embed/%.c test/embed/embed.h include/numel.h $(B)/$(SONAME)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(embed_cc) $(LDFLAGS) $< $(B)/$(SONAME) -Wl,-rpath,$(abspath $(B)) $(LDLIBS) -o $@
$(B)/embed/header: test/embed/header.cc include/numel.h $(B)/$(SONAME)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CXX) -Iinclude -std=c++11 -Wall -Wextra -Wpedantic -Werror $(mode_$(MODE)) $(CFLAGS) $(LDFLAGS) \
	   $< $(B)/$(SONAME) -Wl,-rpath,$(abspath $(B)) -o $@
$(B)/libfuzz.a: $(call obj,$(fuzz_more))
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^
$(B)/fuzz/replay_%: $(B)/test/fuzz/fuzz_%.o $(B)/test/fuzz/replay.o $(B)/libfuzz.a $(B)/libtest.a $(B)/libnumel_all.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(LDLIBS) -o $@
$(B)/fuzz/fuzz_%: $(B)/test/fuzz/fuzz_%.o $(B)/libfuzz.a $(B)/libtest.a $(B)/libnumel_all.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(own_cflags) -fsanitize=fuzzer $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(LDLIBS) -o $@
# What runs while the library is built is for this machine, whatever CC is for.
host_zstd := $(or $(shell pkg-config --cflags --libs libzstd 2>/dev/null),-lzstd)
$(B)/derive: $(filter-out %/sizes.c,$(wildcard src/data/derive/*.[ch])) src/formula/digest.h src/formula/method_parts.h Makefile
	@mkdir -p $(@D)
	$(call say,LD,$@)$(HOSTCC) -std=c11 -Isrc -D_POSIX_C_SOURCE=200809L -O1 $(WARN) $(filter %.c,$^) $(host_zstd) -o $@
$(B)/embedded.c: $(B)/derive src/data/specs src/data/blocks src/data/products src/data/adapters $(spec_d) $(specs)
	$(call say,GEN,$@)$(B)/derive $(specs) > $@
$(B)/sizes.o $(B)/embedded.o $(B)/many/embedded.o $(B)/reworded/embedded.o: %.o: %.c src/formula/embedded.h src/registry/prefixes.h src/model/meaning.h
	$(call say,CC,$<)$(CC) $(own_cppflags) $(CPPFLAGS) $(own_cflags) $(CFLAGS) -Wno-overlength-strings -c $< -o $@
# The sizes of the bases of adapters. What makes them is this library without them; where CC is for another machine, that of HOSTCC.
machine = $(firstword $(subst -, ,$(shell $(1) -dumpmachine 2>/dev/null)))
ifeq ($(call machine,$(CC)),$(call machine,$(HOSTCC)))
$(B)/sizes: src/data/derive/sizes.c $(filter-out $(B)/sizes.o,$(lib_o))
	$(call say,LD,$@)$(CC) $(own_cppflags) $(CPPFLAGS) $(own_cflags) $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(LDLIBS) -o $@
$(B)/sizes.c: $(B)/sizes
	$(call say,GEN,$@)$(B)/sizes > $@
else
$(B)/sizes.c: src/data/derive/sizes.c $(lib_c) $(B)/embedded.c
	$(Q)$(MAKE) MODE=release CC='$(HOSTCC)' B=$(B)/host CFLAGS='-O2 -g' CPPFLAGS= LDFLAGS= LDLIBS= WERROR= PKG_CONFIG=pkg-config $(B)/host/sizes.c
	$(Q)cp $(B)/host/sizes.c $@
endif
# A library of 2,000 specifications more: the first object that says what is embedded is taken.
$(B)/many/embedded.c: $(B)/embedded.c test/many.sh
	$(Q)rm -rf $(@D)/specs && sh test/many.sh $(@D)/specs 2000
	$(call say,GEN,$@)$(B)/derive $(specs) $(@D)/specs/*.spec > $@
$(B)/unit/test_library_many: $(B)/test/unit/test_library.o $(B)/many/embedded.o $(B)/libtest.a $(B)/libnumel_all.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $^ -lcmocka $(own_libs) $(LDLIBS) -o $@
$(B)/many/numel: $(call obj,$(cli_c)) $(B)/many/embedded.o $(B)/libnumel_all.a
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(LDLIBS) -o $@
# All that is shown of products called otherwise.
$(B)/reworded/embedded.c: $(B)/embedded.c test/reworded.py
	$(Q)rm -rf $(@D)/src && python3 test/reworded.py $(@D) $(specs)
	$(call say,GEN,$@)cd $(@D) && $(abspath $(B)/derive) $(specs) > $(@F)
$(B)/reworded/numel: $(call obj,$(cli_c)) $(B)/reworded/embedded.o $(B)/libnumel_all.a
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(LDLIBS) -o $@
$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(own_cppflags) $(CPPFLAGS) $(own_cflags) $(CFLAGS) -MMD -MP -c $< -o $@
-include $(patsubst %.o,%.d,$(call obj,$(lib_c) $(cli_c) $(unit_c) $(tool_c) $(support_c) $(fuzz_c) $(fuzz_more) test/fuzz/replay.c))

# ---- tests --------------------------------------------------------------------------------------

test: layers laws symbols unit embed adapters truth caches trees packed reloaded layouts evidence identified forms partial corpus golden docs faults shim hostile ci bounds screens streams schema figures completions learn components single products contradict causes loaders ## everything that must be green before a commit
	@echo "test: ok ($(MODE))"
check: layers laws unit golden docs ## what takes two minutes of it: units, transcripts, a sample of the truth
	@$(B)/tool/truth -w $(B)/truth fixtures/oracle hf-default/
	@echo "check: ok ($(MODE))"
unit: $(units) $(tools) $(replays) ## unit tests, one program a module (cmocka); seeds and finds through the fuzz targets
	@rm -rf $(B)/ran && mkdir -p $(B)/ran
	@printf '%s\n' $(units) | xargs -P $(JOBS) -I{} sh -c \
	   '{} >$(B)/ran/$$(basename {}) 2>&1 || echo $$(basename {}) >>$(B)/ran/failed'
	@for t in $(units); do cat $(B)/ran/$${t##*/}; done
	@bad=$$(cat $(B)/ran/failed 2>/dev/null); \
	   for t in $(replays); do n=$${t##*/replay_}; \
	      $$t $$(sh test/fuzz/seeds.sh $$n || echo no-seeds) || bad="$$bad replay_$$n"; done; \
	   [ -z "$$bad" ] || { echo "failed:" $$bad; exit 1; }
$(B)/embed/page.c: docs/api.md
	@mkdir -p $(@D)
	$(Q)sed -n '/^```c$$/,/^```$$/{/^```/!p;}' $< > $@
$(B)/embed/page: $(B)/embed/page.c include/numel.h $(B)/$(SONAME)
	$(call say,LD,$@)$(embed_cc) $(LDFLAGS) $< $(B)/$(SONAME) -Wl,-rpath,$(abspath $(B)) $(LDLIBS) -o $@
embed: $(embeds) $(B)/embed/header $(B)/embed/page ## programs that see numel.h alone, with both libraries; the header in C++
	@for t in $(embeds) $(B)/embed/header; do \
	   $$t fixtures $(B)/embed/heads || { echo "failed: $$t"; exit 1; }; done
	@$(B)/embed/page fixtures/llama-2-7b-2023 > $(B)/embed/page.out
	@sed -n '/^```text$$/,/^```$$/{/^```/!p;}' docs/api.md | diff - $(B)/embed/page.out
	@echo "embed: ok"
corpus: $(B)/numel $(tools) ## fixtures/ and, where present, the real files of NUMEL_SHARED
	@B=$(B) sh test/corpus.sh
golden: $(B)/numel $(tools) ## transcripts of every command
	@B=$(B) sh test/transcript.sh -j $(JOBS) $(sort $(wildcard test/cli/*.t))
docs: $(B)/numel $(tools) ## every console block of README.md and docs/ is run
	@B=$(B) sh test/transcript.sh -j $(JOBS) README.md $(sort $(wildcard docs/*.md docs/guide/*.md))
golden-update: $(B)/numel $(tools) ## rewrite the transcripts; review the difference
	@B=$(B) sh test/transcript.sh -u -j $(JOBS) $(sort $(wildcard test/cli/*.t)) README.md $(sort $(wildcard docs/*.md docs/guide/*.md))
# Objects that are built say it; where none are, such as need no optimizer: a cold tree is judged in seconds.
quick_o := $(if $(wildcard $(B)/libnumel.a),,$(patsubst %.c,$(B)/quick/%.o,$(lib_c) $(cli_c)))
layers: $(if $(quick_o),,$(call obj,$(lib_c) $(cli_c))) ## the arrows between the rooms, private headers, and who may ask the system for what
	@printf '%s\n' $(quick_o) | xargs -r -P $(JOBS) -I{} sh -c 'o={} c=$${o#$(B)/quick/}; mkdir -p $${o%/*} && \
	   $(CC) $(own_cppflags) $(CPPFLAGS) -std=c11 $(deps_cflags) -O0 -w -c $${c%.o}.c -o $$o'
	@$(NM) -Au $(or $(quick_o),$^) | awk -f test/layers.awk test/layers.txt - $(sort $(wildcard src/*/*.[ch]))
	@sh test/layers_test.sh
laws: ## what no compiler knows: texts are joined by counts, numbers have a point, failures say NUMEL_MUST
	@python3 test/laws.py
	@PYTHONDONTWRITEBYTECODE=1 python3 test/laws_test.py
	@PYTHONDONTWRITEBYTECODE=1 python3 src/data/import/import.py -p
symbols: all $(B)/symbols_host ## the libraries show numel_* and nothing else; a host with names like ours links them
	@B=$(B) SONAME=$(SONAME) NM=$(NM) sh test/symbols.sh
interop-packed: $(B)/numel ## quantizers write checkpoints, we read them, and lies made of them; 7 GB of packages
	@B=$(B) sh test/interop_packed.sh
interop: $(B)/numel $(tools) ## the Python packages safetensors and gguf write, we read; and back
	@B=$(B) sh test/interop.sh
differential: $(tools) ## verdicts and contents of 100,000 mutants: ours, safetensors', llama.cpp's, gguf's
	@B=$(B) sh test/interop.sh differential
bench: $(B)/numel $(tools) ## time, MB/s and peak memory on large headers
	@B=$(B) sh test/bench.sh
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/bench/peers.py
	@B=$(B) sh test/bench_data.sh
bench-peers: $(B)/numel $(tools) ## of it, the part that has numel -q and other readers of the same headers in turns; GET=1: fetch and build them
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/bench/peers.py $(if $(GET),--get) $(A)
bench-plot: $(B)/numel $(tools) ## instructions of numel -q against the number of tensors, as a plot of text; UPDATE=1: into docs/performance.md
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/bench/plot.py $(if $(UPDATE),docs/performance.md)
import: ## the generated tables, made anew of the packages that src/data/import/requirements.txt pins: what differs takes their place; CHECK=1: it fails
	@[ -x build/import/bin/python ] || python3 -m venv build/import
	@build/import/bin/pip install -q -r src/data/import/requirements.txt
	@PYTHONDONTWRITEBYTECODE=1 build/import/bin/python src/data/import/import.py $(if $(CHECK),-c)
bench-count: $(B)/numel $(tools) ## instructions of commands on large headers, against test/bench/counts.txt; ALL=1: of all rows
	@B=$(B) UPDATE=$(UPDATE) sh test/bench/count.sh $(if $(ALL),all,run)
bench-data: $(B)/numel $(tools) ## of it, the part that reads all data: hash and verify --values
	@B=$(B) sh test/bench_data.sh
faults: $(B)/numel $(tools) ## injected faults, each found by the level of verify that should find it
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/faults/run.py
adapters: $(B)/numel ## adapters as their writers make them, and each altered in small ways
	@python3 test/adapters.py $(B)/numel
shim: $(B)/numel $(B)/shim.so ## every command while its files are cut short, and while memory runs out
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/shim/run.py
hostile: $(B)/numel ## every command on names, values and lists that hold what no terminal should get
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/hostile/run.py
ci: $(B)/numel ## --junit and --sarif of verify: well-formed, complete, the same as --json says, written where they may be
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/ci/run.py
schema: $(B)/numel $(tools) ## docs/schema: real output of every command fits it, all of it is seen, and it can fail
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 -W ignore test/schema/run.py
bounds: $(B)/numel $(B)/tool/peak ## memory and output of every command on what is hostile, and on what is large
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/bounds/run.py
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/bounds/specs.py

screens: $(B)/numel ## every command on terminals of many widths: nothing cut, lost, or out of its column
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/screens/run.py

lists: $(B)/numel $(B)/tool/peak ## numel list of many checkpoints: parts, threads, links, going on, sorting; LISTS=all: of a million
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/lists/run.py
bulk: $(B)/numel ## the scripts of docs/bulk.md (xargs, GNU parallel, Slurm, Spark, SQL) give what one process gives; BULK=shell: without Java
	@B=$(B) sh test/bulk.sh
streams: $(B)/numel ## every command with streams full, closed or left, and files that are none
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/streams/run.py
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/streams/odd.py
completions: $(B)/numel ## what bash, zsh and fish offer behind "numel", asked of those that are here
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/completions.py
fresh: ## the README's commands in a clone on a minimal Debian, made by mmdebstrap (as root)
	@sh test/fresh.sh
learn: $(B)/numel ## src/data/learn, without transformers: stored samples become specifications that numel agrees with
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/learn/run.py
$(B)/shim.so: test/shim/shim.c Makefile
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(CFLAGS) $(WARN) $(if $(filter asan,$(MODE)),-DSHIM_NO_MEMORY) -shared -fPIC $< -o $@ -ldl
caches: $(tools) ## fixtures/memory: cache lines against what transformers measurably keeps
	@$(B)/tool/caches -d test/cache_debts.txt fixtures/memory
	@python3 test/cachelines.py test/nocache.txt
truth: $(tools) ## fixtures/oracle: reconcile and formula against what transformers and llama.cpp say
	@$(B)/tool/truth -w $(B)/truth -l test/nocase.txt -d test/debts.txt fixtures/oracle
packed: $(B)/numel ## fixtures/packed: what reconcile says of checkpoints that quantizers wrote
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/packed.py $(if $(UPDATE),-u)
reloaded: $(B)/numel ## what transformers counts and prints of such checkpoints once it has loaded them
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/reloaded.py $(if $(UPDATE),-u)
layouts: $(B)/numel ## the same checkpoints, altered: no layout may agree with them; one alteration of 3, EVERY=1: all
	@B=$(B) LAYOUT_EVERY=$(or $(EVERY),$(if $(filter-out release,$(MODE)),31,3)) PYTHONDONTWRITEBYTECODE=1 python3 test/layouts.py
partial: $(B)/numel ## fixtures/partial: configurations with parts left out, against what transformers builds of them
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/partial.py
forms: $(B)/numel ## models of fixtures/oracle as today's writers cut them, and altered
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/forms.py
evidence: $(B)/numel ## the same checkpoints, without configuration or data: the other witnesses must say as much
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/evidence.py
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/missing_keys.py
components: $(B)/numel ## folders of several models, as diffusers and sentence-transformers wrote them, and altered
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/components.py
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/refused.py
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/around.py
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/components_quantized.py
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/training.py
single: $(B)/numel ## one file that is several models, whole, quantized and altered; open_clip's folders
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/single.py
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/single_quantized.py
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/single_gguf.py
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/gguf_files.py
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/towers.py
loaders: $(B)/numel ## what no loader would load, and healthy neighbours of it; A=-a: of many classes
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/loaders.py $(A)
causes: $(B)/numel ## wrong configurations and files are told by the first cause; A=NAME: of one
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/causes.py $(A)

neighbours: $(B)/numel ## what differs in one thing from a right case of each kind; A=-a: many of each
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/neighbours.py $(A)
products: $(B)/numel ## src/data/products: its language, and that each id that it or a specification names is one
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/products.py
reworded: $(B)/reworded/numel ## single files, their neighbours and adapters, with all that is shown of products called otherwise: no verdict changes
	@B=$(B)/reworded REWORDED=1 PYTHONDONTWRITEBYTECODE=1 python3 test/single.py
	@B=$(B)/reworded PYTHONDONTWRITEBYTECODE=1 python3 test/neighbours.py single
	@PYTHONDONTWRITEBYTECODE=1 python3 test/adapters.py $(B)/reworded/numel
contradict: $(B)/numel ## what all commands say of one file, right ones and altered ones; A=-a: of many
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/contradict.py $(A)
identified: $(B)/numel ## each model type of fixtures/oracle without config.json: how many are named rightly, and none as another
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/identified.py
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/identify.py
mutants: $(tools) ## would a case notice each small mistake in a specification? CHANGED=1: of changed ones
	@B=$(B) CHANGED=$(CHANGED) sh test/mutants.sh $(if $(UPDATE),-u)
oracle: $(B)/numel ## of NUMEL_SHARED: the fixtures are made of it, and the command says the same of all of it
	@PYTHONDONTWRITEBYTECODE=1 python3 test/gen/oracle_fixtures.py -c
	@B=$(B) python3 test/oracle.py
trees: $(B)/numel ## numel print of every class of transformers 5.23, by hashes of what it printed
	@B=$(B) PYTHONDONTWRITEBYTECODE=1 python3 test/trees.py $(if $(UPDATE),-u)
printed: $(B)/numel ## numel print against what print(model) of transformers wrote
	@B=$(B) python3 test/printed.py
# One layer of 64: its sizes lie so near each other that three digits tell none of them apart.
toys := fixtures/gptq-tiny/config.json
figures: $(B)/tool/figures ## false figures, of which numel explain must explain next to none
	@$(B)/tool/figures -n 12 -l 20 $(sort $(filter-out $(toys),$(wildcard fixtures/*/config.json test/seeds/*.json)))
claims: $(B)/numel $(B)/tool/figures ## numbers made of the oracle's tensors, explained by numel explain
	@B=$(B) python3 test/claims.py
prints: $(B)/numel ## printouts, of transformers and as people paste them, against what they are of
	@B=$(B) python3 test/prints.py
seeds: $(B)/numel ## every figure that the project grew from, as a golden transcript
	@B=$(B) sh test/transcript.sh -j $(JOBS) $(sort $(wildcard test/seeds/*.t))
# Those that lead the code where it was not before; the rest (MODE=asan test, in .ci/full) walk paths that these walk too.
checked_by := unit embed adapters components packed corpus faults shim hostile ci
asan: ## the tests of C code again, under AddressSanitizer and UBSan
	$(MAKE) MODE=asan $(checked_by)
cross: ## M=aarch64|s390x: built for another machine and run by qemu-user; test/cross.sh says what
	@sh test/cross.sh $(M) $(W)
# Units with threads, a host with threads, and commands that read data with several: at another time each run.
threaded := $(patsubst %,build/tsan/unit/test_%,content values compare stream verify) build/tsan/embed/threads.static
tsan: ## units, a host and commands with threads, under ThreadSanitizer
	$(MAKE) MODE=tsan build/tsan/numel build/tsan/tool/big $(threaded)
	@for t in $(threaded); do $$t fixtures build/tsan/heads || exit 1; done
	@B=build/tsan sh test/checked.sh
# Where a test makes each allocation fail, or changes each byte, one of so many: all of them take hours under
# valgrind, and AddressSanitizer has those.
valgrind: $(B)/numel $(units) $(tools) ## units and commands under valgrind's memcheck
	@for t in $(units); do echo "$${t##*/}"; NUMEL_EVERY=1009 NUMEL_SHARED=none $(memcheck) $$t \
	   >$(B)/valgrind.txt 2>&1 || { cat $(B)/valgrind.txt; exit 1; }; done
	@B=$(B) RUN="$(memcheck)" sh test/checked.sh
memcheck := valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite
# Targets are test/fuzz/fuzz_NAME.c; test/fuzz/targets.txt says what each begins with.
FUZZ_CC ?= clang
fuzz_make = $(MAKE) -s MODE=fuzz CC="$(FUZZ_CC)" build/fuzz/tool/hex
fuzz: ## T=NAME, a file test/fuzz/fuzz_NAME.c, for S seconds (60), with clang's libFuzzer
	@$(fuzz_make) build/fuzz/fuzz/fuzz_$(T)
	@sh test/fuzz/run.sh $(T) $(S)
fuzz-smoke: ## every fuzz target for S seconds (20 if not said)
	@$(fuzz_make) $(patsubst test/fuzz/%.c,build/fuzz/fuzz/%,$(fuzz_c))
	@printf '%s\n' $(patsubst test/fuzz/fuzz_%.c,%,$(fuzz_c)) | xargs -P $(JOBS) -I{} \
	   sh test/fuzz/run.sh {} $(if $(filter command,$(origin S)),$(S),20)
# What is cheap and broad. A room that these do not reach has no tests of its own.
cover_by := unit golden docs packed truth corpus faults embed adapters
cover: ## which lines of each room the tests run, by gcov; at least 85 % of each
	$(MAKE) MODE=cover all tools
	@find build/cover -name '*.gcda' -exec rm -f {} +
	$(MAKE) MODE=cover $(cover_by)
	@python3 test/cover.py build/cover

# ---- habits -------------------------------------------------------------------------------------
# The programs whose opinion counts are named with their version: HACKING.md says how they are installed.

clang_format := 14
export CLANG_FORMAT_VERSION := $(clang_format)

format-check: ## is every C file laid out as .clang-format says? (clang-format 14)
	@sh test/format.sh
format: ## lay out those that are not
	@sh test/format.sh -u

# Findings are kept a file each, and looked for again where the file or what it includes changed.
export LINT_GCC  := 12
export LINT_LLVM := 14
export LINT_CC   ?= $(firstword $(shell command -v gcc-$(LINT_GCC)) gcc)
export LINT_TIDY ?= $(firstword $(shell command -v clang-tidy-$(LINT_LLVM)) clang-tidy)
lint_flags := $(own_cppflags) -std=c11 -pthread
findings   := $(patsubst %.c,build/lint/%.found,$(lib_c) $(cli_c))
-include $(findings:.found=.d)

build/lint/%.found: %.c .clang-tidy test/lint.sh | lint-versions
	$(Q)sh test/lint.sh $@ $< $(lint_flags)
lint-versions:
	@sh test/lint.sh
lint: $(findings) ## gcc's analyzer (12), clang-tidy (14), lengths of files and functions; none may have a finding
	@awk -f test/lint.awk test/lint.txt $(findings)
	@awk -f test/lengths.awk test/lengths.txt $$(git ls-files '*.c' '*.h')

abi: lib ## is the shared library still what programs of this minor version were linked with?
	@B=$(B) SONAME=$(SONAME) VERSION=$(VERSION) sh test/abi.sh
abi-update: lib ## let the library as it is now be what the next ones are compared with
	@B=$(B) SONAME=$(SONAME) VERSION=$(VERSION) sh test/abi.sh -u

# ---- installing ---------------------------------------------------------------------------------

SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
apt_install = $(SUDO) apt-get update -qq && DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq $(1) >/dev/null
deps: ## install what building needs (Debian, Ubuntu; else it says what to install)
	@if command -v apt-get >/dev/null; then \
	   $(call apt_install,gcc libc6-dev make pkg-config libcjson-dev libzstd-dev libssl-dev); \
	 else \
	   echo "Install a C11 compiler, make, pkg-config and the development files of cJSON, zstd and OpenSSL's libcrypto:"; \
	   echo "  Fedora:   dnf install gcc make pkgconf cjson-devel libzstd-devel openssl-devel"; \
	   echo "  Arch:     pacman -S gcc make pkgconf cjson zstd openssl"; \
	   echo "  Alpine:   apk add gcc make musl-dev pkgconf cjson-dev zstd-dev openssl-dev"; \
	   echo "  Homebrew: brew install pkg-config cjson zstd openssl"; \
	   for p in libcjson libzstd libcrypto; do $(PKG_CONFIG) --exists $$p || { echo "missing: $$p"; exit 1; }; done; \
	 fi
deps-test: deps ## install what the tests need besides
	@if command -v apt-get >/dev/null; then \
	   $(call apt_install,g++ libcmocka-dev valgrind zstd xz-utils jq python3 python3-jsonschema); \
	 else \
	   echo "For the tests: a C++ compiler, cmocka, valgrind, the tools zstd, xz and jq, python3 and its package jsonschema (4.10 or later)."; \
	   echo "  Fedora:   dnf install gcc-c++ libcmocka-devel valgrind zstd xz jq python3-jsonschema"; \
	   echo "  Arch:     pacman -S cmocka valgrind zstd xz jq python-jsonschema"; \
	   echo "  Alpine:   apk add g++ cmocka-dev valgrind zstd xz jq py3-jsonschema"; \
	   echo "  Homebrew: brew install cmocka zstd xz jq; pip3 install jsonschema"; \
	   $(PKG_CONFIG) --exists cmocka || { echo "missing: cmocka"; exit 1; }; \
	 fi

bindir := $(DESTDIR)$(PREFIX)/bin
libdir := $(DESTDIR)$(PREFIX)/lib
incdir := $(DESTDIR)$(PREFIX)/include
mandir := $(DESTDIR)$(PREFIX)/share/man
compdir := $(DESTDIR)$(PREFIX)/share
# What writes the completions: a numel that runs here, where this one is built for another machine.
HOST_NUMEL ?= $(B)/numel
schdir := $(DESTDIR)$(PREFIX)/share/numel/schema

comp_files := $(compdir)/bash-completion/completions/numel $(compdir)/zsh/site-functions/_numel \
  $(compdir)/fish/vendor_completions.d/numel.fish

install: all ## into $(DESTDIR)$(PREFIX)
	install -d $(bindir) $(libdir)/pkgconfig $(incdir) $(mandir)/man1 $(mandir)/man5
	install -m 755 $(B)/numel $(bindir)/numel
	install -m 644 $(B)/libnumel.a $(libdir)/libnumel.a
	install -m 755 $(B)/$(SONAME) $(libdir)/libnumel.so.$(VERSION)
	ln -sf libnumel.so.$(VERSION) $(libdir)/$(SONAME)
	ln -sf $(SONAME) $(libdir)/libnumel.so
	install -m 644 include/numel.h $(incdir)/numel.h
	printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$${prefix}/lib' 'includedir=$${prefix}/include' '' \
	  'Name: numel' 'Description: what is really in a model checkpoint' 'Version: $(VERSION)' \
	  'Requires.private: $(strip $(deps_pc))' 'Libs: -L$${libdir} -lnumel' 'Libs.private: -pthread $(private_libs)' \
	  'Cflags: -I$${includedir}' \
	  > $(libdir)/pkgconfig/numel.pc
	install -m 644 docs/numel.1 $(mandir)/man1/numel.1
	install -m 644 docs/numel.5 $(mandir)/man5/numel.5
	install -d $(dir $(comp_files))
	$(HOST_NUMEL) completions bash > $(compdir)/bash-completion/completions/numel
	$(HOST_NUMEL) completions zsh > $(compdir)/zsh/site-functions/_numel
	$(HOST_NUMEL) completions fish > $(compdir)/fish/vendor_completions.d/numel.fish
	chmod 644 $(comp_files)
	install -d $(schdir)
	install -m 644 docs/schema/*.json $(schdir)
uninstall: ## what install put there
	$(RM) $(bindir)/numel $(libdir)/libnumel.a $(libdir)/libnumel.so* $(incdir)/numel.h \
	  $(comp_files) $(libdir)/pkgconfig/numel.pc $(mandir)/man1/numel.1 $(mandir)/man5/numel.5
	$(RM) -r $(schdir)
clean: ## remove build/
	$(RM) -r build
help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  MODE=release|asan|tsan|cover|fuzz  WERROR=1  V=1  HARDEN=  LINK_CRYPTO=1  NUMEL_SHARED=$(NUMEL_SHARED)"
