local x = 12abc
