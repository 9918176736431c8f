print("abc
