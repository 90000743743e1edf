# Broken, large and malicious input; sanitizers and fuzzing.

.PHONY: faults hostile html shots bounds shim asan tsan valgrind fuzz fuzz-smoke

faults: $(B)/numel $(tools) ## injected faults, each found at the right level of verify
	@$(py) test/robust/faults/run.py
hostile: $(B)/numel ## every command on names, values and lists that no terminal should receive
	@$(py) test/robust/hostile/run.py
html: $(B)/numel ## pages of --html in headless Chromium, clicked, typed into; skipped without it; SHOTS=DIR: keep the pictures
	@$(py) test/robust/html/run.py
shots: $(B)/numel ## docs/guide/pictures/page-*.png, of pages of --html; needs Chromium
	@$(py) test/robust/html/shots.py docs/guide/pictures
bounds: $(B)/numel $(B)/tool/peak ## memory and output of every command on what is hostile, and on what is large
	@$(py) test/robust/bounds/run.py
	@$(py) test/robust/bounds/specs.py
shim: $(B)/numel $(B)/shim.so ## every command while its files shrink, and while memory runs out
	@$(py) test/robust/shim/run.py
$(B)/shim.so: test/robust/shim/shim.c Makefile
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(CFLAGS) $(WARN) $(if $(filter asan,$(MODE)),-DSHIM_NO_MEMORY) -shared -fPIC $< -o $@ -ldl

# The suites that exercise the most code. The rest (MODE=asan test, in .ci/full) repeats paths that these
# cover.
checked_by := unit embed adapters components packed corpus faults shim hostile ci remote
asan: ## the tests of C code again, under AddressSanitizer and UBSan
	$(MAKE) MODE=asan $(checked_by)
# Units with threads, a host with threads, and commands that read data in several threads: their timing
# differs in every run.
threaded := $(patsubst %,build/tsan/unit/test_%,content values compare stream verify) build/tsan/embed/threads.static
tsan: ## threaded units, host and commands under ThreadSanitizer
	$(MAKE) MODE=tsan build/tsan/numel build/tsan/tool/big $(threaded)
	@for t in $(threaded); do $$t fixtures build/tsan/heads || exit 1; done
	@B=build/tsan sh test/robust/checked.sh
memcheck := valgrind -q --error-exitcode=9 --leak-check=full --errors-for-leak-kinds=definite
# Under valgrind, tests that fail every allocation or change every byte use a sample: all of them would
# take hours. AddressSanitizer takes one in seven (.ci/full), EVERY=1 all, without a checker.
valgrind: $(B)/numel $(units) $(tools) ## units and commands under valgrind's memcheck
	@for t in $(units); do echo "$${t##*/}"; NUMEL_EVERY=1009 NUMEL_SHARED=none $(memcheck) $$t \
	   >$(B)/valgrind.txt 2>&1 || { cat $(B)/valgrind.txt; exit 1; }; done
	@B=$(B) RUN="$(memcheck)" sh test/robust/checked.sh

# Targets are test/robust/fuzz/fuzz_NAME.c; test/robust/fuzz/targets.txt names the seeds of each.
FUZZ_CC ?= clang
T ?= gguf
S ?= 60
fuzz_make = $(MAKE) -s MODE=fuzz CC="$(FUZZ_CC)" build/fuzz/tool/hex
fuzz: ## T=NAME, a file test/robust/fuzz/fuzz_NAME.c, for S seconds (60), with clang's libFuzzer
	@$(fuzz_make) build/fuzz/fuzz/fuzz_$(T)
	@sh test/robust/fuzz/run.sh $(T) $(S)
fuzz-smoke: ## every fuzz target for S seconds (default 20)
	@$(fuzz_make) $(patsubst test/robust/fuzz/%.c,build/fuzz/fuzz/%,$(fuzz_c))
	@printf '%s\n' $(patsubst test/robust/fuzz/fuzz_%.c,%,$(fuzz_c)) | xargs -P $(JOBS) -I{} \
	   sh test/robust/fuzz/run.sh {} $(if $(filter command,$(origin S)),$(S),20)

# The parser of numel-fetch's answers is the program's, not the library's.
$(B)/fuzz/replay_fetch $(B)/fuzz/fuzz_fetch: $(B)/src/cli/fetch_answer.o
$(B)/libfuzz.a: $(call obj,$(fuzz_more))
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^
$(B)/fuzz/replay_%: $(B)/test/robust/fuzz/fuzz_%.o $(B)/test/robust/fuzz/replay.o $(B)/libfuzz.a $(B)/libtest.a $(B)/libnumel_all.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) $(own_libs) $(LDLIBS) -o $@
$(B)/fuzz/fuzz_%: $(B)/test/robust/fuzz/fuzz_%.o $(B)/libfuzz.a $(B)/libtest.a $(B)/libnumel_all.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(own_cflags) -fsanitize=fuzzer $(CFLAGS) $(LDFLAGS) $(filter %.o,$^) $(filter %.a,$^) $(own_libs) $(LDLIBS) -o $@
