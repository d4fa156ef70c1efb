"""Model files that no honest program writes, under checksums that are right."""

from rosenblatt.persistence.container import seal, unseal


def forged(path, change, source=None):
    """The file at ``source`` with its facts changed in place by ``change``, written to ``path``."""
    facts, arrays = unseal(str(source or path))
    del facts["checksum"]
    change(facts, arrays)
    path.write_bytes(b"".join(seal(facts, arrays)))
    return path
