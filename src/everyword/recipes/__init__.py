"""Recipes as TOML files; `everyword.systems.spelling.recipe` finds and reads them."""
