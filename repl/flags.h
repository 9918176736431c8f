/* repl/flags.h: every flag and every command word of the program, once: the
 * parser, the help and the messages come from here.
 * FLAG(id, short, long, argument, where, en, zh)
 *   where: 'm' the program, 'c' compile, 'o' compile and convert, 'l' plot, 'a' help, 'b' all, 'h' hidden, 'p' planned
 * In help a row without a text is left out.
 * SAY(id, en, zh): what is said about a wrong command line
 * WORD(name, function, en, zh): a command; without a function it is planned. */
#ifndef FLAG
#define FLAG(id, sh, lg, arg, where, en, zh)
#endif
#ifndef SAY
#define SAY(id, en, zh)
#endif
#ifndef WORD
#define WORD(name, fn, en, zh)
#endif

FLAG(exec,     "e", "",         "CODE",   'm', "run CODE; with -l, in the order given",
                                               "执行 CODE；与 -l 按给出的顺序执行")
FLAG(library,  "l", "",         "MOD",    'm', "require MOD into the global MOD; -l g=MOD: into g",
                                               "require MOD，存入全局变量 MOD；-l g=MOD 存入 g")
FLAG(prompt,   "i", "",         "",       'm', "open the prompt after FILE and -e",
                                               "执行 FILE 和 -e 之后进入提示符")
FLAG(target,   "t", "target",   "TARGET", 'b', "where kernels run: auto, cpu, \"sim -arch=sm_80\"",
                                               "内核在哪里运行：auto、cpu、\"sim -arch=sm_80\"")
FLAG(emit,     "",  "emit",     "KIND",   'c', "compile: write ir, thread or a target's text (cuda, c, ..); launch nothing",
                                               "compile：写出 ir、thread 或目标的代码（cuda、c 等），不启动内核")
FLAG(outdir,   "o", "",         "PATH",   'o', "compile: the folder for the files; convert: the file",
                                               "compile：输出文件夹；convert：输出文件")
FLAG(json,     "",  "json",     "",       'b', "commands: one JSON object per line, for programs",
                                               "用于命令：每行输出一个 JSON 对象，供程序使用")
FLAG(all,      "",  "all",      "",       'a', "help: the whole reference, as Markdown", "help：以 Markdown 输出全部说明")
FLAG(kernel,   "",  "kernel",   "NAME",   'l', "plot: only the kernel of that name", "plot：只绘制该名称的内核")
FLAG(svg,      "",  "svg",      "PATH",   'l', "plot: write an SVG file", "plot：写成 SVG 文件")
FLAG(width,    "",  "width",    "N",      'l', "plot: columns of the text", "plot：文本的列数")
FLAG(lang,     "",  "lang",     "en|zh",  'b', "language of messages (else MOONTILE_LANG, LANG)",
                                               "消息的语言（默认取 MOONTILE_LANG、LANG）")
FLAG(color,    "",  "color",    "WHEN",   'b', "auto, always or never (NO_COLOR is honoured)",
                                               "auto、always 或 never（遵从 NO_COLOR）")
FLAG(noenv,    "E", "",         "",       'm', "ignore the environment and the init file",
                                               "忽略环境变量和初始化文件")
FLAG(warn,     "W", "",         "",       'm', "", "") /* Lua's: its warnings */
FLAG(version,  "v", "version",  "",       'm', "print the version; -h, --help: this help",
                                               "显示版本；-h、--help：显示本帮助")
FLAG(help,     "h", "help",     "",       'b', "print this help", "显示本帮助")
FLAG(connect,  "",  "connect",  "URL",    'b', "run kernels on that server; -t: its target",
                                               "在该服务器上运行内核；-t 选择那里的目标")
FLAG(cacert,   "",  "cacert",   "FILE",   'b', "", "") /* its certificate, and the file of the token: */
FLAG(tokenfile, "", "token-file", "FILE", 'b', "", "") /* `:help environment` tells of them */
FLAG(irtrip,   "",  "ir-roundtrip", "FILE", 'h', "", "")
FLAG(ircheck,  "",  "ir-check", "FILE",   'h', "", "")
FLAG(irlower,  "",  "ir-lower", "MACHINE[:PASSES]", 'h', "", "")
FLAG(selfcheck, "", "selfcheck", "",      'h', "", "")

