/* Messages of starting and setting up `moontile serve`: E894 to E899.  See errs.h. */
/* {1} what could not be done, {2} why, or 1: {3} the certificate and its key, {4} the port is
 * in use, {5} it does not read */
ERR(serve_start, "E894", Lerror, "the server could not be started", "服务器无法启动",
    "{1}: {2}{3|the certificate and the key cannot be read, or do not belong together|}{4|another program is listening there; --port N uses another port, --port 0 any free one|}{5|it cannot be read|}",
    "{1}：{2}{3|证书与私钥无法读取，或两者不匹配|}{4|已有其他程序在此监听；可用 --port N 换端口，--port 0 由系统选择|}{5|无法读取|}", "", "")
/* {1} the address */
ERR(serve_open, "E895", Lerror, "a server that others can reach needs tokens", "可供他人访问的服务器需要令牌", "{1} is not limited to this machine",
    "{1} 不限于本机", "make one first: moontile serve token NAME", "请先生成：moontile serve token 名称")
/* {1} the flag */
ERR(serve_flag, "E896", Lerror, "serve has no `{1}`", "serve 没有“{1}”", "", "", "moontile serve --help lists the options", "可用项见 moontile serve --help")
/* {1} the flag, {2} the value, {3} what it takes */
ERR(serve_value, "E897", Lerror, "`{1}` does not take `{2}`", "“{1}”不接受“{2}”", "it takes {3}", "可接受 {3}", "", "")
/* {1} the name, {2} 1: there is one, 0: there is none */
ERR(serve_token_name, "E898", Lerror, "there is {2|already a|no} token with that name", "{2|已有|没有}该名称的令牌", "{1}", "{1}",
    "{2|remove it first: moontile serve token --remove {1}|moontile serve token --list lists the tokens}",
    "{2|请先删除：moontile serve token --remove {1}|可用 moontile serve token --list 查看}")
/* {1} the file, {2} why, or 1: {3} no file, {4} somebody else's, {5} others, {6} does not read */
ERR(serve_token_file, "E899", Lerror, "the file of tokens cannot be used", "令牌文件无法使用",
    "{1}: {2}{3|it is not a file, or is too large|}{4|it belongs to someone else|}{5|others can read or write it|}{6|one of its lines cannot be read|}",
    "{1}：{2}{3|它不是文件，或者太大|}{4|它属于其他用户|}{5|其他用户可以读写它|}{6|其中有一行无法读取|}",
    "it must belong to you alone: chmod 600", "该文件只应由您本人读写：chmod 600")
