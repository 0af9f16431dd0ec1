"""Smaller tables: `pruning` sets small numbers to zero, `storage` packs numbers, `method` joins both with steps."""
