"""Golden fixtures too long to stand in their family's module: tiny records with known results."""
