"""everyword in other packages: one module per package, which alone imports it."""
