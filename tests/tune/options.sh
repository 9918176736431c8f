# lib/options.lua with a store of its own.
export MOONTILE_CACHE_DIR="$TMP/cache"
"$MOONTILE" --lang en lib/options.lua
