/* E786 to E789: a track of somebody else's that is evaluated in a process of its own;
 * E800 to E828: packs of puzzles, and how they are fetched.
 * {1} the file, {2} the limit */
ERR(puzzle_steps, "E786", Lerror, "{1} does not end", "{1} 无法结束", "stopped after {2} steps",
    "执行 {2} 步后停止", "look for a loop that never ends", "请检查是否有不会结束的循环")
ERR(puzzle_time, "E787", Lerror, "{1} takes too long", "{1} 用时过长", "stopped after {2} s", "{2} 秒后停止",
    "sizes that are judged should be small: a few thousand elements", "判题用的尺寸应当小：几千个元素")
ERR(puzzle_memory, "E788", Lerror, "{1} takes too much memory", "{1} 占用内存过多", "more than {2} MiB", "超过 {2} MiB",
    "sizes that are judged should be small: a few thousand elements", "判题用的尺寸应当小：几千个元素")
/* {2} how */
ERR(puzzle_process, "E789", Lerror, "the process that evaluates {1} failed", "求值 {1} 的进程出错", "{2}", "{2}", "", "")

/* {1} the file or address of a pack, {2} what is wrong */
ERR(pack_json, "E800", Lerror, "{1} is not a pack of puzzles", "{1} 不是谜题包", "{2}", "{2}",
    "a pack is one JSON file, as `moontile puzzles pack FOLDER` writes it",
    "谜题包是一个 JSON 文件，由 `moontile puzzles pack 文件夹` 生成")
/* {2} the field, {3} what it is, {4} what it should be */
ERR(pack_field, "E801", Lerror, "{1}: {2} is {3}", "{1}：{2} 是 {3}", "it should be {4}", "应为 {4}",
    "puzzles/README.md lists what a pack says about itself", "谜题包的各个字段见 puzzles/README.zh.md")
/* {2} the path */
ERR(pack_path, "E802", Lerror, "{1}: `{2}` has no place in a pack", "{1}：谜题包中不能有 `{2}`", "", "",
    "a pack holds index.lua, and in folders such as 01-copy the files of puzzles, in lower case",
    "谜题包含有 index.lua 与 01-copy 这类文件夹中的谜题文件，名称一律小写")
ERR(pack_twice, "E803", Lerror, "{1}: `{2}` is listed twice", "{1}：`{2}` 出现了两次", "", "", "", "")
/* {2} the path, {3} its line, {4} the character */
ERR(pack_text, "E804", Lerror, "{1}: {2} is not plain text", "{1}：{2} 不是纯文本", "line {3}: {4}", "第 {3} 行：{4}",
    "texts are UTF-8 without control characters", "文本须为不含控制字符的 UTF-8")
/* {2} the path, {3} its hash, {4} what the pack says */
ERR(pack_hash, "E805", Lerror, "{1}: {2} is damaged", "{1}：{2} 已损坏", "its sha256 is {3}, the pack says {4}",
    "其 sha256 为 {3}，包中记录为 {4}", "fetch it again, or ask its publisher", "请重新获取，或联系发布者")
/* {2} how large, {3} the limit */
ERR(pack_limit, "E806", Lerror, "{1} is too large", "{1} 过大", "{2}; at most {3}", "{2}；至多 {3}", "", "")
/* {2} the file that is missing */
ERR(pack_lacks, "E807", Lerror, "{1} lacks {2}", "{1} 缺少 {2}", "", "",
    "a puzzle needs puzzle.lua, starter.lua, solution.lua and a statement, en.md or zh.md",
    "每道谜题需要 puzzle.lua、starter.lua、solution.lua 与题目 en.md 或 zh.md")
/* {2} the hash that it has, {3} the one asked for */
ERR(pack_pin, "E808", Lerror, "{1} is not the file that was asked for", "{1} 不是所要的文件", "its sha256 is {2}, not {3}",
    "其 sha256 为 {2}，而非 {3}", "it was changed, or the hash is of another version; nothing was installed",
    "文件被改动过，或该哈希属于另一版本；没有安装任何内容")
ERR(pack_sum, "E809", Lerror, "`{1}` is not a SHA-256", "`{1}` 不是 SHA-256", "it has 64 hexadecimal digits, one hash for each file",
    "应为 64 位十六进制数，且一个文件只有一个", "", "")
/* {1} the address */
ERR(pack_plain, "E810", Lerror, "anybody along the way could change {1}", "{1} 可能在途中被人改动",
    "the address begins with http:// and is not on this machine", "该地址以 http:// 开头，且不在本机",
    "use https://, or give the hash that its publisher names: --sha256 HEX", "请使用 https://，或用 --sha256 HEX 给出发布者公布的哈希")
/* {2} the status */
ERR(pack_http, "E811", Lerror, "cannot fetch {1}", "无法获取 {1}", "the server answers {2}", "服务器应答 {2}", "", "")
/* {2} the reason */
ERR(pack_unreached, "E812", Lerror, "cannot fetch {1}", "无法获取 {1}", "{2}", "{2}", "", "")
/* {2} closed without an answer?, {3} broken off?, {4} else the reason */
ERR(pack_broken, "E813", Lerror, "the download of {1} broke off", "{1} 的下载中断",
    "{2|it was closed without an answer|}{3|the answer was cut off|}{4}", "{2|对方未作应答即关闭|}{3|应答中途断开|}{4}",
    "run it again; what was there before is unchanged", "请重新运行；原有内容未变")
/* {2} seconds */
ERR(pack_slow, "E814", Lerror, "the download of {1} takes too long", "{1} 的下载用时过长", "not complete after {2} s", "{2} 秒后仍未完成",
    "try it again, or with --timeout SECONDS; what was there before is unchanged", "请重试，或使用 --timeout 秒数；原有内容未变")
/* {2} where to */
ERR(pack_redirect, "E815", Lerror, "{1} redirects to where moontile does not go", "{1} 指向不被接受的地址", "{2}", "{2}",
    "redirects may lead only from https to https, five times at most", "只接受由 https 到 https 的重定向，且至多五次")
ERR(pack_address, "E816", Lerror, "`{1}` is not the address of a pack", "`{1}` 不是谜题包的地址", "", "",
    "write https://host/course.json, or a file", "请写 https://host/course.json，或一个文件")
/* {1} the name, {2} its hash, {3} the other one's */
ERR(pack_differs, "E817", Lerror, "the pack {1} is already here, with different contents", "已有谜题包 {1}，但内容不同", "here {2}, there {3}",
    "本机 {2}，对方 {3}", "--replace puts the new one in its place; your solutions and progress stay",
    "--replace 以新包取代；您的题解与进度保持不变")
ERR(pack_none, "E818", Lerror, "there is no pack `{1}`", "没有名为 `{1}` 的谜题包", "", "",
    "`moontile puzzles packs` lists those that are here", "`moontile puzzles packs` 列出已有的谜题包")
/* {2} why */
ERR(pack_write, "E819", Lerror, "cannot write {1}", "无法写入 {1}", "{2}", "{2}", "", "")
ERR(pack_read, "E820", Lerror, "cannot read {1}", "无法读取 {1}", "{2}", "{2}", "", "")
ERR(pack_taken, "E821", Lerror, "{1} exists and is not a pack", "{1} 已存在，且不是谜题包", "", "",
    "name a folder that does not exist yet", "请指定尚不存在的文件夹")
