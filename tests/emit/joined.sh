# Where lanes part at a condition that is cut short, they come together before anybody branches.
"$MOONTILE" -t "sim -arch=sm_90a" lib/joined.lua 2>/dev/null
