# make run: the site on this machine.   make test: everything that is checked.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run prepare test check bench soak clean

run: prepare
	@exec $(BIN)/python manage.py serve

prepare: $(VENV)/run.stamp
	@$(BIN)/pybabel -q compile -d locale -D django --use-fuzzy 2>/dev/null || true
	@$(BIN)/python manage.py migrate --noinput -v 0
	@$(BIN)/python manage.py collectstatic --noinput -v 0

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/run.stamp: requirements.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/dev.stamp: requirements.txt requirements-dev.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ $(VENV)/run.stamp

check: $(VENV)/dev.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python manage.py makemigrations --check --dry-run
	SITE_URL=https://basra.example SECRET_KEY=$$($(BIN)/python -c "import secrets; print(secrets.token_urlsafe(60))") \
	  $(BIN)/python manage.py check --deploy --fail-level WARNING
	@$(BIN)/python tests/sizes.py

test: $(VENV)/dev.stamp
	@$(BIN)/python tests/debian.py
	@$(MAKE) --no-print-directory check
	$(BIN)/pytest
	$(BIN)/python -m tests.services_again

bench: $(VENV)/dev.stamp
	$(BIN)/python -m bench

soak: $(VENV)/dev.stamp
	$(BIN)/pytest -m soak
	$(BIN)/python -m tests.services_again -m soak

clean:
	rm -rf $(VENV) var .pytest_cache .mypy_cache .ruff_cache .hypothesis
