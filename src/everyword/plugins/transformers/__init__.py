"""everyword inside language models of the package transformers."""
