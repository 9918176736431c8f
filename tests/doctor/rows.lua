-- What is made of what was found: permissions, libraries that do not open, cards that are
-- not there, each with the command that mends it.  The machine is made up.

local node = {}
local programs = {}
package.loaded["moontile.look"] = setmetatable({
  glob = function(pattern)
    local list = {}
    local p = "^" .. pattern:gsub("[%-.]", "%%%0"):gsub("%[0%%%-9%]%*", "%%d[%%w.]*")
      :gsub("%*$", ".*") .. "$"
    for path in pairs(node) do
      if path:match(p) then
        list[#list + 1] = path
      end
    end
    table.sort(list)
    return list
  end,
  node = function(path) return node[path] end,
  find = function(name) return programs[name] end,
}, { __index = require "moontile.look" })

local rows = require "moontile.repl.doctor.rows"
local gather = require "moontile.repl.doctor.gather"
local show = require "moontile.repl.doctor.show"
local sep = "\31"

local s = { user = "eve", home = "/home/eve", user_groups = { "eve", "video" }, root = false,
  environment = {} }

local function case(name, what, lines, more)
  local t = { name = name, groups = {}, look = gather.parse(lines) }
  for k, v in pairs(more or {}) do
    t[k] = v
  end
  print("-- " .. what)
  for _, lang in ipairs { "en", "zh" } do
    print(show.text(rows.target(t, s, lang), lang, { width = 90 }))
  end
end

local function closed(mode, owner, group)
  return { mode = mode, owner = owner, group = group, open = false }
end

local no_device = { "begin\topen",
  "error\t@gpu_no_device" .. sep .. "MACA" .. sep .. "/opt/maca/lib/libmcruntime.so" .. sep
    .. "mx-smi" .. sep .. "/dev/mxcd" }
local no_library = { "begin\topen", "error\t@gpu_no_library" .. sep .. "MACA" .. sep
  .. "libmcruntime.so" .. sep .. "/opt/maca/lib: libmxc.so: cannot open" .. sep .. "MOONTILE_MACA_LIB" }

case("maca", "a library, no card", { "begin\topen", no_device[2], "begin\tlook",
  "is\tlibrary\t/opt/maca/lib/libmcruntime.so" })
node["/dev/mxcd"] = closed("rw-rw----", "root", "render")
case("maca", "not in the group of the device", no_device)
node["/dev/mxcd"] = closed("rw-r-----", "root", "video")
case("maca", "in it, and it may not write", no_device)
node["/dev/mxcd"] = closed("rw-------", "root", "root")
case("maca", "nobody's group", no_device)
node["/dev/mxcd"] = { mode = "rw-rw-rw-", owner = "root", group = "root", open = true }
s.environment.MACA_VISIBLE_DEVICES = "7"
case("maca", "a variable hides it", no_device)
s.environment.MACA_VISIBLE_DEVICES = nil
node["/opt/maca-3.7.1/lib/libmcruntime.so"] = {}
case("maca", "a library that does not open", no_library)
node["/opt/maca-3.7.1/lib/libmcruntime.so"] = nil
case("maca", "no library, and a card", no_library)
node["/dev/dxg"] = { mode = "rw-rw-rw-", owner = "root", group = "root", open = true }
local no_driver = { "begin\topen", "error\t@cuda_no_library" .. sep .. "CUDA" .. sep
  .. "libcuda.so.1" .. sep .. "ldconfig" }
case("cuda", "WSL without its folder", no_driver)
node["/dev/dxg"] = nil
case("cuda", "no card", no_driver)
case("cuda", "no card, and asked for", no_driver, { asked = true })
programs["apt-get"] = "/usr/bin/apt-get"
local no_cc = { "begin\topen", "is\topen_ms\t1", "begin\tcompile",
  "error\t@=no_cc" .. sep .. "cc" }
case("cpu", "no compiler", no_cc)
s.root = true
case("cpu", "as root", no_cc)
case("hip", "a crash", { "begin\topen", "died\topen\t11" })
case("hip", "a hang", { "begin\topen", "is\topen_ms\t1", "begin\tcompile",
  "is\tcompile_ms\t10", "begin\trun", "run\trun", "late\trun\t20" })
case("hip", "wrong sums", { "begin\topen", "is\topen_ms\t1", "is\tcompile_ms\t10",
  "is\twrong\t64" })
case("remote", "no server", {})

-- What is a person's own does not go into a report.
local report = require "moontile.repl.doctor.report"
local me = { user = "eve", home = "/home/eve" }
print(report.redact("/home/eve/.cache /home/evelyn eve@box.example eve/steve box "
  .. "https://eve:pw@box:8411/v1?token=abc http://h/x", me, "box"))
print(report.redact("/root/x root /opt/rocm", { user = "root", home = "/root" }, "localhost"))
