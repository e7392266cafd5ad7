"""Record types, one a file: the text that each field carries is the site's Dictionary page."""
