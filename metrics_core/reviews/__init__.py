"""What a reader is shown of one run, family by family."""
