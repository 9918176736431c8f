# A module in a file beside this one, and one in a folder.
import lib.twice as twice
from lib.twice import TWO

print(twice.twice(4), TWO, twice.__name__)
