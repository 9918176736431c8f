-- course/options.lua: the words and flags of `moontile puzzles`.
--
--     options.parse(args)   -> {word =, rest = {..}, dir =, from =, edit_cmd =, yes =, after =,
--                               help =, sha256 =, ..} | nil, what is wrong
--     options.help()        the text of --help

local suggest = require "moontile.base.suggest"
local says = require "moontile.puzzles.course.says"

local M = {}

local say = says.say

-- Words: what they take, and how many of it.
M.words = {
  {"init", "DIR", 1, 1, en = "a folder of your own, with a file for each puzzle",
    zh = "创建您自己的文件夹，每道谜题一个文件"},
  {"list", "", 0, 0, en = "all puzzles, your progress and stars", zh = "列出谜题、完成情况与星数"},
  {"run", "[NAME]", 0, 1, en = "judges one puzzle (the current one)", zh = "判定一道谜题（默认当前）"},
  {"check-all", "", 0, 0, en = "judges every file that you have begun",
    zh = "判定所有已动手的文件"},
  {"hint", "[NAME]", 0, 1, en = "the hints so far, and one more", zh = "已显示的提示，再加一条"},
  {"text", "[NAME]", 0, 1, en = "its statement; with --after, the afterword",
    zh = "题目；加 --after 显示后记"},
  {"solution", "[NAME]", 0, 1, en = "its solution, once it is solved, or with --yes",
    zh = "参考解答：完成之后，或加 --yes"},
  {"reset", "NAME", 1, 1, en = "puts the starter back; your text is kept as FILE.old",
    zh = "恢复起始文件；原文保存为 FILE.old"},
  {"get", "URL|FILE", 1, 1, en = "fetches a pack: somebody else's puzzles",
    zh = "获取他人制作的谜题包"},
  {"packs", "", 0, 0, en = "the packs that are here", zh = "列出已有的谜题包"},
  {"remove", "PACK", 1, 1, en = "removes a pack; your folders stay",
    zh = "删除谜题包；您的文件夹保持不变"},
  {"pack", "FOLDER", 1, 1, en = "makes a pack from a folder of puzzles",
    zh = "把谜题文件夹做成谜题包"},
  {"verify", "[NAME]...", 0, 99, en = "checks the puzzles themselves: starters, solutions, texts",
    zh = "检查谜题本身：起始文件、解答与文本"},
}

-- Flags: how they are written, their argument, the field, and what they are for.
local flags = {
  {"--dir", "DIR", "dir", en = "the folder to work in (default: this one)",
    zh = "所在文件夹（默认当前）"},
  {"--from", "PACK", "from", en = "the puzzles of a pack, or of a folder with index.lua",
    zh = "谜题包中的谜题，或含 index.lua 的文件夹"},
  {"--part", "PART", "part", en = "run, hint: only this part", zh = "run、hint：只看这一部分"},
  {"--seed", "N", "seed", en = "run: the seed that a verdict names", zh = "run：判定中给出的种子"},
  {"--edit-cmd", "CMD", "edit_cmd", en = "opens each puzzle's file: runs CMD FILE",
    zh = "打开每道谜题的文件：执行 CMD FILE"},
  {"--after", nil, "after", en = "text: the afterword", zh = "text：后记"},
  {"--update", nil, "update", en = "verify: writes pictures and generated code into the texts",
    zh = "verify：把图与生成的代码写入文本"},
  {"--quick", nil, "quick", en = "verify: on the cpu only", zh = "verify：只在 cpu 上"},
  {"--seeds", "N", "seeds", en = "verify: seeds for answers that must not pass",
    zh = "verify：检验错误答案的种子数"},
  {"--sha256", "HEX", "sha256", en = "get: the hash that the file must have", zh = "get：文件应有的哈希"},
  {"--replace", nil, "replace", en = "get: replace another version", zh = "get：取代其他版本"},
  {"--to", "FOLDER", "to", en = "get: into that folder", zh = "get：放入该文件夹"},
  {"--timeout", "SECONDS", "timeout", en = "get: how long it may take (300)",
    zh = "get：限时秒数（默认 300）"},
  {"--output", "FILE", "output", en = "pack: the file to write (NAME.json)",
    zh = "pack：输出文件（默认 NAME.json）"},
  {"--yes", nil, "yes", en = "solution: even before it is solved", zh = "solution：未完成也显示"},
  {"--help", nil, "help", en = "this", zh = "本帮助"},
}
local also = {["-h"] = "--help", ["-y"] = "--yes", ["-o"] = "--output"}
M.all = {{"-t, --target TARGET", en = "where kernels run besides the simulator",
    zh = "除模拟器外内核在哪里运行"},
  {"--json", en = "one JSON object per line (list, run, check-all, hint, packs)",
    zh = "每行一个 JSON 对象（list、run、check-all、hint、packs）"},
  {"--lang en|zh, python|lua", en = "of texts and messages; of solutions (init remembers it)",
    zh = "文本与消息的语言；解答所用的语言（init 会记住）"},
  {"--cacert, --token-file FILE", en = "get: a certificate; a token for that server alone",
    zh = "get：证书；只发给该服务器的令牌"}}

