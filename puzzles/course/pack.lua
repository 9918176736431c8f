-- course/pack.lua: the words of `moontile puzzles` about packs: get, pack, packs, remove.
--
--     pack[word](o)   -> exit status; raises pack_... and remote_... for what cannot be done
--
-- o: as options.parse gives it, with json and token_file beside.

local clean = require "moontile.puzzles.judge.clean"
local diag = require "moontile.diag"
local json = require "moontile.tl.json"
local files = require "moontile.files"
local keep = require "moontile.keep"
local pack = require "moontile.pack"
local read = require "moontile.puzzles.course.pack_read"
local says = require "moontile.puzzles.course.says"
local screen = require "moontile.screen"
local term = require "moontile.term"
local store = require "moontile.puzzles.course.pack_store"

local M = {}

local say = says.say

local Right, Stopped = 0, 130
local Seconds = 300 -- that a download may take
local SumBytes = 4096
local Listed = 12   -- files that changed

local function put(...)
  io.stdout:write(diag.visible(table.concat {...}), "\n")
end

local function emit(t)
  io.stdout:write(json.public(t), "\n")
end

-- Fetching -----------------------------------------------------------------------------------

-- Raises what moontile.fetch says.
local function raise(err)
  for i = 2, #err do
    err[i] = clean.line(err[i], 500)
  end
  diag.fail(table.unpack(err))
end

local function amount(n)
  return n < 1e6 and ("%.1f kB"):format(n / 1e3) or ("%.1f MB"):format(n / 1e6)
end

