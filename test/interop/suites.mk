# Other programs and other machines.

.PHONY: interop interop-packed differential cross fresh

interop: $(B)/numel $(tools) ## we read what Python's safetensors and gguf write; and the reverse
	@B=$(B) sh test/interop/interop.sh
interop-packed: $(B)/numel ## we read what quantizers write, and falsified copies; 7 GB of packages
	@B=$(B) sh test/interop/interop_packed.sh
differential: $(tools) ## 100,000 mutants: our verdicts and contents against safetensors, llama.cpp and gguf
	@B=$(B) sh test/interop/interop.sh differential
cross: ## M=aarch64|s390x: cross-build, run under qemu-user; see test/interop/cross.sh
	@sh test/interop/cross.sh $(M) $(W)
fresh: ## the README's commands in a clone on a minimal Debian by mmdebstrap (as root)
	@sh test/interop/fresh.sh
