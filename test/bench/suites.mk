# Speed.

.PHONY: bench-count bench bench-data bench-values bench-peers bench-plot bench-remote

bench-count: $(B)/numel $(tools) ## instruction counts on large headers, against test/bench/counts.txt; ALL=1: all rows
	@B=$(B) UPDATE=$(UPDATE) sh test/bench/count.sh $(if $(ALL),all,run)
bench: $(B)/numel $(tools) ## time, MB/s and peak memory on large headers
	@B=$(B) sh test/bench/bench.sh
	@$(py) test/bench/peers.py
	@B=$(B) sh test/bench/bench_data.sh
bench-data: $(B)/numel $(tools) ## only what reads all data: hash and verify --values
	@B=$(B) sh test/bench/bench_data.sh
bench-values: $(B)/numel ## diff --values of 23 GGUF types, beside gguf's own numpy code; PYTHON: one that has gguf (build/venv)
	@$(py) test/bench/values.py $(A)
bench-remote: $(B)/numel $(if $(with_curl),$(B)/numel-fetch) ## headers of 163 shards from a hub on this machine that takes 50 ms for each answer
	@$(py) test/bench/remote.py
bench-peers: $(B)/numel $(tools) ## numel -q and other readers on the same headers, alternating; GET=1: fetch and build them
	@$(py) test/bench/peers.py $(if $(GET),--get) $(A)
bench-plot: $(B)/numel $(tools) ## text plot of numel -q instructions by number of tensors; UPDATE=1: into docs/performance.md
	@$(py) test/bench/plot.py $(if $(UPDATE),docs/performance.md)
