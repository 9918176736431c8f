-- doctor/fixes.lua: for each gap the one command that mends it, as it can be pasted.

local look = require "moontile.look"

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

-- The folder of a library that is there, though it does not open: what it loads lies
-- beside it.
local libraries = {
  maca = { "/opt/maca/lib/libmcruntime.so", "/opt/maca-[0-9]*/lib/libmcruntime.so" },
  hip = { "/opt/rocm/lib/libamdhip64.so", "/opt/rocm-[0-9]*/lib/libamdhip64.so",
    "/opt/dtk/lib/libgalaxyhip.so", "/opt/dtk/hip/lib/libgalaxyhip.so" },
}

local function library_path(target)
  for _, pattern in ipairs(libraries[target] or {}) do
    local found = look.glob(pattern)
    local dir = found[#found] and found[#found]:match "^(.*)/"
    if dir and target == "maca" then
      return ("export LD_LIBRARY_PATH=%s:%s/mxgpu_llvm/lib:/opt/mxdriver/lib:$LD_LIBRARY_PATH")
        :format(dir, dir:match "^(.*)/")
    elseif dir then
      return ("export LD_LIBRARY_PATH=%s:$LD_LIBRARY_PATH"):format(dir)
    end
  end
end

local function offline(target)
  for _, pattern in ipairs(target == "maca" and { "/opt/maca/mxgpu_llvm/bin/mxcc",
    "/opt/maca-[0-9]*/mxgpu_llvm/bin/mxcc" } or {}) do
    local found = look.glob(pattern)
    if found[1] then
      return "export MOONTILE_MXCC=" .. found[#found]
    end
  end
end

-- By the id of an error: (system, target) -> command, or nil.
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
  gpu_no_library = function(s, target)
    return unset(s, target == "hip" and "MOONTILE_HIP_LIB" or "MOONTILE_MACA_LIB")
      or library_path(target) or (target == "hip" and install(s, "hip") or nil)
  end,
  gpu_no_device = function(s, target)
    return unset(s, target == "hip" and "HIP_VISIBLE_DEVICES" or "MACA_VISIBLE_DEVICES")
  end,
  gpu_no_compiler = function(s, target)
    return unset(s, target == "hip" and "MOONTILE_HIPRTC_LIB" or "MOONTILE_MACA_LIB")
      or offline(target) or (target == "hip" and install(s, "hipcc") or nil)
  end,
  remote_library = function(s) return unset(s, "MOONTILE_CURL_LIB") or install(s, "curl") end,
}

-- The command for an error of a target, or nil.
function M.command(s, target, id)
  local f = of[id]
  return f and f(s, target) or nil
end

return M
