#!/usr/bin/env python
# Lines stay side by side: an `end` takes a blank line behind its block, or stands on the last one.
import math  # dropped


def f(x):  # behind the header
    # first in the body
    for i in range(x):
        if i > 1:
            print(i)
    return math.sqrt(
        x  # inside
    )


def g(
    a,
    # between
    b=1,
):
    """One line."""
    while a:
        a = a - 1

        # behind a blank line
        if b:
            b = 0

    # back in g
    return {
        "a": a,
        "b": [
            1,
            2,
        ],
    }
if f(4) > 1: print("one line"); print("two")
else:
    pass
#no blank behind the sign
#[not a long comment]
print(f(2),
      g(2)["a"])
