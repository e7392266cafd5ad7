"""Editions: what was published, held beside what would be published now.

Bytes in, bytes out: nothing here touches a disk or a clock.
"""
