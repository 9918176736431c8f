local x
x = = 2
