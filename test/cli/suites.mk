# What commands print, write and complete.

.PHONY: golden docs pictures golden-update schema screens browse streams ci completions lists bulk

golden: $(B)/numel $(tools) ## transcripts of every command
	@B=$(B) sh test/cli/transcript.sh -j $(JOBS) $(sort $(wildcard test/cli/*.t))
docs: $(B)/numel $(tools) ## run every console block of README.md and docs/; compare docs/guide/pictures
	@B=$(B) sh test/cli/transcript.sh -j $(JOBS) README.md $(sort $(wildcard docs/*.md docs/guide/*.md))
	@$(py) test/cli/pictures/pictures.py --check
pictures: $(B)/numel ## rewrite docs/guide/pictures, screens of commands as SVG; look at them
	@$(py) test/cli/pictures/pictures.py
golden-update: $(B)/numel $(tools) ## rewrite the transcripts; review the diff
	@B=$(B) sh test/cli/transcript.sh -u -j $(JOBS) $(sort $(wildcard test/cli/*.t)) README.md $(sort $(wildcard docs/*.md docs/guide/*.md))
schema: $(B)/numel $(tools) ## docs/schema: real output of every command matches, covers all of it, and it can fail
	@$(py) -W ignore test/cli/schema/run.py
screens: $(B)/numel ## every command at many terminal widths: nothing cut, lost or misaligned
	@$(py) test/cli/screens/run.py
browse: $(B)/numel ## numel browse in a pseudo-terminal: keys pressed, screens compared with other commands; skipped without ncursesw
	@$(py) test/cli/browse/run.py
streams: $(B)/numel ## every command with full, closed or abandoned streams, and special files
	@$(py) test/cli/streams/run.py
	@$(py) test/cli/streams/odd.py
ci: $(B)/numel ## --junit and --sarif of verify: well-formed, complete, consistent with --json, written safely
	@$(py) test/cli/ci/run.py
completions: $(B)/numel ## what bash, zsh and fish complete after "numel"; missing shells are skipped
	@$(py) test/cli/completions/completions.py
lists: $(B)/numel $(B)/tool/peak ## numel list on many checkpoints: parts, threads, links, resuming, sorting, caching; LISTS=all: a million
	@$(py) test/cli/lists/run.py
	@$(py) test/cli/lists/cache.py
bulk: $(B)/numel ## scripts of docs/bulk.md (xargs, GNU parallel, Slurm, Spark, SQL) match one process; BULK=shell: without Java
	@B=$(B) sh test/cli/bulk/bulk.sh
