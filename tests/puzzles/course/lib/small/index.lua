return {
  puzzles = {"01-copy", "02-scale", "03-sum"},
  welcome = {en = "# Hello\n\nThree small puzzles.", zh = "# 您好\n\n三道小谜题。"},
  final = {en = "# The end\n\nAll three are solved.", zh = "# 结束\n\n三道都已完成。"},
}
