return {
  welcome = {en = "A track of one puzzle.", zh = "只有一道题。"},
  final = {en = "Done.", zh = "完成。"},
  puzzles = {"01-double"},
}
