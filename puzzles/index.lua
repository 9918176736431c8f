-- index.lua: the course: which puzzles, in which order, and what is said before the first
-- and after the last.
--
-- puzzles: folders beside this file.  arcs: `first` is the name of an arc's first puzzle.

return {
  name = "moontile",
  puzzles = {
    "01-copy", "02-vector-add", "03-outer-add", "04-backward", "05-row-sum",
    "06-softmax", "07-scalar-attention", "08-matmul", "09-conv1d", "10-dequant",
    "11-transpose", "12-bank-conflicts", "13-race", "14-split-k", "15-persistent",
    "16-pipeline", "17-flash-attention", "18-grouped-gemm", "19-fp8-quant", "20-two-gemms",
    "21-warp-roles", "22-wave64",
  },
  arcs = {
    { first = "copy", title = { en = "First night: from a copy to a dequantised product",
      zh = "第一夜：从复制到反量化矩阵乘" } },
    { first = "transpose", title = { en = "Second night: what makes a kernel fast",
      zh = "第二夜：内核为什么快" } },
  },
  welcome = {
    en = [[
# Welcome to the observatory

It is on the far side of the moon: a telescope, a sensor, and one slow link to Earth.
Between the sensor and the link is a small machine with many threads, and you have just been
hired to write the kernels that run on it.

Each puzzle is one file. Read its text, write the kernel in your editor (in a second window,
or `e` opens it here), and save it: the verdict appears here. Nothing you do can break anything,
and no GPU is needed.

Space pages through a long text like this one, `t` shows it again. `h` gives a hint, one more
each time. `?` explains all keys.]],
    zh = [[
# 欢迎来到天文台

它坐落在月球背面：一架望远镜、一块传感器、一条通往地球的慢速链路。
传感器和链路之间有一台线程很多的小机器。您刚刚受聘，为它编写内核。

每道谜题是一个文件。读题目，在编辑器里写内核（另开一个窗口，或在这里按 `e`），保存，判定
结果就会出现在这里。怎么试都不会弄坏什么，也不需要 GPU。

像这样的长文本，按空格继续往下看，按 `t` 重新显示题目。`h` 给出提示，每按一次
多一条；`?` 说明所有按键。]],
  },
  final = {
    en = [[
# The shutters close

That was the last puzzle. The telescope sleeps, the link hums, and every kernel between them
is yours.

Where to go from here:

- `l` shows your stars: a kernel that is right can often still move fewer bytes.
- `moontile explain FILE` says what a kernel of your own costs, `moontile bench FILE` how long
  it takes, `moontile plot FILE` who owns which element.
- The files of `lua/examples` are complete kernels to read, run and change.
- `k:export "DIR"` writes a kernel in forms that run without moontile, among them TileLang for
  Python; what you have learned here works there too.]],
    zh = [[
# 圆顶合上了

这是最后一道谜题。望远镜已经休眠，链路安静地传着数据，两者之间的每一个内核都出自您手。

接下来可以：

- 按 `l` 查看星数：正确的内核往往还能少搬一些字节。
- `moontile explain FILE` 给出您自己内核的开销，`moontile bench FILE` 给出用时，
  `moontile plot FILE` 画出哪个线程拥有哪个元素。
- `lua/examples` 中是完整的内核，可读、可运行、可修改。
- `k:export "DIR"` 把内核写成不依赖 moontile 的形式，其中有 Python 的 TileLang；
  这里学到的在那里同样适用。]],
  },
}
