return {run=function() end}
