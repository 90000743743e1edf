# What a commit must pass, and rules that suites share. A suite is a target in test/GROUP/suites.mk;
# test/README.md says what each proves.

# Runs a Python suite.
py = B=$(B) PYTHONDONTWRITEBYTECODE=1 python3

unit_c := $(sort $(wildcard test/unit/test_*.c))
tool_c := $(sort $(wildcard test/support/tool/*.c test/truth/*.c test/interop/*.c test/bench/*.c))
support_c := $(sort $(wildcard test/support/*.c))
units  := $(patsubst test/unit/%.c,$(B)/unit/%,$(unit_c)) $(B)/unit/test_library_many
fuzz_c := $(sort $(wildcard test/robust/fuzz/fuzz_*.c))
fuzz_more := $(sort $(wildcard test/robust/fuzz/common/*.c))
replays := $(if $(filter none,$(REPLAYS)),,$(patsubst test/robust/fuzz/fuzz_%.c,$(B)/fuzz/replay_%,$(fuzz_c)))
embed_c := $(sort $(wildcard test/unit/embed/*.c))
embeds := $(foreach k,static shared,$(patsubst test/unit/embed/%.c,$(B)/embed/%.$(k),$(embed_c)))
tools  := $(patsubst %.c,$(B)/tool/%,$(notdir $(tool_c)))

-include $(patsubst %.o,%.d,$(call obj,$(unit_c) $(tool_c) $(support_c) $(fuzz_c) $(fuzz_more) test/robust/fuzz/replay.c))

.PHONY: test check tools programs deps-test deps-html

of_unit   := unit embed
of_cli    := golden docs schema screens browse streams ci completions
of_truth  := truth caches partial identified trees packed reloaded layouts evidence forms adapters components single pytorch products \
             contradict causes loaders corpus figures learn
of_robust := faults shim hostile html bounds
of_interop := embedding manuals remote
of_rules  := layers laws symbols
# Everything that suites need is built first, on all cores; then the longest suites start first (test/support/suites.sh).
slow  := unit layouts shim golden bounds single schema hostile components adapters
order  = $(foreach s,$(slow),$(filter $s,$(1))) $(filter-out $(slow),$(1))
ran    = MAKE='$(MAKE)' sh test/support/suites.sh $(JOBS) $(B)/suites $(call order,$(1))
test: all $(tools) $(units) $(replays) $(embeds) $(B)/embed/header $(B)/symbols_host $(B)/shim.so ## everything that must be green before a commit
	+@$(call ran,$(of_unit) $(of_cli) $(of_truth) $(of_robust) $(of_interop) $(of_rules))
	@echo "test: ok ($(MODE))"
check: all $(tools) $(units) ## a few minutes of it: units, transcripts, a sample of the truth
	+@MAKE='$(MAKE) REPLAYS=none NUMEL_EVERY=101' EACH=$(JOBS) sh test/support/suites.sh 1 $(B)/suites golden unit docs layers laws sample
	@echo "check: ok ($(MODE))"
tools: $(tools) ## programs that tests use, in build/MODE/tool
programs: $(tools) $(units) $(patsubst %,$(B)/fuzz/replay_%,safetensors gguf json) # what test/interop/cross.sh runs, built

$(B)/unit/%: $(B)/test/unit/%.o $(B)/libtest.a $(B)/libnumel_all.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) -lcmocka $(own_libs) $(LDLIBS) -o $@
# The parts of numel-fetch that need no libcurl.
$(B)/unit/test_fetch $(B)/fuzz/replay_hub $(B)/fuzz/fuzz_hub: $(call obj,$(addprefix src/fetch/,answer.c header.c hub.c request.c url.c))
$(B)/unit/test_distance: own_libs += -lm
$(B)/unit/test_starved $(B)/unit/test_public: own_libs += -Wl,--wrap=realloc
$(B)/unit/test_canonical: own_libs += -Wl,--wrap=canonical_entry -Wl,--wrap=safetensors_in_order
$(B)/libtest.a: $(call obj,$(support_c))
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^
$(foreach c,$(tool_c),$(eval $(B)/tool/$(basename $(notdir $c)): $(call obj,$c)))
$(tools): $(B)/libtest.a $(B)/libnumel_all.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) $(own_libs) $(LDLIBS) -o $@

deps-test: deps ## install what tests need in addition
	@if command -v apt-get >/dev/null; then \
	   $(call apt_install,g++ libcmocka-dev valgrind zstd xz-utils jq python3 python3-jsonschema mandoc groff-base); \
	 else \
	   echo "For the tests: a C++ compiler, cmocka, valgrind, the tools zstd, xz and jq, python3 and its package jsonschema (4.10 or later)."; \
	   echo "  Fedora:   dnf install gcc-c++ libcmocka-devel valgrind zstd xz jq python3-jsonschema"; \
	   echo "  Arch:     pacman -S cmocka valgrind zstd xz jq python-jsonschema"; \
	   echo "  Alpine:   apk add g++ cmocka-dev valgrind zstd xz jq py3-jsonschema"; \
	   echo "  Homebrew: brew install cmocka zstd xz jq; pip3 install jsonschema"; \
	   $(PKG_CONFIG) --exists cmocka || { echo "missing: cmocka"; exit 1; }; \
	 fi
# Not part of deps-test for its size: 164 MB are fetched and 560 MB installed on a minimal Debian.
deps-html: ## install Chromium, with which `make html` looks at pages
	@if command -v apt-get >/dev/null && $(SUDO) apt-get update -qq && apt-cache show chromium-headless-shell >/dev/null 2>&1; then \
	   $(call apt_install,--no-install-recommends chromium-headless-shell); \
	 else \
	   echo "For make html and make shots: Chromium; NUMEL_CHROMIUM names it where it has another name. Without it html is skipped."; \
	 fi