-- function(got, of) that rewrites a line of the terminal, and one that takes it away.
local function progress(url)
  if not term.capable() then
    return nil, function() end
  end
  local host, last = url:match "^%w+://([^/?#]*)", 0
  return function(got, of)
    local now = term.clock()
    if now - last > 0.1 then
      last = now
      io.stdout:write("\r\27[K", host, " ", of > 0 and ("%3d%% %s"):format(100 * got // of, amount(of)) or
        amount(got))
      io.stdout:flush()
    end
  end, function()
    io.stdout:write "\r\27[K"
  end
end

-- Text and nil; nil and the status of HTTP where the server has no such file; nil alone: the
-- user has stopped it.
local function fetch(url, o, most, pinned)
  local show, clear = progress(url)
  local ok, r, stopped = screen.run(function()
    return table.pack(require("moontile.fetch").get(url, {most = most, pinned = pinned,
      seconds = o.timeout or Seconds, token = o.token_file, progress = show}))
  end)
  clear()
  if stopped then
    return nil
  elseif not ok then
    error(r, 0)
  elseif r[1] then
    return r[1]
  elseif r[3] >= 400 and r[3] < 500 then
    return nil, r[3], r[2]
  end
  raise(r[2])
end

-- "https://host/a.json?x" -> "https://host/a.json.sha256?x"
local function sum_address(url)
  local path, query = url:match "^([^?]*)(.*)$"
  return path .. ".sha256" .. query
end

-- The hash that lies beside the file; nil: none does; nil, true: the user has stopped it.
local function sum_of(url, o)
  local text, status = fetch(sum_address(url), o, SumBytes, false)
  local sum = text and (text:match "^%s*(%x+)" or ""):lower()
  if sum and not read.is_hash(sum) then
    diag.fail("pack_sum", clean.line(text, 80))
  end
  return sum, not text and not status
end

local function local_file(path)
  local f, why = io.open(path, "rb")
  local text, err = nil, why
  if f then
    text, err = f:read(pack.bytes + 1)
    f:close()
  end
  if not text then
    err = err and err:gsub("^.*: ", "") or say("it is empty", "文件为空")
    diag.fail("pack_read", path, err)
  end
  return text
end

-- What was asked for ---------------------------------------------------------------------------

-- {url = | file =, pin =, name = for messages}
local function asked(o)
  local source, fragment = o.rest[1]:match "^([^#]*)#?(.*)$"
  local s = {name = source}
  if source:find "^%a[%w+.-]*://" then
    s.url = source
  else
    s.file, s.name, fragment = o.rest[1], o.rest[1], ""
  end
  if fragment ~= "" then
    s.pin = fragment:match "^sha256=(%x+)$" or diag.fail("pack_sum", clean.line(fragment, 80))
  end
  if o.sha256 and s.pin and s.pin:lower() ~= o.sha256:lower() then
    diag.fail("pack_sum", o.sha256)
  end
  s.pin = (o.sha256 or s.pin or ""):lower()
  if s.pin == "" then
    s.pin = nil
  elseif not read.is_hash(s.pin) then
    diag.fail("pack_sum", clean.line(s.pin, 80))
  end
  return s
end

-- Its text, hash, and who vouches for it: "pin", "server" or "nobody"; nil: stopped
local function obtain(s, o)
  local text, status, err
  if s.url then
    text, status, err = fetch(s.url, o, pack.bytes, s.pin ~= nil)
    if status then
      raise(err)
    end
  else
    text = local_file(s.file)
  end
  if not text then
    return nil
  end
  local sum = pack.sha256(text)
  local want, stopped = s.pin, false
  if not want and s.url then
    want, stopped = sum_of(s.url, o)
  end
  if stopped then
    return nil
  elseif want and want ~= sum then
    diag.fail("pack_pin", s.name, sum, want)
  end
  return text, sum, s.pin and "pin" or want and "server" or "nobody"
end

local vouched = {
  pin = {en = "It is the hash that you gave.", zh = "与您给出的哈希一致。"},
  server = {en = "It is the hash that the same server gives: nothing was damaged on the way.",
    zh = "与同一服务器给出的哈希一致：传输中没有损坏。"},
  nobody = {en = "Nothing vouches for this file: compare the hash with the one that its "
    .. "publisher gives.", zh = "没有任何凭据证明此文件：请与发布者公布的哈希核对。"},
}

-- get ------------------------------------------------------------------------------------------

-- Files that are not the same, a line each.
local function differences(lock, P)
  local list, new = {}, {}
  for _, f in ipairs(P.files) do
    new[f.path] = true
    if not lock.files[f.path] then
      list[#list + 1] = say("new      %s", "新增  %s", f.path)
    elseif lock.files[f.path] ~= f.sha256 then
      list[#list + 1] = say("changed  %s", "改动  %s", f.path)
    end
  end
  for path in pairs(lock.files) do
    list[#list + 1] = not new[path] and say("gone     %s", "删除  %s", path) or nil
  end
  table.sort(list)
  return list
end

local function show_differences(it, P)
  local list = differences(it.lock, P)
  put(say("%s %s (sha256 %s) is here; this is version %s.", "本机已有 %s %s（sha256 %s）；此文件为版本 %s。",
    it.name, it.lock.version, it.lock.sha256:sub(1, 12), P.version))
  for i = 1, math.min(#list, Listed) do
    put("  ", list[i])
  end
  if #list > Listed then
    put("  ", say("and %d more", "另有 %d 个", #list - Listed))
  end
end

-- May the new one take the old one's place?
local function may_replace(it, P, sum, o)
  if o.replace then
    return true
  end
  if not o.json then
    show_differences(it, P)
  end
  if term.capable() and not o.json then
    io.stdout:write(say("Replace it with the new one? Your solutions and progress stay. y/N",
      "用新包取代吗？您的题解与进度保持不变。y/N"), " ")
    io.stdout:flush()
    local answer = io.read "l"
    if answer and answer:find "^%s*[yY]" then
      return true
    end
  end
  diag.fail("pack_differs", it.name, it.lock.sha256, sum)
end

local function told(o, P, r)
  if o.json then
    return emit(r)
  end
  put(say("%s %s, %s: %d %s in %s", "%s %s，%s：%d %s，位于 %s", P.name, P.version, says.pick(P.title),
    P.puzzles, P.puzzles == 1 and say("puzzle", "道谜题") or say("puzzles", "道谜题"), r.dir))
  put(say("Licence: %s", "许可证：%s", P.license))
  if r.kept then
    put(say("What was changed by hand in the old one is kept in %s.", "旧包中手工改动的内容保存在 %s。", r.kept))
  end
  put(say("Now type:", "接下来请输入："))
  put("  ", ("moontile puzzles init %s --from %s"):format(P.name, o.to or P.name))
end

local function folder_of(o, P)
  local root = not o.to and store.root()
  if not o.to and not root then
    diag.fail("pack_write", "~/.local/share/moontile/packs", say("there is no home folder",
      "没有主目录"))
  end
  return o.to or root .. "/" .. P.name
end

function M.get(o)
  local s = asked(o)
  local text, sum, who = obtain(s, o)
  if not text then
    return Stopped
  end
  if not o.json then
    put(say("%s: %d bytes", "%s：%d 字节", s.name, #text))
    put("sha256 ", sum)
    put(says.pick(vouched[who]))
  end
  local P = read.read(text, s.name)
  local dir = folder_of(o, P)
  store.ready(dir)
  local it, state, kept = store.at(dir), "new", nil
  if it and it.lock.sha256 == sum and store.whole(it) then
    state = "same"
  elseif it then
    state = "replaced"
    if it.lock.sha256 ~= sum then
      may_replace(it, P, sum, o)
    end
  end
  if state ~= "same" then
    kept = store.install(P, dir, {source = s.url or keep.absolute(s.file) or s.file, sha256 = sum,
      vouched = who})
  elseif not o.json then
    put(say("It is already here; nothing was changed.", "本机已有同一个包，没有改动。"))
  end
  told(o, P, {pack = P.name, version = P.version, sha256 = sum, vouched = who, dir = dir,
    puzzles = P.puzzles, state = state, kept = kept})
  return Right
end

-- pack -----------------------------------------------------------------------------------------

function M.pack(o)
  local folder = (o.rest[1]:gsub("(.)/+$", "%1"))
  if keep.kind(folder) ~= "folder" then
    diag.fail("pack_read", folder, say("there is no such folder", "没有这个文件夹"))
  end
  local text, P, left = require("moontile.puzzles.course.pack_make").make(folder)
  local file = o.output or P.name .. ".json"
  local ok, why = files.write(file, text)
  if not ok then
    diag.fail("pack_write", file, why)
  end
  local sum, name = pack.sha256(text), file:match "[^/]*$"
  if o.json then
    emit {pack = P.name, version = P.version, sha256 = sum, file = file, bytes = #text,
      puzzles = P.puzzles, files = #P.files, left = left}
    return Right
  end
  put(say("%s %s: %d puzzles, %d files, %d bytes in %s", "%s %s：%d 道谜题，%d 个文件，%d 字节，写入 %s",
    P.name, P.version, P.puzzles, #P.files, #text, file))
  if #left > 0 then
    put(say("Left out: %s", "未收入：%s", clean.line(table.concat(left, ", "), 500)))
  end
  put(say("Publish this line beside it, as %s.sha256:", "请在旁边公布这一行，文件名为 %s.sha256：", name))
  put(sum, "  ", name)
  put(say("Where the hash reaches learners by a different way than the file, they type:",
    "若哈希另经可靠途径告知学员，请他们输入："))
  put("  ", ("moontile puzzles get https://HOST/%s#sha256=%s"):format(name, sum))
  return Right
end

-- packs, remove --------------------------------------------------------------------------------

function M.packs(o)
  local list = store.list()
  for _, it in ipairs(list) do
    local l, whole = it.lock, store.whole(it)
    if o.json then
      emit {pack = it.name, version = l.version, sha256 = l.sha256, vouched = l.vouched,
        source = l.source, dir = it.dir, puzzles = l.puzzles, whole = whole}
    else
      put(("%s %s  %s  (%d)"):format(it.name, l.version or "-",
        says.pick {en = l["title.en"], zh = l["title.zh"]} or "-", l.puzzles))
      put("  ", l.source or "-")
      put("  sha256 ", l.sha256)
      if not whole then
        put("  ", say("changed by hand since; `moontile puzzles get` repairs it",
          "之后被手工改动过；`moontile puzzles get` 可恢复"))
      end
    end
  end
  if #list == 0 and not o.json then
    put(say("There are no packs yet; `moontile puzzles get URL` fetches one.",
      "还没有谜题包；`moontile puzzles get URL` 可获取。"))
  end
  return Right
end

function M.remove(o)
  local it = store.named(o.rest[1]) or diag.fail("pack_none", clean.line(o.rest[1], 60))
  local kept = store.remove(it)
  if o.json then
    emit {pack = it.name, removed = true, kept = kept}
    return Right
  end
  put(say("Removed %s. Folders made from it, and the progress in them, stay as they are.",
    "已删除 %s。由它创建的文件夹及其中的进度保持不变。", it.name))
  if kept then
    put(say("What was changed by hand in it is kept in %s.", "其中手工改动的内容保存在 %s。", kept))
  end
  return Right
end

return M
