-- doctor/fixes.lua: for each gap the one command that mends it, as it can be pasted.

local look = require "moontile.look"
local vendors = require "moontile.repl.doctor.vendors"

local M = {}

-- What runs on each system that installs packages.
local managers = {
  { "apt-get", "apt-get install -y" }, { "dnf", "dnf install -y" },
  { "zypper", "zypper install -y" }, { "pacman", "pacman -S --noconfirm" }, { "apk", "apk add" },
}

local packages = {
  cc = { ["apt-get"] = "gcc", dnf = "gcc", zypper = "gcc", pacman = "gcc", apk = "build-base" },
  hip = { ["apt-get"] = "libamdhip64-5 hipcc", dnf = "rocm-hip rocm-runtime hipcc" },
  hipcc = { ["apt-get"] = "hipcc", dnf = "hipcc" },
  nvidia = { ["apt-get"] = "nvidia-driver", dnf = "akmod-nvidia", pacman = "nvidia" },
  curl = { ["apt-get"] = "libcurl4", dnf = "libcurl", zypper = "libcurl4", pacman = "curl",
    apk = "libcurl" },
}

-- "sudo " for those who need it.
function M.sudo(s)
  return s.root and "" or "sudo "
end

local function install(s, what)
  if not what then
    return
  end
  for _, m in ipairs(managers) do
    if packages[what][m[1]] and look.find(m[1]) then
      return M.sudo(s) .. m[2] .. " " .. packages[what][m[1]]
    end
  end
end

-- A node of a driver that may not be opened.
function M.node(s, path, node)
  for _, g in ipairs(s.user_groups) do
    if g == node.group then
      return M.sudo(s) .. "chmod g+rw " .. path
    end
  end
  if node.mode:sub(4, 5) ~= "rw" or node.group == "root" then
    return M.sudo(s) .. "chmod a+rw " .. path
  end
  return M.sudo(s) .. "usermod -aG " .. node.group .. " $USER"
end

local function set(s, name)
  local v = s.environment[name]
  return v and v ~= ""
end

local function unset(s, ...)
  for _, name in ipairs { ... } do
    if set(s, name) then
      return "unset " .. name
    end
  end
end

-- The last file that the first of `places` with one leads to.
local function found_at(places)
  for _, pattern in ipairs(places or {}) do
    local found = look.glob(pattern)
    if found[1] then
      return found[#found]
    end
  end
end

-- The folder of a library that is there, though it does not open: what it loads lies
-- beside it.
local function library_path(library)
  local dir = (found_at(library.at) or ""):match "^(.*)/"
  if not dir then
    return
  end
  local list = {dir}
  for _, other in ipairs(library.also or {}) do
    list[#list + 1] = other:format(dir:match "^(.*)/")
  end
  return ("export LD_LIBRARY_PATH=%s:$LD_LIBRARY_PATH"):format(table.concat(list, ":"))
end

local function offline(compiler)
  local found = compiler and found_at(compiler.at)
  return found and "export " .. compiler.env .. "=" .. found
end

-- By the id of an error: (system, the vendor of the target) -> command, or nil.
local of = {
  no_cc = function(s) return unset(s, "CC") or install(s, "cc") end,
  cc_broken = function(s) return unset(s, "CC") or install(s, "cc") end,
  cuda_no_library = function(s)
    if set(s, "MOONTILE_CUDA_LIB") then
      return "unset MOONTILE_CUDA_LIB"
    elseif look.node "/dev/dxg" then
      return "export LD_LIBRARY_PATH=/usr/lib/wsl/lib:$LD_LIBRARY_PATH"
    elseif look.node "/.dockerenv" then
      return "docker run --gpus all ..."
    end
    return install(s, "nvidia")
  end,
  cuda_old_library = function(s) return install(s, "nvidia") end,
  cuda_mismatch = function(s)
    return M.sudo(s) .. "modprobe -r nvidia_uvm nvidia_drm nvidia_modeset nvidia && "
      .. M.sudo(s) .. "modprobe nvidia"
  end,
  cuda_stub = function(s) return unset(s, "MOONTILE_CUDA_LIB", "LD_LIBRARY_PATH") end,
  cuda_no_device = function(s) return unset(s, "CUDA_VISIBLE_DEVICES") end,
  cuda_no_compiler = function(s)
    return unset(s, "MOONTILE_NVRTC_LIB") or "pip install nvidia-cuda-nvrtc-cu12"
  end,
  gpu_no_library = function(s, v)
    return unset(s, v.library.env) or library_path(v.library) or install(s, v.library.package)
  end,
  gpu_no_device = function(s, v) return unset(s, v.visible) end,
  gpu_no_compiler = function(s, v)
    return unset(s, v.compiler.env) or offline(v.offline) or install(s, v.compiler.package)
  end,
  remote_library = function(s) return unset(s, "MOONTILE_CURL_LIB") or install(s, "curl") end,
}

-- The command for an error of a target, or nil.
function M.command(s, target, id)
  local f = of[id]
  return f and f(s, vendors[target]) or nil
end

return M
