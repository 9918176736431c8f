async def f():
