local squares = 3
[i * i for i in range(3)]
