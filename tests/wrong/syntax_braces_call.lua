while ready() {
  print(1)
}
x = 1
