-- help/topics_tools.lua: pages about the program and its prompt.

local term = require "moontile.term"

-- The keys of the line editor where the prompt knows them, else those of readline that
-- every prompt of ours has: {keys, English, Chinese}.
local keys = {
  {"Enter", "run the input when it is complete, otherwise start a new line",
    "输入完整时运行，否则换行"},
  {"M-Enter ^J", "a new line, always", "总是换行"},
  {"Tab", "complete names, arguments, files, commands", "补全名称、参数、文件与命令"},
  {"Up Down", "move through the input; then history that begins with what is typed",
    "在输入的各行间移动；然后查找同样开头的历史"},
  {"^R", "search the history", "搜索历史"},
  {"^A ^E", "start and end of the line", "行首与行尾"},
  {"M-b M-f", "a word back, a word forward", "前移或后移一个词"},
  {"^W ^U ^K ^Y", "delete a word, to the start, to the end; put it back",
    "删除一个词、删至行首、删至行尾；放回"},
  {"^G F1", "help for the name at the cursor", "光标处名称的说明"},
  {"M-e F2", "edit the input in $EDITOR", "用 $EDITOR 编辑输入"},
  {"^L", "clear the screen, keep the input", "清屏，保留输入"},
  {"^C", "drop the input; stop what is running", "放弃输入；停止运行"},
  {"^D", "exit, on an empty line", "在空行上退出"},
}

