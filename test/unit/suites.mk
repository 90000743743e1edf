# Each module in isolation, and the library in programs that include only numel.h.

.PHONY: unit embed

unit: $(units) $(tools) $(replays) ## unit tests, one program a module (cmocka), of failing allocations one of 31, of fixtures as fuzz seeds one of 9, EVERY=1: all; fuzz finds
	@rm -rf $(B)/ran && mkdir -p $(B)/ran
	@printf '%s\n' $(units) | NUMEL_EVERY=$(or $(EVERY),$(NUMEL_EVERY),31) xargs -P $(JOBS) -I{} sh -c \
	   '{} >$(B)/ran/$$(basename {}) 2>&1 || echo $$(basename {}) >>$(B)/ran/failed'
	@for t in $(units); do cat $(B)/ran/$${t##*/}; done
	@bad=$$(cat $(B)/ran/failed 2>/dev/null); \
	   for t in $(replays); do n=$${t##*/replay_}; \
	      $$t $$(sh test/robust/fuzz/seeds.sh $$n | awk -v n=$(or $(EVERY),9) '/\/fuzz\// || (NR - 1) % n == 0' | grep . || echo no-seeds) || bad="$$bad replay_$$n"; done; \
	   [ -z "$$bad" ] || { echo "failed:" $$bad; exit 1; }
embed: $(embeds) $(B)/embed/header ## programs that include only numel.h, with both libraries; the header in C++; docs/api.md
	@for t in $(embeds) $(B)/embed/header; do \
	   $$t fixtures $(B)/embed/heads || { echo "failed: $$t"; exit 1; }; done
	@LIBS="$(B)/$(SONAME) -Wl,-rpath,$(abspath $(B)) $(LDLIBS)" sh test/unit/embed/page.sh $(B) $(embed_cc) $(LDFLAGS)
	@echo "embed: ok"

# Programs that include only numel.h, each linked with both libraries. One of them defines functions
# with the names of internal functions of the library.
embed_cc = $(CC) -Iinclude $(CPPFLAGS) -std=c11 -pthread $(WARN) $(mode_$(MODE)) $(CFLAGS)
$(B)/embed/%.static: test/unit/embed/%.c test/unit/embed/embed.h include/numel.h $(B)/libnumel.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(embed_cc) $(LDFLAGS) $< $(B)/libnumel.a $(own_libs) $(LDLIBS) -o $@
$(B)/embed/%.shared: test/unit/embed/%.c test/unit/embed/embed.h include/numel.h $(B)/$(SONAME)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(embed_cc) $(LDFLAGS) $< $(B)/$(SONAME) -Wl,-rpath,$(abspath $(B)) $(LDLIBS) -o $@
$(B)/embed/header: test/unit/embed/header.cc include/numel.h $(B)/$(SONAME)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CXX) -Iinclude -std=c++11 -Wall -Wextra -Wpedantic -Werror $(mode_$(MODE)) $(CFLAGS) $(LDFLAGS) \
	   $< $(B)/$(SONAME) -Wl,-rpath,$(abspath $(B)) -o $@
# A library with 2,000 additional specifications: the linker takes the first object that defines the
# embedded data.
$(B)/many/embedded.c: $(B)/embedded.c test/unit/many.sh
	$(Q)rm -rf $(@D)/specs && sh test/unit/many.sh $(@D)/specs 2000
	$(call say,GEN,$@)$(B)/derive $(specs) $(@D)/specs/*.spec > $@
$(B)/unit/test_library_many: $(B)/test/unit/test_library.o $(B)/many/embedded.o $(B)/libtest.a $(B)/libnumel_all.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $^ -lcmocka $(own_libs) $(LDLIBS) -o $@
$(B)/many/numel: $(call obj,$(cli_c)) $(B)/many/embedded.o $(B)/libnumel_all.a
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(LDLIBS) -o $@
# All of browse but what opens models and what knows the terminal.
$(B)/unit/test_browse: $(B)/test/unit/test_browse.o $(call obj,$(patsubst %,src/cli/%.c,browse_tree browse_keys browse_draw browse_pane \
                       browse_statement option_table)) $(B)/libtest.a $(B)/libnumel_all.a
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $^ -lcmocka $(own_libs) $(LDLIBS) -o $@
