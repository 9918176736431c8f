# Codes of four digits: what :explain says of them, in both languages.
printf ':explain E1011\n:explain e1005\n' | "$MOONTILE" --lang en -i 2>&1 | grep -v '^moontile'
printf ':explain E1011\n' | "$MOONTILE" --lang zh -i 2>&1 | grep -v '^moontile'
