# Results of numel compared with what the models' own programs build.

.PHONY: truth sample caches partial identified trees printed prints packed reloaded layouts evidence forms adapters \
        components single products reworded loaders causes contradict neighbours corpus oracle figures claims seeds \
        learn mutants

truth: $(tools) ## fixtures/oracle: reconcile and formula against transformers and llama.cpp
	@$(B)/tool/truth -w $(B)/truth -l test/truth/nocase.txt -d test/truth/debts.txt fixtures/oracle
sample: $(tools) # of it, for make check
	@$(B)/tool/truth -w $(B)/sample fixtures/oracle hf-default/
caches: $(tools) ## fixtures/memory: cache lines against what transformers measurably keeps
	@$(B)/tool/caches -d test/truth/cache_debts.txt fixtures/memory
	@$(py) test/truth/cachelines.py test/truth/nocache.txt
partial: $(B)/numel ## fixtures/partial: incomplete configurations, against what transformers builds
	@$(py) test/truth/partial.py
identified: $(B)/numel ## each model type of fixtures/oracle without config.json: most identified, none misidentified
	@$(py) test/truth/identified.py
	@$(py) test/truth/identify.py
trees: $(B)/numel ## numel print of every class of transformers 5.23, by hash
	@$(py) test/truth/trees.py $(if $(UPDATE),-u)
printed: $(B)/numel ## numel print against print(model) of transformers
	@$(py) test/truth/printed.py
prints: $(B)/numel ## printouts, original and as people paste them, against their models
	@$(py) test/truth/prints.py
packed: $(B)/numel ## fixtures/packed: reconcile on checkpoints that quantizers wrote
	@$(py) test/truth/packed/packed.py $(if $(UPDATE),-u)
reloaded: $(B)/numel ## such checkpoints as transformers counts and prints them after loading
	@$(py) test/truth/packed/reloaded.py $(if $(UPDATE),-u)
layouts: $(B)/numel ## the same checkpoints, altered: no layout may agree; one alteration in 27, EVERY=1: all
	@B=$(B) LAYOUT_EVERY=$(or $(EVERY),$(if $(filter-out release,$(MODE)),31,27)) PYTHONDONTWRITEBYTECODE=1 python3 test/truth/packed/layouts.py
evidence: $(B)/numel ## the same checkpoints without configuration or data: other witnesses must suffice
	@$(py) test/truth/packed/evidence.py
	@$(py) test/truth/packed/missing_keys.py
forms: $(B)/numel ## models of fixtures/oracle in the forms of current writers, and altered
	@$(py) test/truth/forms.py
	@$(py) test/truth/gguf_neighbours.py
adapters: $(B)/numel ## adapters as their writers save them, and with small alterations
	@$(py) test/truth/adapters.py $(B)/numel
components: $(B)/numel ## multi-model folders as diffusers and sentence-transformers wrote them, and altered
	@$(py) test/truth/components/components.py
	@$(py) test/truth/components/refused.py
	@$(py) test/truth/components/around.py
	@$(py) test/truth/components/components_quantized.py
	@$(py) test/truth/components/training.py
single: $(B)/numel ## multi-model files, whole, quantized and altered; open_clip's folders
	@$(py) test/truth/components/single.py
	@$(py) test/truth/components/single_quantized.py
	@$(py) test/truth/components/single_gguf.py
	@$(py) test/truth/components/gguf_files.py
	@$(py) test/truth/components/towers.py
products: $(B)/numel ## src/data/products: the language, and that every id mentioned exists
	@$(py) test/truth/products.py
reworded: $(B)/reworded/numel ## single files, neighbours and adapters with all displayed product words changed: no verdict changes
	@REWORDED=1 $(py_reworded) test/truth/components/single.py
	@$(py_reworded) test/truth/neighbours.py single
	@$(py) test/truth/adapters.py $(B)/reworded/numel
loaders: $(B)/numel ## files that no loader accepts, and healthy neighbours; A=-a: many classes
	@$(py) test/truth/loaders.py $(A)
causes: $(B)/numel ## the first cause identifies a wrong configuration or file; A=NAME: one case
	@$(py) test/truth/causes.py $(A)
contradict: $(B)/numel ## all commands agree about a file, correct or altered; A=-a: many files
	@$(py) test/truth/contradict.py $(A)
neighbours: $(B)/numel ## files with one difference from a correct case of each kind; A=-a: many
	@$(py) test/truth/neighbours.py $(A)
corpus: $(B)/numel $(tools) ## fixtures/ and, if present, real files in NUMEL_SHARED
	@B=$(B) sh test/truth/corpus.sh
oracle: $(B)/numel ## NUMEL_SHARED: the fixtures match it, and the command agrees with all of it
	@$(py) test/gen/oracle_fixtures.py -c
	@$(py) test/truth/oracle.py
# One layer of 64: its sizes are so close to each other that three digits do not distinguish them.
toys := fixtures/gptq-tiny/config.json
figures: $(B)/tool/figures ## false figures: numel explain must explain almost none
	@$(B)/tool/figures -n 12 -l 20 $(sort $(filter-out $(toys),$(wildcard fixtures/*/config.json test/truth/seeds/*.json)))
claims: $(B)/numel $(B)/tool/figures ## numbers computed from the oracle's tensors: numel explain must explain them
	@$(py) test/truth/claims.py
seeds: $(B)/numel ## the figures that started the project, as a golden transcript
	@B=$(B) sh test/cli/transcript.sh -j $(JOBS) $(sort $(wildcard test/truth/seeds/*.t))
learn: $(B)/numel ## src/data/learn without transformers: stored samples become specifications that agree
	@$(py) test/truth/learn/run.py
mutants: $(tools) ## would a case catch each small mistake in a specification? CHANGED=1: changed ones only
	@B=$(B) CHANGED=$(CHANGED) sh test/truth/mutants.sh $(if $(UPDATE),-u)

# A build with every displayed product word changed.
py_reworded = B=$(B)/reworded PYTHONDONTWRITEBYTECODE=1 python3
$(B)/reworded/embedded.c: $(B)/embedded.c test/truth/reworded.py
	$(Q)rm -rf $(@D)/src && python3 test/truth/reworded.py $(@D) $(specs)
	$(call say,GEN,$@)cd $(@D) && $(abspath $(B)/derive) $(specs) > $(@F)
$(B)/reworded/numel: $(call obj,$(cli_c)) $(B)/reworded/embedded.o $(B)/libnumel_all.a
	$(call say,LD,$@)$(CC) $(own_cflags) $(CFLAGS) $(LDFLAGS) $^ $(own_libs) $(LDLIBS) -o $@
