return 'a plain module'
