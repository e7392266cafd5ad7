"""The cage around a user's contract: what the kernel refuses its process, and a second line behind that.

The child puts itself in before it is given the contract's source (`scorer_child`): first the kernel's part
(`landlock`: no file but the interpreter's libraries; `seccomp`: no system call but the few that arithmetic
needs; `mounts`: where it is allowed, no other path even exists), then the second line in the interpreter
(`watch`, which gives refusals their words, and in the second process `clock`). Everything here runs in the
child and imports nothing of ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metrics_core.front_door import on_demand

if TYPE_CHECKING:
    from metrics_core.contracts.cage import clock, kernel, memory_import, watch
else:
    __getattr__ = on_demand(__name__)

__all__ = ["clock", "kernel", "memory_import", "watch"]
