# Packages; README.md beside this says for whom each is.

.PHONY: static deb deps-pack

static: ## build/static/numel, one file that needs no other
	+@CC="$(CC)" MAKE="$(MAKE)" STRIP="$(STRIP)" sh docs/packaging/static.sh
deb: ## build/deb/*.deb: libnumel0, libnumel-dev and numel
	@sh docs/packaging/deb.sh $(VERSION)
deps-pack: deps ## install what packages and their tests need besides
	@if command -v apt-get >/dev/null; then \
	   $(call apt_install,dpkg-dev debhelper fakeroot lintian mmdebstrap mandoc groff shellcheck ruby jq git pre-commit python3-yaml python3-venv makepkg libarchive-tools); \
	 else \
	   echo "For docs/packaging: dpkg-dev, debhelper, lintian, mmdebstrap, mandoc, groff, shellcheck, ruby, jq, git, pre-commit, PyYAML, makepkg; what is absent is skipped."; \
	 fi
