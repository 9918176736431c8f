/* Messages of the puzzles' files: for those who write them. */
/* {1} the folder or file, {2} the file that is missing */
ERR(puzzle_file, "E780", Lerror, "{1} has no {2}", "{1} 中没有 {2}", "", "",
    "the top of puzzles/judge/puzzle.lua and puzzles/README.md say what a puzzle consists of",
    "谜题由哪些文件组成，见 puzzles/README.zh.md")
/* {1} the file, {2} the field, {3} what it is, {4} what it should be */
ERR(puzzle_field, "E781", Lerror, "{1}: {2} is {3}", "{1}：{2} 是 {3}", "it should be {4}", "应为 {4}",
    "puzzles/README.md lists the fields of a puzzle", "谜题的各个字段见 puzzles/README.zh.md")
ERR(puzzle_missing, "E790", Lerror, "{1}: {2} lacks {3}", "{1}：{2} 缺少 {3}", "", "",
    "puzzles/README.md lists the fields of a puzzle", "谜题的各个字段见 puzzles/README.zh.md")
/* {1} what was asked for, {2} the nearest name */
ERR(puzzle_near, "E782", Lerror, "there is no puzzle `{1}`", "没有名为 `{1}` 的谜题", "", "",
    "did you mean {2}?", "您是否想输入 {2}？")
ERR(puzzle_none, "E783", Lerror, "there is no puzzle `{1}`", "没有名为 `{1}` 的谜题", "", "",
    "`moontile puzzles list` lists them", "`moontile puzzles list` 列出全部谜题")
/* {1} the file, {2} Lua's words */
ERR(puzzle_lua, "E784", Lerror, "{1} does not run", "{1} 无法运行", "{2}", "{2}",
    "a puzzle's files have math, string, table, ref and tl's tensors, and nothing else",
    "谜题的文件只能使用 math、string、table、ref 与 tl 的张量")
/* {1} the puzzle's file, {2} the expression, {3} the sizes */
ERR(puzzle_shape, "E785", Lerror, "{1}: the shape `{2}` has no value", "{1}：形状 `{2}` 没有值",
    "the sizes are {3}", "已有的尺寸为 {3}",
    "a shape is a number, a size's name, or sums, products and // of them",
    "形状可以是数、尺寸名，或由它们组成的和、积与 // 运算")
