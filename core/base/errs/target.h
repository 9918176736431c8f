/* Messages of targets and their options: E312 to E314.  See errs.h. */
ERR(target_option, "E312", Lerror, "the target has no option `{2}`", "该目标没有选项 `{2}`",
    "its options are {3}", "可用选项为 {3}", "", "")
ERR(target_value, "E313", Lerror, "the target's option `{2}` has a wrong value", "目标选项 `{2}` 的取值有误",
    "it takes {3}", "它接受 {3}", "", "")
ERR(target_unknown, "E314", Lerror, "there is no target `{1}`", "没有名为 `{1}` 的目标", "known targets: {2}", "已知的有 {2}", "", "")
