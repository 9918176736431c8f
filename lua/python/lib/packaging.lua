-- python/lib/packaging.lua: the package packaging: its module version.

return {__doc__ = "packaging.version is here"}
