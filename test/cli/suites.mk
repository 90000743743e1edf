# What commands print, write and offer.

.PHONY: golden docs golden-update schema screens streams ci completions lists bulk

golden: $(B)/numel $(tools) ## transcripts of every command
	@B=$(B) sh test/cli/transcript.sh -j $(JOBS) $(sort $(wildcard test/cli/*.t))
docs: $(B)/numel $(tools) ## every console block of README.md and docs/ is run
	@B=$(B) sh test/cli/transcript.sh -j $(JOBS) README.md $(sort $(wildcard docs/*.md docs/guide/*.md))
golden-update: $(B)/numel $(tools) ## rewrite the transcripts; review the difference
	@B=$(B) sh test/cli/transcript.sh -u -j $(JOBS) $(sort $(wildcard test/cli/*.t)) README.md $(sort $(wildcard docs/*.md docs/guide/*.md))
schema: $(B)/numel $(tools) ## docs/schema: real output of every command fits it, all of it is seen, and it can fail
	@$(py) -W ignore test/cli/schema/run.py
screens: $(B)/numel ## every command on terminals of many widths: nothing cut, lost, or out of its column
	@$(py) test/cli/screens/run.py
streams: $(B)/numel ## every command with streams full, closed or left, and files that are none
	@$(py) test/cli/streams/run.py
	@$(py) test/cli/streams/odd.py
ci: $(B)/numel ## --junit and --sarif of verify: well-formed, complete, the same as --json says, written where they may be
	@$(py) test/cli/ci/run.py
completions: $(B)/numel ## what bash, zsh and fish offer behind "numel", asked of those that are here
	@$(py) test/cli/completions/completions.py
lists: $(B)/numel $(B)/tool/peak ## numel list of many checkpoints: parts, threads, links, going on, sorting; LISTS=all: of a million
	@$(py) test/cli/lists/run.py
bulk: $(B)/numel ## the scripts of docs/bulk.md (xargs, GNU parallel, Slurm, Spark, SQL) give what one process gives; BULK=shell: without Java
	@B=$(B) sh test/cli/bulk/bulk.sh
