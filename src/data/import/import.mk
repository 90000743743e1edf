# Regenerates the tables of src/data from the packages that requirements.txt pins. Tables that differ are replaced.

.PHONY: import

import: ## regenerate the tables of src/data; CHECK=1: fail if one differs
	@[ -x build/import/bin/python ] || python3 -m venv build/import
	@build/import/bin/pip install -q -r src/data/import/requirements.txt
	@PYTHONDONTWRITEBYTECODE=1 build/import/bin/python src/data/import/import.py $(if $(CHECK),-c)
