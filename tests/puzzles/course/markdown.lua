-- Markdown as lines of a terminal: widths, languages, colours.
local markdown = require "moontile.puzzles.course.markdown"
local text = [[
# A heading that is longer than the line of a narrow terminal can hold

A paragraph of several
lines with `code that stays together`, **strong words that are many**, and [a link](https://x.org).

中文段落的换行之间
不应有空格，而 English words 之间
应当有。标点不会出现在行首，`T.Parallel(N)` 保持完整。

- an item whose text is so long that it has to be broken
  and goes on here
- [`https://x.org`](https://x.org)
  1. inner

> a quote with a *word that is stressed*, and a product a * b * c or `a *b* c`

```lua
for i in T.Parallel(N) do -- a comment
  B[i] = "-- no comment" .. some_function(with_an_argument, and_another_one, and_more)
end
```

```picture p
  ──────── a picture stays as it is, however wide it may be ────────
```

| a | table |
]]
for _, style in ipairs {{width = 44, colour = 0, tty = true}, {width = 30, colour = 8, tty = true},
  {width = 80, colour = 0, tty = false}} do
  print(("--- width %d, colour %d"):format(style.width, style.colour))
  for _, line in ipairs(markdown.lines(text, style)) do
    print((line:gsub("\27%[([%d;]*)m", "<%1>")))
  end
end
