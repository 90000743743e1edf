# The source's own rules, and what lays it out.

.PHONY: layers laws symbols cover format-check format lint-versions lint abi abi-update

# Objects that are built say it; where none are, such as need no optimizer: a cold tree is judged in seconds.
quick_o := $(if $(wildcard $(B)/libnumel.a),,$(patsubst %.c,$(B)/quick/%.o,$(lib_c) $(cli_c)))
layers: $(if $(quick_o),,$(call obj,$(lib_c) $(cli_c))) ## the arrows between the rooms, private headers, and who may ask the system for what
	@printf '%s\n' $(quick_o) | xargs -r -P $(JOBS) -I{} sh -c 'o={} c=$${o#$(B)/quick/}; mkdir -p $${o%/*} && \
	   $(CC) $(own_cppflags) $(CPPFLAGS) -std=c11 $(deps_cflags) -O0 -w -c $${c%.o}.c -o $$o'
	@$(NM) -Au $(or $(quick_o),$^) | awk -f test/rules/layers.awk test/rules/layers.txt - $(sort $(wildcard src/*/*.[ch]))
	@sh test/rules/layers_test.sh
laws: ## what no compiler knows: texts are joined by counts, numbers have a point, failures say NUMEL_MUST; packages of generators are pinned
	@$(py) test/rules/laws.py
	@$(py) test/rules/laws_test.py
	@$(py) src/data/import/import.py -p
	@$(py) test/rules/pins.py
	@$(py) test/rules/pins_test.py
symbols: all $(B)/symbols_host ## the libraries show numel_* and nothing else; a host with names like ours links them
	@B=$(B) SONAME=$(SONAME) NM=$(NM) sh test/rules/symbols.sh
$(B)/symbols_host: $(B)/test/rules/symbols_host.o $(B)/libnumel.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(LDLIBS) -o $@

# What is cheap and broad. A room that these do not reach has no tests of its own.
cover_by := unit golden docs packed truth corpus faults embed adapters
cover: ## which lines of each room the tests run, by gcov; at least 85 % of each
	$(MAKE) MODE=cover all tools
	@find build/cover -name '*.gcda' -exec rm -f {} +
	$(MAKE) MODE=cover $(cover_by)
	@$(py) test/rules/cover.py build/cover

# The programs whose opinion counts are named with their version: HACKING.md says how they are installed.
clang_format := 14
export CLANG_FORMAT_VERSION := $(clang_format)

format-check: ## is every C file laid out as .clang-format says? (clang-format 14)
	@sh test/rules/format.sh
format: ## lay out those that are not
	@sh test/rules/format.sh -u

# Findings are kept a file each, and looked for again where the file or what it includes changed.
export LINT_GCC  := 12
export LINT_LLVM := 14
export LINT_CC   ?= $(firstword $(shell command -v gcc-$(LINT_GCC)) gcc)
export LINT_TIDY ?= $(firstword $(shell command -v clang-tidy-$(LINT_LLVM)) clang-tidy)
lint_flags := $(own_cppflags) -std=c11 -pthread
findings   := $(patsubst %.c,build/lint/%.found,$(lib_c) $(cli_c))
-include $(findings:.found=.d)

build/lint/%.found: %.c .clang-tidy test/rules/lint.sh | lint-versions
	$(Q)sh test/rules/lint.sh $@ $< $(lint_flags)
lint-versions:
	@sh test/rules/lint.sh
lint: $(findings) ## gcc's analyzer (12), clang-tidy (14), lengths of files and functions; none may have a finding
	@awk -f test/rules/lint.awk test/rules/lint.txt $(findings)
	@awk -f test/rules/lengths.awk test/rules/lengths.txt $$(git ls-files '*.c' '*.h')

abi: lib ## is the shared library still what programs of this minor version were linked with?
	@B=$(B) SONAME=$(SONAME) VERSION=$(VERSION) sh test/rules/abi.sh
abi-update: lib ## let the library as it is now be what the next ones are compared with
	@B=$(B) SONAME=$(SONAME) VERSION=$(VERSION) sh test/rules/abi.sh -u
