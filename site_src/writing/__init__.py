"""What an author writes, made into a page: Markdown with roles and directives in MyST's forms.

Every role is a module of `site_src.writing.roles`, every directive one of `site_src.writing.directives`;
being in the folder is all that it takes. `site_src.writing.prose` makes the HTML.
"""
