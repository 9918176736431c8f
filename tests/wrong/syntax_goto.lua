goto done
