"""Gives each plant an id that no earlier plant had, because a duplicate id may be rejected."""
import itertools

import schemathesis

used = set()
# Not at random: the library that draws the values seeds the random numbers of Python again and again.
fresh = itertools.count(1_000_000_000)


@schemathesis.hook
def before_call(context, case, **kwargs):
    body = case.body
    if not isinstance(body, dict) or type(body.get("id")) is not int or not -(2**63) <= body["id"] < 2**63:
        return
    if body["id"] in used:
        body["id"] = next(fresh)
    used.add(body["id"])