local status = {
  en = "Exit status: 0 correct, 1 not correct, not done, 2 wrong usage, 3 judge fault or lost progress.",
  zh = "退出状态：0 正确，1 不正确或未完成，2 用法错误，3 判题程序自身出错，或进度未能保存。",
}

function M.help()
  local out = {}
  local function row(left, t)
    out[#out + 1] = ("  %-24s%s%s"):format(left, #left >= 24 and "  " or "", says.pick(t))
  end
  out[1] = say("Usage: moontile puzzles [WORD] [FLAGS]", "用法：moontile puzzles [命令] [选项]")
  row("", {en = "watches your folder: judges a file on every save",
    zh = "监视您的文件夹：每次保存即判定"})
  for _, w in ipairs(M.words) do
    row((w[1] .. " " .. w[2]):match "^(.-)%s*$", w)
  end
  out[#out + 1] = ""
  for _, f in ipairs(flags) do
    row(f[1] .. (f[2] and " " .. f[2] or ""), f)
  end
  for _, f in ipairs(M.all) do
    row(f[1], f)
  end
  out[#out + 1] = ""
  out[#out + 1] = say("NAME: 5, 05, row-sum, 05-row-sum or a file's path.",
    "NAME：5、05、row-sum、05-row-sum 或文件路径。")
  out[#out + 1] = says.pick(status)
  return table.concat(out, "\n") .. "\n"
end

local function word_row(word)
  for _, w in ipairs(M.words) do
    if w[1] == word then
      return w
    end
  end
end

local function flag_row(name)
  name = also[name] or name
  for _, f in ipairs(flags) do
    if f[1] == name then
      return f
    end
  end
end

local function unknown(what, name, list)
  local names = {}
  for i, row in ipairs(list) do
    names[i] = row[1]
  end
  local close = suggest.find(name, names)
  return close and say("unknown %s '%s'; did you mean '%s'?", "未知%s“%s”；是否想用“%s”？", what, name,
    close) or say("unknown %s '%s'; try 'moontile puzzles --help'",
    "未知%s“%s”；请试“moontile puzzles --help”", what, name)
end

-- The value of a flag at args[i], and the place of the last word used.
local function value_of(f, args, i, given)
  if not f[2] then
    return not given and true, i
  elseif given then
    return given, i
  end
  return args[i + 1], i + 1
end

local function take_flag(o, args, i)
  local name, given = args[i]:match "^(%-%-[^=]*)=(.*)$"
  local f = flag_row(name or args[i])
  if not f then
    return nil, unknown(say("flag", "选项"), args[i], flags)
  end
  local v, at = value_of(f, args, i, given)
  if not v then
    return nil, f[2] and say("flag '%s' needs an argument", "选项“%s”需要参数", f[1]) or
      say("flag '%s' takes no argument", "选项“%s”不接受参数", f[1])
  end
  o[f[3]] = v
  return at
end

local function check(o)
  for _, name in ipairs {"seed", "seeds"} do
    local n = math.tointeger(tonumber(o[name] or 0))
    if not n then
      return nil, say("flag '--%s' takes a whole number, not '%s'", "选项“--%s”需要整数，不接受“%s”", name,
        o[name])
    end
    o[name] = o[name] and n
  end
  local seconds = tonumber(o.timeout or 1)
  if not (seconds and seconds > 0 and seconds <= 86400) then
    return nil, say("flag '--timeout' takes seconds, not '%s'", "选项“--timeout”需要秒数，不接受“%s”",
      o.timeout)
  end
  o.timeout = o.timeout and seconds
  local w = o.word and word_row(o.word)
  if not w then
    return o
  elseif #o.rest < w[3] then
    return nil, say("%s needs a %s", "%s 需要 %s", w[1], w[2])
  elseif #o.rest > w[4] then
    return nil, say("%s takes no '%s'", "%s 不接受“%s”", w[1], o.rest[w[4] + 1])
  end
  return o
end

function M.parse(args)
  local o, i, words = {rest = {}}, 1, false
  while i <= #args do
    local a = args[i]
    if a == "--" and not words then
      words = true
    elseif not words and a:find "^%-." then
      local at, why = take_flag(o, args, i)
      if not at then
        return nil, why
      end
      i = at
    elseif not o.word then
      o.word = a
    else
      o.rest[#o.rest + 1] = a
    end
    i = i + 1
  end
  return check(o)
end

-- What to say of a word that is none.
function M.unknown_word(word)
  return unknown(say("word", "命令"), word, M.words)
end

return M
