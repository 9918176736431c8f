/* E840 to E859: the remote target (targets/remote): reaching a server, what it answers.
 * {1} is the kernel's name or "remote", {2} the server. */
ERR(remote_url, "E840", Lerror, "`{2}` is not the address of a server", "`{2}` 不是服务器地址",
    "{3|it begins with neither https:// nor http://|}{4|it holds more than a host, a port and a folder|}{5|it has no host, or is too long|}{6|none was given|}",
    "{3|它既不以 https:// 也不以 http:// 开头|}{4|其中除主机、端口和目录外还有其他内容|}{5|其中没有主机，或者太长|}{6|没有给出地址|}",
    "write host and port, as in https://gpu.example.org:8411; the token goes in the file that MOONTILE_TOKEN_FILE or --token-file names",
    "请写主机与端口，例如 https://gpu.example.org:8411；令牌放在由 MOONTILE_TOKEN_FILE 或 --token-file 指定的文件中")
ERR(remote_connect, "E841", Lerror, "cannot reach {2}", "无法连接 {2}", "{3}", "{3}",
    "is `moontile serve` running there, and is there a firewall in between? if only ssh is open: ssh -N -L 8411:localhost:8411 HOST, then http://localhost:8411",
    "那里是否正在运行 `moontile serve`？中间是否有防火墙？若容器只开放 ssh：ssh -N -L 8411:localhost:8411 HOST，然后使用 http://localhost:8411")
ERR(remote_tls, "E842", Lerror, "the connection to {2} is not secure", "与 {2} 的连接不安全", "{3}", "{3}",
    "name the certificate of the server or of its authority: --cacert FILE, or MOONTILE_CACERT", "请用 --cacert FILE 或 MOONTILE_CACERT 指定服务器或其签发机构的证书")
ERR(remote_token, "E843", Lerror, "{2} does not let us in", "{2} 拒绝访问", "{3|no token was given|it does not know the token}", "{3|没有给出令牌|它不认识该令牌}",
    "put the token that `moontile serve token` gave into a file of your own and name it: --token-file FILE, or MOONTILE_TOKEN_FILE",
    "请把 `moontile serve token` 给出的令牌写入自己的文件，并用 --token-file FILE 或 MOONTILE_TOKEN_FILE 指定")
ERR(remote_token_file, "E844", Lerror, "there is no token in {2}", "{2} 中没有令牌", "{3|it is not a token|}{4}", "{3|它不是令牌|}{4}",
    "the first line of the file is the token and nothing else", "文件的第一行应当只有令牌")
ERR(remote_protocol, "E845", Lerror, "{2} speaks another protocol", "{2} 使用的协议版本不同", "it speaks version {3} (moontile {5}), this moontile version {4}",
    "对方为版本 {3}（moontile {5}），本程序为版本 {4}", "use the same version of moontile on both sides", "请在两端使用相同版本的 moontile")
ERR(remote_answer, "E846", Lerror, "{2} gave an answer that cannot be read", "{2} 的应答无法解读", "expected {3}, got `{4}`", "应为 {3}，得到 `{4}`",
    "is it a `moontile serve` that answers there?", "那里应答的是 `moontile serve` 吗？")
ERR(remote_stalled, "E847", Lerror, "{2} is silent", "{2} 没有响应", "nothing came for {3} s", "{3} 秒内没有收到任何数据",
    "look at the network and at the server's log, then run it again", "请检查网络与服务器日志，然后重新运行")
ERR(remote_cut, "E848", Lerror, "the connection to {2} was lost", "与 {2} 的连接已断开",
    "{3|it was closed without an answer|}{4|the answer was cut off|}{5}", "{3|对方未作应答即关闭|}{4|应答中途断开|}{5}",
    "run it again: a new session opens automatically", "请重新运行：会自动打开新的会话")
/* {3} {4} {5}: which of eight reasons, as in answer.c */
ERR(remote_gone, "E849", Lerror, "the session on {2} is gone", "{2} 上的会话已不存在",
    "{3|{4|{5|it was idle for too long|it had no connection for too long}|{5|the server does not know it: perhaps it was restarted|another session took its place}}|{4|{5|its process on the server ended|the token is no longer valid}|{5|something in it took longer than the server allows|the server was shut down}}}",
    "{3|{4|{5|它空闲太久|它太久没有连接}|{5|服务器不认识它，可能已重新启动|另一个会话取代了它}}|{4|{5|它在服务器上的进程已结束|令牌已失效}|{5|其中的操作用时超出服务器的限额|服务器已关闭}}}",
    "run it again: a new session opens automatically", "请重新运行：会自动打开新的会话")
ERR(remote_none, "E850", Lerror, "{2} has no target `{3}`", "{2} 没有目标 `{3}`", "it has {4}", "可用的有 {4}", "", "")
/* {3} in English, {4} in Chinese, {5} 1 */
ERR(remote_refused, "E852", Lerror, "{2} refuses this", "{2} 拒绝了此请求", "{5|{3}|{4}}", "{5|{4}|{3}}", "", "")
ERR(remote_plain, "E853", Lerror, "the token would travel to {2} unencrypted", "令牌将以明文发送到 {2}", "the address begins with http:// and is not on this machine",
    "该地址以 http:// 开头，且不在本机", "use https://, or an ssh tunnel; in a network that you trust: tl.connect(url, {plain = true})",
    "请使用 https:// 或 ssh 隧道；若网络可信：tl.connect(url, {plain = true})")
ERR(remote_insecure, "E854", Lerror, "certificates of other machines must be verified", "本机之外的证书必须验证", "-insecure is for servers on this machine, {2} is not", "-insecure 只用于本机的服务器，{2} 不在本机",
    "name the certificate: --cacert FILE", "请指定证书：--cacert FILE")
ERR(remote_library, "E855", Lerror, "libcurl cannot be used", "无法使用 libcurl", "looked for {2}", "已查找 {2}",
    "install it (Debian, Ubuntu: apt-get install libcurl4; Fedora: dnf install libcurl), or set MOONTILE_CURL_LIB to it",
    "请安装（Debian、Ubuntu：apt-get install libcurl4；Fedora：dnf install libcurl），或用 MOONTILE_CURL_LIB 指定")
/* what a call waits for, on one line of the terminal */
ERR(remote_queue, "E856", Lnote, "{1}: {2} {2|job|jobs} ahead of ours, about {3}", "{1}：前面还有 {2} 个任务，约 {3}", "", "", "", "")
ERR(remote_moving, "E857", Lnote, "{1} {2} [{3}] {4} of {5}, {6}/s", "{1} {2} [{3}] {4}，共 {5}，{6}/s", "", "", "", "")
ERR(remote_again, "E858", Lnote, "{1}: {2}; trying again ({3} of {4})", "{1}：{2}；正在重试（{3}/{4}）", "", "", "", "")
ERR(remote_waits, "E859", Lnote, "waiting for {1}", "正在等待 {1}", "", "", "", "")
