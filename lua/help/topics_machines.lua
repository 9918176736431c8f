-- help/topics_machines.lua: pages about simulated, rented and remote machines.

return {
  {"simulator", en = "The simulator", zh = "模拟器",
    text = {
      en = [[
`-t sim` runs the thread program that a GPU would run, on any machine, and reports what is wrong
with it: races, reads of unwritten memory, missing waits and fences of asynchronous copies and
matrix instructions, divergent barriers, votes and shuffles, deadlocks (who waits for what),
accesses outside a buffer, outputs that are not completely written.  Each message names the
thread, block and element, and both lines.

"sim -arch=sm_90a" chooses the machine (:help targets lists them), "-seed=7" shuffles the order
of the threads, "-seconds=60" gives up on a launch after that time.  Matrix products match
Ampere's and Hopper's bit for bit; "-exact=off" adds in the order of k, which is faster.

`k:check()` and `moontile check FILE` run kernels there on awkward sizes between guard bands.]],
      zh = [[
`-t sim` 在任何机器上运行 GPU 将会运行的线程程序，并指出其中的错误：竞争、读取从未写入的内存、异步复制
与矩阵指令缺少等待或栅栏、分歧的屏障、投票与交换、死锁（谁在等什么）、越出缓冲区的访问、没有写全的输出。
每条信息都给出线程、线程块、元素以及相关的两行。

"sim -arch=sm_90a" 选择机器（:help targets 列出全部），"-seed=7" 打乱线程的次序，"-seconds=60" 限制一次
启动的时间。矩阵单元的求和与 Ampere、Hopper 逐位相同；"-exact=off" 按 k 的次序求和，速度更快。

`k:check()` 与 `moontile check FILE` 在模拟器中用不规则的大小、在保护带之间运行内核。]],
    },
    example = "k:retarget(\"sim -arch=sm_90a -seed=7\")", see = {"checking", "targets", "kernel:check", ":trace"}},

  {"cards", en = "On a rented card", zh = "在租用的显卡上",
    text = {
      en = [[
`moontile doctor` checks every target: libraries, devices, permissions, compilers, limits.  For
whatever is missing it gives the one command that fixes it.  `doctor --report` writes one file
to attach to an issue.

NVIDIA: the driver and NVRTC are found when the program runs; nothing is installed.

MetaX and AMD: no such card has run this code yet.  targets/README.md says what has been verified
without one, and how.  Therefore `doctor maca` and `doctor hip` probe the card itself: each matrix
instruction, votes, shuffles, limits of a block, waits of asynchronous copies.  The results are
kept and used: an instruction that behaves differently is replaced by multiply-adds, with a
note.  A card that is seen for the first time is probed automatically, once, for about a second;
MOONTILE_PROBE=off skips that.

From scratch to a verified product on a MetaX C500:

  make run
  build/moontile doctor maca
  build/moontile -t maca lua/examples/quickstart.lua
  build/moontile check -t maca lua/examples/quickstart.lua]],
      zh = [[
`moontile doctor` 检查每个目标：库、设备、权限、编译器、限额；对缺少的东西给出一条可以补上它的命令。
`doctor --report` 写出一个可附在问题报告中的文件。

NVIDIA：驱动与 NVRTC 在程序运行时查找，无需安装任何东西。

MetaX 与 AMD：本程序尚未在这些显卡上运行过。没有显卡时已验证了什么、如何验证，见 targets/README.md。因
此 `doctor maca` 与 `doctor hip` 直接询问显卡：每条矩阵指令、投票、洗牌、线程块的限额、异步复制的等待。
结果会保存并使用：行为不符的指令改用乘加，并给出提示。首次遇到的显卡会自动询问一次，约一秒；
MOONTILE_PROBE=off 跳过。

在 MetaX C500 上从零到一个检查过的矩阵乘法：

  make run
  build/moontile doctor maca
  build/moontile -t maca lua/examples/quickstart.lua
  build/moontile check -t maca lua/examples/quickstart.lua]],
    },
    see = {"targets", "server", ":doctor", "environment"}},

  {"server", en = "A card on another machine", zh = "使用另一台机器上的显卡",
    text = {
      en = [[
On the machine with the card: `moontile serve`.  Here: `moontile --connect http://HOST:8411`,
`:connect URL` at the prompt, or `tl.connect(url)`.  Everything else works as before: bench, check,
:peek, tuning, puzzles.  The front end runs here; programs and tensors are sent to the server,
which verifies and compiles the programs itself, in a process for each client; faults come back
with your lines.

Loopback needs nothing else.  For other addresses `moontile serve token NAME` makes a token, and
`serve --bind ADDRESS --cert FILE --key FILE` lets others in; clients use `--token-file FILE`,
and `--cacert FILE` for a certificate of your own.  Without a token the server listens on
loopback only.  Where only ssh is open:

  ssh -N -L 8411:localhost:8411 HOST &
  moontile --connect http://localhost:8411

`moontile serve --help` lists the quotas.  Runs wait in a queue and show their position; a bench has
the device to itself.  repl/serve/README.md says what keeps clients apart.]],
      zh = [[
在装有显卡的机器上运行 `moontile serve`；在本机运行 `moontile --connect http://HOST:8411`，或在提示符下
用 `:connect URL`，或调用 `tl.connect(url)`。其余一切照旧：bench、check、:peek、调优、谜题。前端在本机
运行，程序与张量传到服务器；服务器自行验证并编译，每个客户端一个进程；出错时返回您的源代码行。

本机回环地址无需其他设置。对其他地址，先用 `moontile serve token NAME` 生成令牌，再用
`serve --bind ADDRESS --cert FILE --key FILE` 开放；客户端用 `--token-file FILE`，自签证书用
`--cacert FILE`。没有令牌时服务器只监听回环地址。只开放 ssh 的机器：

  ssh -N -L 8411:localhost:8411 HOST &
  moontile --connect http://localhost:8411

`moontile serve --help` 列出各项限额。运行按次序排队并显示位置；计时时独占设备。客户端之间如何隔离，见
repl/serve/README.md。]],
    },
    see = {":connect", "tl.connect", "cards", "environment"}},
}
