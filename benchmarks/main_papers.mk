# The studies of the four main papers, seed by seed, several side by side, and what they need.
#
#   make -f benchmarks/main_papers.mk inputs DATA=data ENCODER=all-MiniLM-L6-v2 WORDNET=dict      # needs no GPU
#   make -f benchmarks/main_papers.mk -k -j 6 love reconstruction DATA=data TEACHER=vectors.npy SIZE=--full DEVICE=cuda
#   make -f benchmarks/main_papers.mk -k -j 2 all ...                                             # small, on two cores
#   make -f benchmarks/main_papers.mk -n love                                                     # show the commands
#
# Whatever stops it, the same command goes on. What is finished are small files: `make scores` packs them, so that
# another machine goes on from there (tar --extract --file runs/scores.tar.gz).

DATA ?= $(EVERYWORD_DATA)
TEACHER ?= vectors.npy
ENCODER ?= all-MiniLM-L6-v2
CORPUS ?= $(wildcard $(DATA)/corpus/*.txt.xz)
WORDNET ?= /usr/share/wordnet
PARSER ?=
DEVICE ?= auto
SIZE ?=
SETTINGS ?=
RUNS ?= runs

ifneq ($(filter-out scores,$(or $(MAKECMDGOALS),all)),)
$(if $(DATA),,$(error Name the folder of the data sets: DATA=FOLDER))
endif

PYTHON ?= python
EVERYWORD := $(or $(EVERYWORD),everyword)
BENCHMARKS := $(dir $(lastword $(MAKEFILE_LIST)))
INPUTS := $(RUNS)/inputs
DONE := $(RUNS)/done$(if $(SIZE),-full)
FOLDER = $(RUNS)/$(or $(SHARED_$(1)),$(1))$(if $(SIZE),-full)
REPRODUCE = $(EVERYWORD) reproduce $(1) $(SIZE) $(OPTIONS_$(1)) --data $(DATA) --device $(DEVICE) --work $(FOLDER) --results $(RUNS)/results $(SETTINGS)
THREE := 0 1 2
FIVE := $(THREE) 3 4

LOVE := love-intrinsic love-ablation love-augmentation love-shrinking love-temperature love-extrinsic love-robustness
RECONSTRUCTION := reconstruction-similarity reconstruction-analogy reconstruction-pos
ENCODERS := love-encoder love-encoder-tags
BERTRAM := bertram-contexts bertram-rarified bertram-probe bertram-byte-pairs
STATIC := dynamic-static dynamic-static-tags dynamic-static-encoders
EVERY := $(LOVE) $(RECONSTRUCTION) $(ENCODERS) $(BERTRAM) $(STATIC)

.PHONY: all inputs scores love reconstruction encoders bertram static $(EVERY)
all: love reconstruction encoders bertram static
love: $(LOVE)
reconstruction: $(RECONSTRUCTION)
encoders: $(ENCODERS)
bertram: $(BERTRAM)
static: $(STATIC)

# What each study reads, and how many seeds it has.
CORPORA := $(CORPUS:%=--corpus %)
RARE := --contexts $(INPUTS)/frequent --rare $(INPUTS)/rare
PROBE := --probe $(INPUTS)/cloze.tsv
$(foreach name,$(LOVE) $(RECONSTRUCTION),$(eval OPTIONS_$(name) := --teacher $(TEACHER)))
OPTIONS_love-encoder := --encoder $(ENCODER) $(CORPORA)
OPTIONS_love-encoder-tags := --encoder $(ENCODER)
OPTIONS_bertram-contexts := --encoder $(ENCODER) --contexts $(INPUTS)/frequent
OPTIONS_bertram-rarified := --encoder $(ENCODER) $(RARE) --counts $(INPUTS)/counts.tsv
OPTIONS_bertram-probe := --encoder $(INPUTS)/my-bert $(RARE) $(PROBE)
OPTIONS_bertram-byte-pairs := --encoder $(INPUTS)/my-roberta $(RARE) $(PROBE)
OPTIONS_dynamic-static := --encoder $(ENCODER) $(CORPORA) $(PARSER:%=--parser %)
OPTIONS_dynamic-static-tags := --encoder $(ENCODER) $(CORPORA)
OPTIONS_dynamic-static-encoders := --encoder $(ENCODER) --encoder $(INPUTS)/my-bert --encoder $(INPUTS)/my-causal $(CORPORA)
SEEDS_love-ablation := $(FIVE)

# Studies that share trained models or tables share a folder.
$(foreach name,bertram-contexts bertram-rarified,$(eval SHARED_$(name) := bertram))
$(foreach name,$(STATIC),$(eval SHARED_$(name) := dynamic-static))

# A seed is a job; when all are done, the study puts them together.
define one_seed
$(DONE)/$(1).$(2): $(READS_$(1)) | $(DONE)
	$(call REPRODUCE,$(1)) --only-seed $(2)
	touch $$@
endef
define whole
$(foreach seed,$(or $(SEEDS_$(1)),$(THREE)),$(eval $(call one_seed,$(1),$(seed))))
$(1): $(patsubst %,$(DONE)/$(1).%,$(or $(SEEDS_$(1)),$(THREE)))
	$(call REPRODUCE,$(1))
endef
READS_bertram-contexts := $(INPUTS)/frequent
READS_bertram-rarified := $(INPUTS)/frequent $(INPUTS)/rare $(INPUTS)/counts.tsv
READS_bertram-probe := $(INPUTS)/frequent $(INPUTS)/rare $(INPUTS)/cloze.tsv $(INPUTS)/my-bert
READS_bertram-byte-pairs := $(INPUTS)/frequent $(INPUTS)/rare $(INPUTS)/cloze.tsv $(INPUTS)/my-roberta
READS_dynamic-static-encoders := $(INPUTS)/my-bert $(INPUTS)/my-causal
$(foreach name,$(EVERY),$(eval $(call whole,$(name))))

# Later seeds find what the first one has made for all: a corpus that was read or prepared, one-token targets, tables.
$(foreach name,$(ENCODERS) $(BERTRAM) $(STATIC),$(foreach seed,1 2,$(eval $(DONE)/$(name).$(seed): $(DONE)/$(name).0)))
$(DONE)/bertram-rarified.0: | $(DONE)/bertram-contexts.0
$(DONE)/dynamic-static-tags.0 $(DONE)/dynamic-static-encoders.0: | $(DONE)/dynamic-static.0

inputs: $(addprefix $(INPUTS)/,counts.tsv cloze.tsv frequent rare)
$(INPUTS) $(DONE):
	mkdir -p $@
$(INPUTS)/counts.tsv: | $(INPUTS)
	$(EVERYWORD) cloze count $(CORPUS) --output $@
$(INPUTS)/cloze.tsv: $(INPUTS)/counts.tsv
	$(EVERYWORD) cloze build --wordnet $(WORDNET) --counts $< --output $@ --overwrite
$(INPUTS)/words: $(INPUTS)/counts.tsv $(INPUTS)/cloze.tsv
	$(PYTHON) $(BENCHMARKS)bertram_words.py --data $(DATA) --counts $< --probe $(INPUTS)/cloze.tsv --out $@
$(INPUTS)/frequent $(INPUTS)/rare: $(INPUTS)/words
	$(EVERYWORD) contexts $(CORPUS) --words $</$(notdir $@).txt --output $@ --sentences 32
$(INPUTS)/my-bert: LANGUAGE_MODEL := layers=12 width=384 heads=6 inner=1536 rate=4e-4 warm_up=0.1 epochs=3 saved=bfloat16
$(INPUTS)/my-causal: LANGUAGE_MODEL := layers=12 width=384 heads=6 inner=1536 rate=4e-4 warm_up=0.1 epochs=3 saved=bfloat16 causal=true
$(INPUTS)/my-roberta: LANGUAGE_MODEL := layers=12 width=384 heads=6 inner=1536 rate=4e-4 warm_up=0.1 epochs=3 saved=bfloat16 units=byte-pairs
$(INPUTS)/my-bert $(INPUTS)/my-causal $(INPUTS)/my-roberta: | $(INPUTS)
	$(EVERYWORD) train tiny-bert $(if $(wildcard $@-run/corpus.json),--resume,$(CORPORA)) --output $@ --device $(DEVICE) $(LANGUAGE_MODEL)

scores:
	find $(RUNS) -type f \( -path '*/done*' -o -name 'one-token-*' -o -name '*.json' -size -1000k -not -path '*/model/*' \) -print0 | tar --create --gzip --null --files-from=- --file $(RUNS)/scores.tar.gz
