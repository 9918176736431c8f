tl.compile(function() end)
