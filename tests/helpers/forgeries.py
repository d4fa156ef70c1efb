"""Model files that no honest program writes, under checksums that are right."""

from rosenblatt.persistence.container import seal, unseal


def forged(path, change, source=None):
    """The file at ``source`` with its facts changed in place by ``change``, written to ``path``."""
    facts, arrays = unseal(str(source or path))
    del facts["checksum"]
    change(facts, arrays)
    path.write_bytes(b"".join(seal(facts, arrays)))
    return path


def forge(path, facts, arrays):
    path.write_bytes(b"".join(seal(facts, arrays)))


def places_in(facts, here=()):
    """The way to every fact, lists and dicts included."""
    yield here
    inner = facts.items() if isinstance(facts, dict) else enumerate(facts)
    for key, value in inner if not isinstance(facts, str) else ():
        if isinstance(value, dict | list):
            yield from places_in(value, (*here, key))
        else:
            yield (*here, key)


def changed(facts, place, value):
    if not place:
        return value
    copy = facts.copy()
    copy[place[0]] = changed(facts[place[0]], place[1:], value)
    return copy


RUBBISH = [None, True, -1, 3, 2**70, 0.5, "", "os.system", [], [1], {}, {"number": "nan"}]


def at(facts, place):
    for step in place:
        facts = facts[step]
    return facts


def forged_header(facts, dice):
    """Some facts taken for others, made larger or smaller, left out or replaced by rubbish."""
    for _ in range(dice.randint(1, 5)):
        places = [place for place in places_in(facts) if place]
        place = dice.choice(places)
        old = at(facts, place)
        values = [*RUBBISH, old, dice.choice(places)[-1], at(facts, dice.choice(places))]
        if isinstance(old, bool | int | float):
            values += [old + 1, old - 1, -old, old * 2**31, float(old)]
        elif isinstance(old, list | str):
            values += [old + old, old[1:], old[::-1]]
        elif isinstance(old, dict) and old:
            gone = dice.choice(list(old))
            values += [{key: value for key, value in old.items() if key != gone}]
        facts = changed(facts, place, dice.choice(values))
    return facts
