# The source's own rules, and formatting.

.PHONY: layers laws symbols cover format-check format lint-versions lint abi abi-update

# Judges the objects of a build; if there are none, builds some without optimization: a cold tree takes
# seconds.
quick_o := $(if $(wildcard $(B)/libnumel.a),,$(patsubst %.c,$(B)/quick/%.o,$(lib_c) $(cli_c) $(built_fetch_c)))
layers: $(if $(quick_o),,$(call obj,$(lib_c) $(cli_c) $(built_fetch_c))) ## dependencies between rooms, private headers, system calls by room
	@$(if $(quick_o),$(MAKE) -s B=$(B)/quick CFLAGS='-O0 -w' $(quick_o))
	@$(NM) -Ag $(or $(quick_o),$^) | awk -f test/rules/layers.awk test/rules/layers.txt - $(sort $(wildcard src/*/*.[ch]))
	@sh test/rules/layers_test.sh
laws: ## rules no compiler checks: counted text, locale-free numbers, NUMEL_MUST on functions that fail; pinned generator packages
	@$(py) test/rules/laws.py
	@$(py) test/rules/laws_test.py
	@$(py) src/data/import/import.py -p
	@$(py) test/rules/pins.py
	@$(py) test/rules/pins_test.py
symbols: all $(B)/symbols_host ## the libraries export only numel_*; a host with the same names links them
	@B=$(B) SONAME=$(SONAME) NM=$(NM) sh test/rules/symbols.sh
$(B)/symbols_host: $(B)/test/rules/symbols_host.o $(B)/libnumel.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(LDLIBS) -o $@

# The cheap, broad suites. A room that they do not reach has no tests of its own.
cover_by := unit golden docs packed truth corpus faults embed adapters remote
cover: ## line coverage of each room, by gcov; at least 85 %
	$(MAKE) MODE=cover all tools
	@find build/cover -name '*.gcda' -exec rm -f {} +
	$(MAKE) MODE=cover $(cover_by)
	@$(py) test/rules/cover.py build/cover

# The programs are named with their versions, because results depend on them: HACKING.md explains how to
# install them.
clang_format := 14
export CLANG_FORMAT_VERSION := $(clang_format)

format-check: ## check that C files follow .clang-format (clang-format 14)
	@sh test/rules/format.sh
format: ## reformat those that do not
	@sh test/rules/format.sh -u

# Each file's findings are kept in a file, and searched for again when the source or a header it includes
# changes.
export LINT_GCC  := 12
export LINT_LLVM := 14
export LINT_CC   ?= $(firstword $(shell command -v gcc-$(LINT_GCC)) gcc)
export LINT_TIDY ?= $(firstword $(shell command -v clang-tidy-$(LINT_LLVM)) clang-tidy)
lint_flags := $(own_cppflags) -std=c11 -pthread
findings   := $(patsubst %.c,build/lint/%.found,$(lib_c) $(cli_c) $(built_fetch_c))
-include $(findings:.found=.d)

build/lint/%.found: %.c .clang-tidy test/rules/lint.sh | lint-versions
	$(Q)sh test/rules/lint.sh $@ $< $(lint_flags)
lint-versions:
	@sh test/rules/lint.sh
lint: $(findings) ## gcc's analyzer (12), clang-tidy (14), length of files and functions; no findings allowed
	@awk -f test/rules/lint.awk test/rules/lint.txt $(findings)
	@awk -f test/rules/lengths.awk test/rules/lengths.txt $$(git ls-files '*.c' '*.h')

abi: lib ## is the shared library compatible with this minor version?
	@B=$(B) SONAME=$(SONAME) VERSION=$(VERSION) sh test/rules/abi.sh
abi-update: lib ## make the current library the reference
	@B=$(B) SONAME=$(SONAME) VERSION=$(VERSION) sh test/rules/abi.sh -u
