# warnings: recorded, raised, ignored by class and text.
import warnings
print((2.567).__round__(1), (7).__round__(), round(2.5), (1234).__round__(-2))
with warnings.catch_warnings(record=True) as w:
    warnings.simplefilter("always")
    warnings.warn("careful"); warnings.warn("old", DeprecationWarning, stacklevel=2)
    print(len(w), str(w[0].message), w[-1].category.__name__, issubclass(w[1].category, DeprecationWarning))
with warnings.catch_warnings():
    warnings.simplefilter("error")
    try: warnings.warn("boom", RuntimeWarning)
    except RuntimeWarning as e: print("raised", e)
with warnings.catch_warnings():
    warnings.filterwarnings("ignore", message=".*skip.*"); warnings.filterwarnings("error", category=FutureWarning)
    warnings.warn("please skip me")
    try: warnings.warn("f", FutureWarning)
    except FutureWarning as e: print("raised", repr(e))
