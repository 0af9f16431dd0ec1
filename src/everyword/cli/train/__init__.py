"""everyword train: recipes and programs that train something."""
