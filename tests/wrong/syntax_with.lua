with T.Kernel(8) as bx:
  T.clear(A)
