"""The exceptions of this package, in addition to `OSError` and `MemoryError`."""

__all__ = ["CorruptTableError", "MissingTableError", "OwareError", "UsageError"]


class OwareError(Exception):
    """Whatever this package fails with, but for what the operating system refuses."""

    __module__ = "oware_db"


class UsageError(OwareError, ValueError, TypeError):
    """A mistake of the caller, and what to do: every wrong argument, of whatever kind."""

    __module__ = "oware_db"


class MissingTableError(OwareError):
    """A table that has not been built."""

    __module__ = "oware_db"


class CorruptTableError(OwareError):
    """A table that is damaged or foreign."""

    __module__ = "oware_db"
