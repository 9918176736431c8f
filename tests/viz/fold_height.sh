#!/bin/sh
# A fragment at a terminal: folded so far that it fits the height, where what is left out
# only repeats; where it does not fit, pages that say how to see the next one.
. ../program/lib/terminal.sh
export MOONTILE_CACHE_DIR="$TMP"

shown() {
    start -i -t cpu --lang en ../prompt/lib/inside.lua
    wait_for '1>'
    keys C-l ':plot Cl' Enter
    wait_for "$1"
    part "$2"
    stop
}

WIDTH=60 HEIGHT=50
shown 'T28..31' 'high enough'
HEIGHT=28
shown 'T28..31' 'lower'
HEIGHT=20
shown 'page 1 of' 'pages'
