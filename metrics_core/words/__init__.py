"""Words of each family for its readers, by the family's name: `vocabulary.Vocabulary`, apart from contracts.

A module here is named as its family and holds ``WORDS``; a family without one has the plain default.
"""
