/* repl/serve/settings.h: every number that can be set, once.
 * SETTING(id, default, unit, least, most, who, en, zh): a flag --id (with - for _) and a
 * line "id = value" of the config file.
 * unit: 'b' bytes (64M), 's' seconds, 'n' a number
 * who: 'c' each client (a token), told in "limits"; 'p' each client, not told; 'a' the server
 * A default of -1 is found out at start. */
SETTING(memory,      4LL << 30, 'b', 64, 1LL << 46, 'c', "bytes of tensors", "张量字节数")
SETTING(tensors,     4096,      'n', 1, 1 << 20,    'c', "tensors of a session", "每个会话的张量数")
SETTING(kernels,     256,       'n', 1, 1 << 16,    'c', "kernels of a session", "每个会话的内核数")
SETTING(sessions,    -1,        'n', 1, 4096,       'c', "sessions (default 4 per token; no limit without tokens)",
                                                         "会话数（每个令牌 4；没有令牌时不另设限）")
SETTING(ir_bytes,    4 << 20,   'b', 64, 16 << 20,  'c', "bytes of a kernel's text", "内核文本的字节数")
SETTING(json_bytes,  1 << 20,   'b', 1024, 16 << 20, 'c', "bytes of a JSON body", "JSON 正文的字节数")
SETTING(body_bytes,  1LL << 30, 'b', 1024, 1LL << 40, 'c', "bytes of one PUT", "一次 PUT 的字节数")
SETTING(workspace,   1LL << 30, 'b', 0, 1LL << 40,  'c', "bytes that a kernel allocates itself",
                                                         "内核自行分配的字节数")
SETTING(process,     -1,        'b', 256 << 20, 1LL << 40, 'c',
        "bytes of each process of a session, besides tensors (processors and sim)",
        "会话的每个进程可用的字节数，张量除外（处理器与 sim）")
SETTING(requests_s,  5000,      'n', 1, 1000000,    'c', "requests per second", "每秒请求数")
SETTING(kernel_s,    10,        's', 1, 86400,      'c', "seconds of one run of a kernel",
                                                         "内核单次运行的秒数")
SETTING(compile_s,   60,        's', 1, 86400,      'c', "seconds of a compilation", "编译的秒数")
SETTING(exclusive_s, 60,        's', 1, 86400,      'c', "seconds of a whole bench", "整个计时任务的秒数")
SETTING(runs,        100000,    'n', 1, 10000000,   'c', "runs of one bench", "一次计时任务的运行次数")
SETTING(idle_s,      600,       's', 1, 86400 * 7,  'c', "seconds until an idle session is closed",
                                                         "空闲会话关闭前的秒数")
SETTING(away_s,      60,        's', 1, 86400 * 7,  'c',
        "seconds until a session without a connection is closed", "无连接的会话关闭前的秒数")
SETTING(connected,   64,        'n', 1, 4096,       'p', "connections", "连接数")
SETTING(cache,       256 << 20, 'b', 0, 1LL << 40,  'p',
        "bytes of contents kept to avoid sending them again",
        "为免重复发送而保留的内容字节数")
SETTING(sessions_all, 128,      'n', 1, 4096,       'a', "sessions of all clients", "所有客户端的会话数")
SETTING(memory_all,  -1,        'b', 64, 1LL << 46, 'a', "bytes of tensors of all clients",
                                                         "所有客户端的张量字节数")
SETTING(connections, 1024,      'n', 4, 100000,     'a', "connections in total", "连接总数")
SETTING(at_once,     -1,        'n', 1, 1024,       'a',
        "kernels that run at once, untimed (a card: 1; the processor: one per core)",
        "同时运行的（不计时）内核数（卡：1；处理器：每核一个）")
SETTING(compiles,    -1,        'n', 1, 1024,       'a', "compilations at once", "同时进行的编译数")
SETTING(sandbox,     1,         'n', 0, 1,          'a',
        "1: no sessions on a processor without Landlock and seccomp",
        "1：没有 Landlock 与 seccomp 时不开放处理器会话")
SETTING(head_s,      15,        's', 1, 3600,       'a',
        "seconds within which a connection must show a token", "连接必须出示令牌的秒数")
SETTING(grace_s,     10,        's', 0, 3600,       'a',
        "seconds that running kernels get at shutdown", "关闭时正在运行的内核可用的秒数")
#undef SETTING
