"""The preview: the site as it would be built, served on loopback and kept up with what is saved.

Nothing is written. The state of the project is held in memory; a page is made when it is asked for, and a
save makes again only the pages that are open.

Does: watch (`watching`), read and measure again what changed (`workshop`, `bench`), hold what is shown
(`states`), build one state after another (`building`), serve and announce it (`server`), and say what is
wrong where it is wrong (`faults`). Does not: decide anything about a page.
"""

from __future__ import annotations