WORD(compile, cmd_compile, "write each kernel of FILE as a source file, run nothing",
                           "把 FILE 中每个内核写成源文件，不运行")
WORD(check,   cmd_check,   "run each kernel of FILE in the simulator, odd sizes too",
                           "在模拟器中运行 FILE 的每个内核，含不规则的大小")
WORD(convert, cmd_convert, "print FILE.py, TileLang's Python, as Lua, line by line",
                           "把 TileLang 的 Python 文件 FILE.py 逐行写成 Lua")
WORD(help,    cmd_help,    "what ? shows at the prompt: for a NAME, or the overview",
                           "同提示符中 ? 的显示：某个 NAME，或总览")
WORD(plot,    cmd_plot,    "draw the kernels of FILE, or an expression",
                           "绘制 FILE 的内核或一个表达式")
WORD(explain, cmd_explain, "what each kernel of FILE costs, one page each",
                           "FILE 的每个内核的开销，各一页，不运行")
WORD(bench,   cmd_bench,   "how long each kernel of FILE takes",
                           "FILE 的每个内核在首次启动的输入上耗时多少")
WORD(doctor,  cmd_doctor,  "what each target has, what is missing and how to fix it",
                           "检查每个目标所需的环境，并给出修复命令")
WORD(puzzles, cmd_puzzles, "learn by writing kernels; see puzzles --help",
                           "通过编写内核来学习；puzzles --help 列出其用法")
WORD(serve,   cmd_serve, "share this device over HTTP; see serve --help",
                         "通过 HTTP 把本机设备提供给他人；serve --help 列出其用法")

SAY(unknown, "unknown flag '{1}'", "未知选项“{1}”")
SAY(near,    "unknown flag '{1}'; did you mean '--{2}'?", "未知选项“{1}”；是否想用“--{2}”？")
SAY(noarg,   "flag '{1}' needs an argument", "选项“{1}”需要参数")
SAY(extra,   "flag '{1}' takes no argument", "选项“{1}”不接受参数")
SAY(value,   "flag '--{1}' takes {2}, not '{3}'", "选项“--{1}”只接受 {2}，不接受“{3}”")
SAY(planned, "'{1}' is planned and not in this version yet", "“{1}”已列入计划，此版本还没有")
SAY(place,   "flag '{1}' belongs to 'moontile {2}'", "选项“{1}”属于“moontile {2}”")
SAY(unused,  "flag '{1}' does nothing for 'moontile {2}'", "选项“{1}”对“moontile {2}”不起作用")
SAY(command, "flag '{1}' is for commands, as in 'moontile check FILE {1}'",
    "选项“{1}”用于命令，如“moontile check FILE {1}”")
SAY(noname,  "{1} needs a FILE", "{1} 需要一个 FILE")
SAY(surplus, "{2} takes only one FILE, not also '{1}'", "{2} 只接受一个 FILE，多出了“{1}”")
SAY(noemit,  "compile needs --emit ir, thread or a target's text (cuda, c, ..)",
    "compile 需要 --emit ir、thread 或目标的代码（cuda、c 等）")
SAY(emits,   "'{1}' is a target; what it prints is '--emit {2}'", "“{1}”是目标；它的代码是“--emit {2}”")
SAY(noword,  "cannot read '{1}': {2}; did you mean 'moontile {3}'?", "无法读取“{1}”：{2}；是否想用“moontile {3}”？")
SAY(flagfile, "flag '--{1}': cannot read '{2}': {3}", "选项“--{1}”：无法读取“{2}”：{3}")
SAY(nofile,  "cannot read '{1}': {2}", "无法读取“{1}”：{2}")
SAY(nowrite, "cannot write '{1}': {2}", "无法写入“{1}”：{2}")
SAY(memory,  "out of memory", "内存不足")
SAY(try,     "; try 'moontile --help'", "；请试“moontile --help”")

#undef FLAG
#undef SAY
#undef WORD
