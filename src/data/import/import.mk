# The tables of src/data that are made of the packages that requirements.txt pins. What differs takes their place.

.PHONY: import

import: ## make the tables of src/data anew; CHECK=1: what differs fails
	@[ -x build/import/bin/python ] || python3 -m venv build/import
	@build/import/bin/pip install -q -r src/data/import/requirements.txt
	@PYTHONDONTWRITEBYTECODE=1 build/import/bin/python src/data/import/import.py $(if $(CHECK),-c)
