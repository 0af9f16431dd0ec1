"""Pictures: one function `draw_…` per kind; `picture` is the one module that knows matplotlib's style and files."""
