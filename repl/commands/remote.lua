-- commands/remote.lua: kernels on another machine.

return function(M)
local say = M.say

-- The connection, or that there is none.
local function show()
  local c = require("moontile.tl.connect").connection()
  print(c and tostring(c) or say("not connected: kernels run on this machine",
    "未连接：内核在本机运行"))
end

M.add {
  name = "connect",
  example = ":connect",
  args = "[URL [TARGET]]",
  summary = { en = "run kernels on a machine where `moontile serve` is",
    zh = "在运行 `moontile serve` 的机器上运行内核" },
  text = {
    en = "`:connect https://gpu.example.org:8411 cuda`; without TARGET it is the server's best, "
      .. "and without URL the connection is shown.  The token comes from MOONTILE_TOKEN_FILE "
      .. "(--token-file) or MOONTILE_TOKEN: never type it here.",
    zh = "`:connect https://gpu.example.org:8411 cuda`；不写 TARGET 时用服务器上最好的目标，不写 URL 时"
      .. "显示当前连接。令牌取自 MOONTILE_TOKEN_FILE（--token-file）或 MOONTILE_TOKEN，切勿在此输入。",
  },
  run = function(args)
    local url, target = args:match "^(%S+)%s*(.-)$"
    if url then
      require("moontile.tl.connect").connect(url, { target = target ~= "" and target or nil })
    end
    show()
  end,
}

M.add {
  name = "disconnect",
  example = ":disconnect",
  args = "",
  summary = { en = "back to this machine", zh = "回到本机" },
  text = { en = "Contents of your tensors that only the server has are fetched first.",
    zh = "先取回只在服务器上的张量内容。" },
  run = function()
    require("moontile.tl.connect").disconnect()
    show()
  end,
}
end
