# messages: those on layouts and memory of a compiler's stderr, the title and label
messages() {
  awk '/^[^ ]*: (error|note|warning)/ { sub(/^[^ ]*: /, "")
         on = /swizzle|layout|shared memory|num_stages| bytes/
         if (on) print "  " $0
         next }
       on && /^ +\| *\^/ { sub(/^ +\| *\^* */, ""); if ($0 != "") print "    " $0 }
       on && /^help: / { print "    " $0 }'
}
