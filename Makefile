# make run: the site on this machine.   make test: everything that is checked.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run prepare catalogues messages test check arena bench soak screenshots clean

run: prepare
	@exec $(BIN)/python manage.py serve

prepare: $(VENV)/run.stamp
	@$(MAKE) --no-print-directory catalogues
	@$(BIN)/python manage.py migrate --noinput -v 0
	@$(BIN)/python manage.py collectstatic --noinput -v 0

# What translators wrote, as the site reads it. A catalogue with an error in it stops here.
catalogues:
	@$(BIN)/pybabel -q compile -d locale -D django

# For translators: bring the catalogues in locale/ up to date with the source.
messages: $(VENV)/dev.stamp
	@$(BIN)/python manage.py messages

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
	@$(MAKE) --no-print-directory catalogues
	@$(MAKE) --no-print-directory check
	$(BIN)/pytest -n auto -m "not e2e and not services and not soak"
	$(BIN)/pytest -vv -m "(e2e or services) and not soak"
	$(BIN)/python -m tests.services_again

# Every two house players against each other, PAIRS times both ways: the table in the documents.
PAIRS ?= 200
arena: $(VENV)/dev.stamp
	$(BIN)/python manage.py arena_table docs/house-players.md --pairs $(PAIRS)

bench: $(VENV)/dev.stamp
	$(BIN)/python -m bench

soak: $(VENV)/dev.stamp
	$(BIN)/pytest -m soak
	$(BIN)/python -m tests.services_again -m soak

screenshots: $(VENV)/dev.stamp
	$(BIN)/python -m tests.screenshots

clean:
	rm -rf $(VENV) var .pytest_cache .mypy_cache .ruff_cache .hypothesis
