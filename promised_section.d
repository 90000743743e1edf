promised_section.o: src/reporter/promised_section.c \
  src/reporter/sections.h src/adapter/adapter.h src/base/json_doc.h \
  src/base/memory.h src/base/error.h include/numel.h src/model/cause.h \
  src/model/meanings.h src/model/meaning.h src/base/text.h \
  src/base/buffer.h src/base/fixed.h src/base/num.h src/formula/layout.h \
  src/formula/eval.h src/formula/config.h src/formula/spec.h \
  src/formula/value.h src/registry/metadata.h src/formula/witness.h \
  src/formula/library.h src/registry/registry.h src/base/names.h \
  src/registry/patterns.h src/reader/checkpoint.h src/reader/find.h \
  src/reader/shard_index.h src/base/json_scan.h src/reader/reader.h \
  src/registry/dtype.h src/registry/finding.h src/reader/recognise.h \
  src/source/source.h src/model/model.h src/formula/expand.h \
  src/formula/poly.h src/formula/walk.h src/model/counts.h \
  src/model/differences.h src/model/file_kind.h src/model/unknown.h \
  src/formula/terms.h src/counters/others.h src/statement/handle.h \
  src/model/roles.h src/model/tensor.h src/statement/statement.h \
  src/statement/line.h src/statement/tied.h src/statement/unchecked.h \
  src/counters/hub_size.h src/counters/others_codes.h src/page/report.h \
  src/page/checks.h src/verify/hash.h src/content/plan.h \
  src/content/hashes.h src/content/digest.h src/source/stream.h \
  src/verify/hash_sources.h src/reader/published.h \
  src/verify/hash_lists.h src/content/manifest.h src/verify/verify.h \
  src/verify/values.h src/content/values.h src/content/scan.h \
  src/statement/promised.h src/reader/declared.h

src/reporter/sections.h:

src/adapter/adapter.h:

src/base/json_doc.h:

src/base/memory.h:

src/base/error.h:

include/numel.h:

src/model/cause.h:

src/model/meanings.h:

src/model/meaning.h:

src/base/text.h:

src/base/buffer.h:

src/base/fixed.h:

src/base/num.h:

src/formula/layout.h:

src/formula/eval.h:

src/formula/config.h:

src/formula/spec.h:

src/formula/value.h:

src/registry/metadata.h:

src/formula/witness.h:

src/formula/library.h:

src/registry/registry.h:

src/base/names.h:

src/registry/patterns.h:

src/reader/checkpoint.h:

src/reader/find.h:

src/reader/shard_index.h:

src/base/json_scan.h:

src/reader/reader.h:

src/registry/dtype.h:

src/registry/finding.h:

src/reader/recognise.h:

src/source/source.h:

src/model/model.h:

src/formula/expand.h:

src/formula/poly.h:

src/formula/walk.h:

src/model/counts.h:

src/model/differences.h:

src/model/file_kind.h:

src/model/unknown.h:

src/formula/terms.h:

src/counters/others.h:

src/statement/handle.h:

src/model/roles.h:

src/model/tensor.h:

src/statement/statement.h:

src/statement/line.h:

src/statement/tied.h:

src/statement/unchecked.h:

src/counters/hub_size.h:

src/counters/others_codes.h:

src/page/report.h:

src/page/checks.h:

src/verify/hash.h:

src/content/plan.h:

src/content/hashes.h:

src/content/digest.h:

src/source/stream.h:

src/verify/hash_sources.h:

src/reader/published.h:

src/verify/hash_lists.h:

src/content/manifest.h:

src/verify/verify.h:

src/verify/values.h:

src/content/values.h:

src/content/scan.h:

src/statement/promised.h:

src/reader/declared.h:
