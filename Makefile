# The commands that a contributor needs. `make` lists them.
.DEFAULT_GOAL := help
.PHONY: help install check test report docs ci

help: ## list these commands
	@awk -F ':.*## ' '/^[a-z]+:.*## /{printf "make %-8s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: ## install everything that development needs
	pip install -e ".[dev]" -c constraints.txt

check: ## look for faults without running anything: ruff and mypy
	ruff check . && ruff format --check . && mypy

test: ## run the tests, about six minutes on two cores
	pytest -n auto

report: ## write the numbers and pictures of README and docs again from benchmarks/results
	python benchmarks/report.py

docs: ## show the site on localhost, and again after every change
	mkdocs serve

ci: ## do all that has to pass before a release, in fresh environments
	.ci/run
