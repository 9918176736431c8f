for i in ipairs({1, 2}) {
  B[i] = A[i]
}