local function key_list(lang)
  local session = require("moontile.help.given").prompt
  local own = session.table_of_keys and session.table_of_keys()
  local list = {}
  for _, k in ipairs(own or keys) do
    list[#list + 1] = "  " .. term.pad(k[1] or k.name, 16) ..
      (lang == "zh" and (k[3] or k.zh) or k[2] or k.en)
  end
  return table.concat(list, "\n")
end

return {
  {"locals", en = "What the prompt keeps between inputs", zh = "提示符在两次输入之间保留什么",
    text = {
      en = [[
Locals of one input are available in the next, constants as variables.  Limits: a <close> variable
is kept closed; a function keeps its own variable, which a later assignment here does not
reach, except for kernels (:help versions); an input with `return f(x)` leaves no locals; a
nil local does not hide a global.  `_` is the last result, `_7` that of input 7; a `;` at the
end suppresses the result.]],
      zh = [[
一次输入中的局部变量在下一次输入中仍可使用，常量成为变量。限制：<close> 变量保留时已关闭；函数保留
自己的变量，之后在此处的赋值不会影响它，内核除外（:help versions）；以 `return f(x)` 结尾的输入不留
下局部变量；值为 nil 的局部变量不会遮住同名全局变量。`_` 是上一个结果，`_7` 是第 7 次输入的结果；末尾
的 `;` 使结果不显示。]],
    },
    example = "local n = 20 + 1\nprint(n * 2)", see = {":vars", "keys"}},

  {"keys", en = "Keys of the prompt", zh = "提示符的按键",
    text = function(lang)
      local head = lang == "zh" and "^X 表示 Ctrl-X，M-x 表示 Alt-x 或 Esc 后按 x。" or
        "^X is Ctrl-X, M-x is Alt-x, or Esc and then x."
      return head .. "\n\n" .. key_list(lang)
    end,
    see = {"locals", "files"}},

  {"files", en = "Files that moontile reads and writes", zh = "moontile 读写的文件",
    text = {
      en = [[
  $XDG_CONFIG_HOME/moontile/init.lua     run when the prompt opens (~/.config)
  $XDG_STATE_HOME/moontile/history       what was typed (~/.local/state); mode 0600
  $XDG_CACHE_HOME/moontile/              compiled kernels, results of tuning (~/.cache);
                                         may be deleted at any time

`-E` skips the first.  An input that begins with a space is not written to the history.
Nothing else is written unless you ask for it.]],
      zh = [[
  $XDG_CONFIG_HOME/moontile/init.lua     打开提示符时运行（~/.config）
  $XDG_STATE_HOME/moontile/history       输入的历史（~/.local/state），权限 0600
  $XDG_CACHE_HOME/moontile/              编译好的内核与调优结果（~/.cache），可随时删除

`-E` 不运行第一个。以空格开头的输入不写入历史。除非您要求，不会写其他文件。]],
    },
    see = {"environment", ":save", "tl.save"}},

  {"environment", en = "Environment variables", zh = "环境变量",
    text = {
      en = [[
  NO_COLOR              no colours, if set and not empty
  TERM, COLORTERM       what the terminal can show; dumb: plain text, no line editing
  MOONTILE_LANG         en or zh; otherwise LC_ALL, LC_MESSAGES, LANG
  MOONTILE_CACHE_DIR    where compiled kernels are kept
  MOONTILE_THREADS      threads of the cpu target
  MOONTILE_TIME_LIMIT   seconds that a kernel may run; 0: no limit.  Unset: 10, and as much more as
                        the work that the kernel's text declares may need
  MOONTILE_NVRTC_LIB    the NVRTC library to use
  MOONTILE_URL          the server of the target `remote`; --connect sets it
  MOONTILE_TOKEN_FILE   the file whose first line is the token for it (--token-file)
  MOONTILE_TOKEN        the token itself, where there is no such file
  MOONTILE_CACERT       the certificate of that server or its authority (--cacert)
  MOONTILE_CURL_LIB     the libcurl to use
  MOONTILE_PROBE        off: devices of maca and hip are not probed at first contact
  CC                    the C compiler of the cpu target
  VISUAL, EDITOR        for :edit
  XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME   see `:help files`]],
      zh = [[
  NO_COLOR              设置且非空时不使用颜色
  TERM, COLORTERM       终端的能力；dumb 时为纯文本，不做行编辑
  MOONTILE_LANG         en 或 zh；否则看 LC_ALL、LC_MESSAGES、LANG
  MOONTILE_CACHE_DIR    编译好的内核存放处
  MOONTILE_THREADS      cpu 目标的线程数
  MOONTILE_TIME_LIMIT   内核最长运行秒数；0 表示不限。未设置时为 10 秒，内核文本声明的工作量大时相应延长
  MOONTILE_NVRTC_LIB    使用的 NVRTC 库
  MOONTILE_URL          目标 `remote` 的服务器；由 --connect 设置
  MOONTILE_TOKEN_FILE   首行为其令牌的文件（--token-file）
  MOONTILE_TOKEN        令牌本身，用于没有该文件时
  MOONTILE_CACERT       该服务器或其签发机构的证书（--cacert）
  MOONTILE_CURL_LIB     使用的 libcurl
  MOONTILE_PROBE        off：首次接触 maca、hip 设备时不做检查
  CC                    cpu 目标所用的 C 编译器
  VISUAL, EDITOR        用于 :edit
  XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME   见 `:help files`]],
    },
    see = {"flags", "files", "colours"}},

  {"flags", en = "The command line", zh = "命令行",
    text = {
      en = [[
  moontile                        the prompt; or runs a script from a pipe
  moontile FILE [ARGS]            run a file; #! works
  moontile help [NAME]            what ? shows; --all: everything, as Markdown
  moontile check FILE             each kernel through the simulator, odd sizes too
  moontile compile FILE --emit ir|thread|cuda|c [-o DIR]
                                  write each kernel's source, run nothing
  moontile convert FILE.py [-o FILE.lua]
                                  print TileLang's Python as Lua, line beside line; what has no
                                  counterpart stays as a comment, and the exit status is 1

  -e CODE   -l MOD   -i   -v   -E   as in lua
  -t TARGET           where kernels run
  --lang en|zh        the language of messages
  --color WHEN        auto, always or never
  --json              one JSON object per line, for programs

Exit status: 0 success, 1 the program or a check failed, 2 a wrong command line, 70 a bug in
moontile, 130 interrupted.  `moontile --help` lists all flags.]],
      zh = [[
  moontile                        提示符；也可从管道读取脚本
  moontile FILE [ARGS]            运行文件；支持 #!
  moontile help [NAME]            同 ? 的显示；--all 以 Markdown 输出全部
  moontile check FILE             用模拟器检查每个内核，含不规则的尺寸
  moontile compile FILE --emit ir|thread|cuda|c [-o DIR]
                                  写出每个内核的源代码，不运行
  moontile convert FILE.py [-o FILE.lua]
                                  把 TileLang 的 Python 逐行写成 Lua；没有对应写法的语句留作
                                  注释，此时退出状态为 1

  -e CODE   -l MOD   -i   -v   -E   同 lua
  -t TARGET           内核在哪里运行
  --lang en|zh        消息的语言
  --color WHEN        auto、always 或 never
  --json              每行输出一个 JSON 对象，供程序使用

退出状态：0 正常，1 程序或检查失败，2 命令行有误，70 moontile 的缺陷，130 被中断。
`moontile --help` 列出全部选项。]],
    },
    see = {"environment", "targets", "json"}},

  {"json", en = "Output for programs", zh = "供程序使用的输出",
    text = {
      en = [[
With --json, compile and check print one object per line.  k:explain {json = true} and
plot(x, {json = true}) print one.  Numbers have no units, keys do not change their meaning, and new
ones may be added; colours and terminals make no difference.]],
      zh = [[
加上 --json 后，compile 与 check 每行输出一个对象。k:explain {json = true} 与 plot(x, {json = true})
输出一个对象。数值不带单位，键的含义不会改变，但可能增加新键；与颜色和终端无关。]],
    },
    example = "k:explain {json = true}", see = {"flags", "kernel:explain"}},

  {"colours", en = "Colours", zh = "颜色",
    text = {
      en = [[
Colours are used where the output is a terminal, TERM is not dumb and NO_COLOR is not set;
--color always or never overrides that.  Nothing is shown by colour alone: figures have
labels or signs too.  COLORTERM and TERM decide between 24-bit, 256 and 16 colours.]],
      zh = [[
输出到终端、TERM 不是 dumb 且未设置 NO_COLOR 时使用颜色；--color always 或 never 可强制。含义从不
只靠颜色：图中另有标签或符号。24 位、256 色与 16 色由 COLORTERM 与 TERM 判断。]],
    },
    see = {"environment", "plots"}},

  {"errors", en = "Errors", zh = "错误信息",
    text = {
      en = [[
A message names the place, the line, what is wrong with the values in it, and one thing to do:

  in:3:5: error[E140]: shapes do not agree in T.gemm

in:3 is input 3.  error[E140] is its code; E999 is a bug in moontile.  Warnings and notes
do not stop anything: notes say why a better instruction or layout was not used.  A kernel
that faults or hangs costs a worker process, not your session.]],
      zh = [[
每条消息指出位置、代码行、其中的值有何问题，以及一项建议：

  in:3:5: 错误[E140]: T.gemm 的形状不一致

in:3 即第 3 次输入。E140 为代码；E999 是 moontile 的缺陷。警告与附注不会中止运行：附注说明为何没有
使用更好的指令或布局。内核出错或卡死只损失一个工作进程，不影响会话。]],
    },
    see = {"checking", ":explain", ":limit"}},

  {"help", en = "How to ask", zh = "如何查询",
    text = {
      en = [[
  ?NAME   NAME?        a name of T or tl, a variable, a kernel, an expression
  ??NAME               more: source and program; for T names, what the example becomes
  :help                the list of commands and topics
  :help NAME           a topic, a command, a name; :help T, :help tl, :help kernel list names
  :apropos WORD        names whose texts contain the word
  moontile help NAME   the same from the shell

A name may be given without its prefix: ?gemm.  For misspelled names, similar ones are shown.
:lang zh switches all texts.]],
      zh = [[
  ?NAME   NAME?        T 或 tl 的名称、变量、内核、表达式
  ??NAME               更多：源代码与程序；对 T 的名称为示例降级后的程序
  :help                命令与主题的列表
  :help NAME           主题、命令或名称；:help T、:help tl、:help kernel 列出名称
  :apropos WORD        说明中含有该词的名称
  moontile help NAME   在命令行中查询

名称可以省略前缀：?gemm。拼错时给出相近的名称。:lang en 切换为英文。]],
    },
    see = {":help", ":apropos", ":lang", "keys"}},
}
