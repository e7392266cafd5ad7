"""Reports in, a site out: captions, figures, pages, and the command line."""
