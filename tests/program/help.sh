# The help: on stdout, exit status 0, within 80 columns and 24 lines.
"$MOONTILE" --help
echo "[$?]"
for lang in en zh; do
    "$MOONTILE" --lang $lang --help >"$TMP/$lang"
    [ "$(wc -L <"$TMP/$lang")" -lt 80 ] || echo "$lang: too wide"
    [ "$(wc -l <"$TMP/$lang")" -lt 24 ] || echo "$lang: too long"
done
grep -E -e 'ir-check|worker|roundtrip|selfcheck|--session-process' "$TMP/en" "$TMP/zh"
"$MOONTILE" -h | cmp - "$TMP/en"
MOONTILE_LANG=zh_CN "$MOONTILE" --help | cmp - "$TMP/zh"
MOONTILE_LANG='' LC_ALL='' LANG=zh_CN.UTF-8 "$MOONTILE" --help | cmp - "$TMP/zh"
MOONTILE_LANG='' LC_ALL=C LANG=zh_CN.UTF-8 "$MOONTILE" --help | cmp - "$TMP/en"
