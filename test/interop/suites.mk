# Other programs and other machines.

.PHONY: interop interop-packed differential embedding manuals remote cross fresh packaging

interop: $(B)/numel $(tools) ## we read what Python's safetensors and gguf write; and the reverse
	@B=$(B) sh test/interop/interop.sh
interop-packed: $(B)/numel ## we read what quantizers write, and falsified copies; 7 GB of packages
	@B=$(B) sh test/interop/interop_packed.sh
differential: $(tools) ## 100,000 mutants: our verdicts and contents against safetensors, llama.cpp and gguf
	@B=$(B) sh test/interop/interop.sh differential
embedding: $(B)/numel $(B)/$(SONAME) $(B)/tool/hex ## the Python wrapper in docs/embedding: declarations, values, README; EMBEDDING=all: Rust and Go too
	@$(py) test/interop/embedding/run.py
manuals: ## numel.1, numel-fetch.1 and numel.5 under mandoc -Tlint and groff -ww
	@sh test/interop/packaging/manuals.sh docs/numel.1 docs/numel-fetch.1 docs/numel.5
remote: $(B)/numel $(if $(with_curl),$(B)/numel-fetch $(if $(filter asan,$(MODE)),,$(B)/shim.so)) ## numel-fetch against a hub of ours on the loopback that redirects, cuts, stalls, lies; skipped without libcurl
	@$(py) test/interop/remote/run.py
cross: ## M=aarch64|s390x: built for another machine and run by qemu-user; test/interop/cross.sh says what
	@sh test/interop/cross.sh $(M) $(W)
fresh: ## the README's commands in a clone on a minimal Debian by mmdebstrap (as root)
	@sh test/interop/fresh.sh
packaging: all $(tools) ## docs/packaging: deb, static file, hook and action built, installed, run, removed (as root); WHAT=static: that
	@B=$(B) sh test/interop/packaging/run.sh $(WHAT)
