# make            the tool and the library, in build/release, on all cores (JOBS=N: on N)
# make test       everything that must pass before a commit
# make help       the rest
#
# This part builds and installs. Tests and checks are in test/tests.mk and test/*/suites.mk, what makes tables of other packages is in
# src/data/import, packages in docs/packaging. Make recurses for modes and packages only. CC CFLAGS CPPFLAGS LDFLAGS LDLIBS DESTDIR
# PREFIX LIBDIR are yours: ours are kept apart, so that setting one loses nothing. HOSTCC compiles for the machine that builds.

MODE     ?= release
CFLAGS   ?= -O2 -g
PREFIX   ?= /usr/local
LIBDIR   ?= $(PREFIX)/lib
DESTDIR  ?=
STRIP    ?= strip
HOSTCC   ?= cc
PKG_CONFIG ?= pkg-config
NM       ?= nm
OBJCOPY  ?= objcopy
NUMEL_SHARED ?= ../shared
JOBS     ?= $(shell getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
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

# Hardening flags that distributions use, in release builds only. HARDEN= disables them; CFLAGS, CPPFLAGS and LDFLAGS come
# later and override them. _FORTIFY_SOURCE needs optimization, and -static excludes -pie.
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

# libcrypto is loaded on the first digest: most commands finish in less time than linking it would take. LINK_CRYPTO=1 links
# it, for distributions that track dependencies. Static programs always link it; so does macOS, which forbids loading it
# by that name. Objects are not rebuilt when this changes: run make clean.
LINK_CRYPTO  ?= $(if $(or $(filter Darwin,$(shell uname -s)),$(filter -static -static-pie,$(yours))),1)
linked       := $(filter-out 0,$(LINK_CRYPTO))
static       := $(filter -static -static-pie,$(yours))
deps_pc      := libcjson libzstd $(if $(linked),libcrypto)
private_libs := $(if $(linked),,-ldl)
own_cppflags := -Iinclude -Isrc -D_POSIX_C_SOURCE=200809L -D_FILE_OFFSET_BITS=64 $(if $(linked),-DNUMEL_LINK_CRYPTO) \
                $(if $(and $(static),$(linked)),-DNUMEL_STATIC_CRYPTO)
deps_cflags  := $(shell $(PKG_CONFIG) --cflags libcjson libzstd libcrypto 2>/dev/null)
own_cflags   := -std=c11 $(WARN) $(mode_$(MODE)) $(hard_cflags) -fPIC -fvisibility=hidden -ffunction-sections -fdata-sections -pthread $(deps_cflags)
# numel browse loads ncursesw, and says so where it is missing. NCURSES= leaves it out; so do static programs.
NCURSES      ?= $(if $(static),,$(shell $(PKG_CONFIG) --exists ncursesw 2>/dev/null && echo 1))
cli_libs     := $(if $(NCURSES),-ldl)
own_libs     := $(or $(shell $(PKG_CONFIG) $(if $(static),--static) --libs $(deps_pc) 2>/dev/null),-lcjson -lzstd $(if $(linked),-lcrypto)) $(private_libs)

# numel-fetch, the program that asks the network, is built where libcurl is. WITH_CURL=0: not even there.
WITH_CURL ?= $(shell $(PKG_CONFIG) --exists libcurl 2>/dev/null && echo 1)
with_curl := $(filter-out 0,$(WITH_CURL))

fetch_libs := $(if $(with_curl),$(shell $(PKG_CONFIG) $(if $(static),--static) --libs libcurl libcjson))

B      := build/$(MODE)
lib_c  := $(sort $(wildcard src/base/*.c src/source/*.c src/registry/*.c src/reader/*.c \
                            src/formula/*.c src/model/*.c src/statement/*.c src/content/*.c src/diff/*.c \
                            src/verify/*.c src/explain/*.c src/counters/*.c src/printout/*.c src/adapter/*.c src/components/*.c src/memory/*.c src/subject/*.c \
                            src/page/*.c src/reporter/*.c))
cli_c  := $(sort $(wildcard src/cli/*.c))
fetch_c := $(sort $(wildcard src/fetch/*.c))
built_fetch_c := $(if $(with_curl),$(fetch_c))
fetch_o = $(call obj,$(fetch_c) $(sort $(wildcard src/base/*.c)))
spec_d := $(wildcard src/data/specs/* src/data/blocks/*) src/data/layouts
specs  := $(sort $(wildcard $(foreach x,spec print layout forms,$(addsuffix /*.$(x),$(spec_d))) src/data/*/*.table)) $(sort $(wildcard src/data/products/*.product src/data/adapters/*.adapter))
# The style of a page, and its script, of which page.js is last.
specs  += src/page/page.css $(sort $(wildcard src/page/page_*.js)) src/page/page.js
# What the build reads besides: of the truth's cases the names of classes.
specs  += $(sort $(wildcard fixtures/oracle/*.jsonl.zst))
obj     = $(patsubst %.c,$(B)/%.o,$(1))
lib_o   = $(call obj,$(lib_c)) $(B)/embedded.o $(B)/sizes.o

# As many jobs as there are cores (or -jN), each with its output in one piece; one after another where goals need an order.
ifeq ($(MAKELEVEL)$(filter clean uninstall deps deps-test deps-html deps-pack,$(MAKECMDGOALS)),0)
MAKEFLAGS += -j$(JOBS) $(if $(filter output-sync,$(.FEATURES)),-Otarget)
endif

.DELETE_ON_ERROR:
.SECONDARY:
.PHONY: all lib deps install install-archive install-tool install-pages install-fetch uninstall clean help
Q := $(if $(V),,@)
# $(call say,CC,FILE) before a command prints what it makes. V=1 prints the command instead; -s prints neither.
silent := $(findstring s,$(filter-out --%,$(firstword -$(MAKEFLAGS))))
say = $(if $(V),,@$(if $(silent),,printf '%-4s %s\n' $(1) $(2) && ))

# ---- building

all: $(B)/numel lib $(if $(with_curl),$(B)/numel-fetch) ## the tool and the library (default), numel-fetch where libcurl is
lib: $(B)/libnumel.a $(B)/$(SONAME) ## the static and the shared library

# Internal symbols stay private: a host may have its own eval(). The static library is a single object with its hidden symbols
# made local and one section per function, so that a linker can still drop unused code (-Wl,--gc-sections). Tests need
# the internals: they link libnumel_all.a.
$(B)/numel.o: $(lib_o) test/rules/symbols.txt
ifeq ($(shell uname -s),Darwin)
	$(call say,LD,$@)ld -r -exported_symbols_list test/rules/symbols.txt $(lib_o) -o $@
else
	$(call say,LD,$@)$(CC) $(CFLAGS) -r -nostdlib -Wl,--unique $(lib_o) -o $@ && $(OBJCOPY) --localize-hidden $@
endif
$(B)/libnumel.a: $(B)/numel.o
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^
$(B)/libnumel_all.a: $(lib_o)
	$(call say,AR,$@)rm -f $@ && $(AR) rcs $@ $^
$(B)/$(SONAME): $(lib_o)
	$(call say,LD,$@)$(CC) -shared -Wl,-soname,$(SONAME) $(own_cflags) $(hard_ldflags) $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(LDLIBS) -o $@
$(B)/src/cli/browse_screen.o: own_cppflags += $(if $(NCURSES),-DNUMEL_CURSES $(shell $(PKG_CONFIG) --cflags ncursesw))
$(B)/numel: $(call obj,$(cli_c)) $(B)/libnumel.a
	$(call say,LD,$@)$(CC) $(own_cflags) $(hard_ldflags) $(hard_pie) $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(cli_libs) $(LDLIBS) -o $@
$(B)/numel-fetch: $(fetch_o)
	$(call say,LD,$@)$(CC) $(own_cflags) $(hard_ldflags) $(hard_pie) $(CFLAGS) $(LDFLAGS) $^ $(fetch_libs) $(LDLIBS) -o $@
# Programs that run during the build are compiled for this machine, whatever CC targets.
host_libs := $(or $(shell pkg-config --cflags --libs libzstd libcrypto 2>/dev/null),-lzstd -lcrypto)
$(B)/derive: $(filter-out %/sizes.c,$(wildcard src/data/derive/*.[ch])) src/formula/digest.h src/formula/method_parts.h Makefile
	@mkdir -p $(@D)
	$(call say,LD,$@)$(HOSTCC) -std=c11 -Isrc -D_POSIX_C_SOURCE=200809L -O1 $(WARN) $(filter %.c,$^) $(host_libs) -o $@
$(B)/embedded.c: $(B)/derive src/data/specs src/data/blocks src/data/products src/data/adapters $(spec_d) $(specs)
	$(call say,GEN,$@)$(B)/derive $(specs) > $@
$(B)/sizes.o $(B)/embedded.o $(B)/many/embedded.o $(B)/reworded/embedded.o: %.o: %.c src/formula/embedded.h src/registry/prefixes.h src/model/meaning.h src/page/files.h
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
$(B)/%.o: %.c Makefile
	@mkdir -p $(@D)
	$(call say,CC,$<)$(CC) $(own_cppflags) $(CPPFLAGS) $(own_cflags) $(CFLAGS) -MMD -MP -c $< -o $@
-include $(patsubst %.o,%.d,$(call obj,$(lib_c) $(cli_c) $(fetch_c)))

clean: ## remove build/
	$(RM) -r build

SUDO := $(if $(filter 0,$(shell id -u)),,sudo)
apt_install = $(SUDO) apt-get update -qq && DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq $(1) >/dev/null
deps: ## install build dependencies (elsewhere than Debian: list them)
	@if command -v apt-get >/dev/null; then \
	   $(call apt_install,gcc libc6-dev make pkg-config libcjson-dev libzstd-dev libssl-dev libncurses-dev) && \
	   { $(call apt_install,libcurl4-openssl-dev) || echo "no libcurl4-openssl-dev: no numel-fetch"; }; \
	 else \
	   echo "Install a C11 compiler, make, pkg-config and the development files of cJSON, zstd, OpenSSL's libcrypto and, for numel browse, ncurses, for hf:// and https://, libcurl:"; \
	   echo "  Fedora:   dnf install gcc make pkgconf cjson-devel libzstd-devel openssl-devel ncurses-devel libcurl-devel"; \
	   echo "  Arch:     pacman -S gcc make pkgconf cjson zstd openssl ncurses curl"; \
	   echo "  Alpine:   apk add gcc make musl-dev pkgconf cjson-dev zstd-dev openssl-dev ncurses-dev curl-dev"; \
	   echo "  Homebrew: brew install pkg-config cjson zstd openssl ncurses curl"; \
	   for p in libcjson libzstd libcrypto; do $(PKG_CONFIG) --exists $$p || { echo "missing: $$p"; exit 1; }; done; \
	 fi

# ---- installing

bindir := $(DESTDIR)$(PREFIX)/bin
libdir := $(DESTDIR)$(LIBDIR)
incdir := $(DESTDIR)$(PREFIX)/include
mandir := $(DESTDIR)$(PREFIX)/share/man
compdir := $(DESTDIR)$(PREFIX)/share
# Writes the completions: a numel that runs on the build machine, for cross builds.
HOST_NUMEL ?= $(B)/numel
# Where numel looks for numel-fetch: next to itself, and in ../libexec/numel.
execdir := $(DESTDIR)$(PREFIX)/libexec/numel
schdir := $(DESTDIR)$(PREFIX)/share/numel/schema

comp_files := $(compdir)/bash-completion/completions/numel $(compdir)/zsh/site-functions/_numel \
  $(compdir)/fish/vendor_completions.d/numel.fish
pc_libdir := $(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))

# The installed command uses the installed library: what both know of models takes 7 MB. It looks in RPATH first, so that a prefix
# like ~/.local works; RPATH= for packages. What is installed is stripped; STRIP=: keeps symbols.
RPATH ?= $$ORIGIN/../$(patsubst $(PREFIX)/%,%,$(LIBDIR))
rpath_flag = -Wl,-rpath,'$(RPATH)'
strip_library := $(STRIP) $(if $(filter Darwin,$(shell uname -s)),-x,--strip-unneeded)
strip_archive := $(STRIP) $(if $(filter Darwin,$(shell uname -s)),-S,--strip-debug)
$(B)/shared/numel: $(call obj,$(cli_c)) $(B)/$(SONAME)
	@mkdir -p $(@D)
	$(call say,LD,$@)$(CC) $(own_cflags) $(hard_ldflags) $(hard_pie) $(CFLAGS) $(LDFLAGS) $^ $(if $(RPATH),$(rpath_flag)) $(cli_libs) $(LDLIBS) -o $@

install: $(B)/shared/numel install-pages $(if $(with_curl),install-fetch) ## into $(DESTDIR)$(PREFIX): the command and the shared library, 10 MB
	install -d $(bindir) $(libdir)/pkgconfig $(incdir)
	install -m 755 $(B)/shared/numel $(bindir)/numel
	install -m 755 $(B)/$(SONAME) $(libdir)/libnumel.so.$(VERSION)
	$(STRIP) $(bindir)/numel
	$(strip_library) $(libdir)/libnumel.so.$(VERSION)
	ln -sf libnumel.so.$(VERSION) $(libdir)/$(SONAME)
	ln -sf $(SONAME) $(libdir)/libnumel.so
	install -m 644 include/numel.h $(incdir)/numel.h
	printf '%s\n' 'prefix=$(PREFIX)' 'libdir=$(pc_libdir)' 'includedir=$${prefix}/include' '' \
	  'Name: numel' 'Description: what is really in a model checkpoint' 'Version: $(VERSION)' \
	  'Requires.private: $(strip $(deps_pc))' 'Libs: -L$${libdir} -lnumel' 'Libs.private: -pthread $(private_libs)' \
	  'Cflags: -I$${includedir}' \
	  > $(libdir)/pkgconfig/numel.pc
install-archive: $(B)/libnumel.a ## besides: libnumel.a, for pkg-config --static, 11 MB
	install -d $(libdir)
	install -m 644 $< $(libdir)/libnumel.a
	$(strip_archive) $(libdir)/libnumel.a
install-tool: $(B)/numel install-pages $(if $(with_curl),install-fetch) ## instead: the command alone, with the library inside
	install -d $(bindir)
	install -m 755 $(B)/numel $(bindir)/numel
	$(STRIP) $(bindir)/numel
install-fetch: $(B)/numel-fetch
	install -d $(execdir) $(mandir)/man1
	install -m 755 $(B)/numel-fetch $(execdir)/numel-fetch
	$(STRIP) $(execdir)/numel-fetch
	install -m 644 docs/numel-fetch.1 $(mandir)/man1/numel-fetch.1
install-pages: $(HOST_NUMEL)
	install -d $(mandir)/man1 $(mandir)/man5 $(dir $(comp_files)) $(schdir)
	install -m 644 docs/numel.1 $(mandir)/man1/numel.1
	install -m 644 docs/numel.5 $(mandir)/man5/numel.5
	$(HOST_NUMEL) completions bash > $(compdir)/bash-completion/completions/numel
	$(HOST_NUMEL) completions zsh > $(compdir)/zsh/site-functions/_numel
	$(HOST_NUMEL) completions fish > $(compdir)/fish/vendor_completions.d/numel.fish
	chmod 644 $(comp_files)
	install -m 644 docs/schema/*.json $(schdir)
uninstall: ## what these put there
	$(RM) $(bindir)/numel $(libdir)/libnumel.a $(libdir)/libnumel.so* $(incdir)/numel.h \
	  $(comp_files) $(libdir)/pkgconfig/numel.pc $(mandir)/man1/numel.1 $(mandir)/man5/numel.5 $(mandir)/man1/numel-fetch.1
	$(RM) -r $(schdir) $(execdir)

# ---- the rest

include test/tests.mk $(patsubst %,test/%/suites.mk,unit cli truth robust interop bench rules) src/data/import/import.mk docs/packaging/packaging.mk

help: ## this page; ALL=1: every target, a line each
	@awk -v all=$(ALL) -f test/support/help.awk $(filter Makefile %.mk,$(MAKEFILE_LIST))
