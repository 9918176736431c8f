# The module datetime: dates, differences, texts; what CPython says of wrong ones.
from datetime import datetime, timedelta, date, timezone
import datetime as _dt
d = datetime(2024, 2, 28, 13, 5, 9, 120034)
print(d, repr(d), d.isoformat(), d.strftime("%Y%m%d_%H%M%S_%f"), d.strftime("%Y-%m-%d %H:%M"), d.date(), d.year, d.month, d.day, d.hour, d.minute, d.second, d.microsecond, d.weekday(), d.isoweekday())
t = timedelta(days=2, hours=3, seconds=0.5); print(t, repr(t), d + t, d - t, t*2, t/2, t/timedelta(hours=1), -t, abs(-t), t.total_seconds(), t.days, t.seconds, t.microseconds, timedelta(0), timedelta(days=-1), timedelta(minutes=90), bool(timedelta()))
print(datetime(2024,3,1)-datetime(2024,2,28), (datetime(2024,3,1)-d).total_seconds(), d < datetime(2025,1,1), d == d, max(d, datetime(2030,1,1)), {d: 1}[d], date(2024,1,31)+timedelta(days=1), date(2024,3,1)-date(2023,3,1))
print(d.replace(hour=0, minute=0, second=0, microsecond=0), f"{d:%H:%M}", f"{d}", datetime.strptime("2023-07-04 01:02:03", "%Y-%m-%d %H:%M:%S"), datetime.fromisoformat("2023-07-04T01:02:03.5"), d.isoformat(sep=" ", timespec="seconds"), datetime(2024,1,1,tzinfo=timezone.utc).isoformat(), datetime(2024,1,1,tzinfo=_dt.UTC).timestamp(), datetime.fromtimestamp(86400*365, tz=timezone.utc))
for f in (lambda: datetime(2023,2,29), lambda: datetime(2023,13,1), lambda: datetime.strptime("x","%Y"), lambda: datetime(2023,1,1,25), lambda: 1/0):
    try: f()
    except Exception as e: print(type(e).__name__, e)
n = datetime.now(); print((datetime.now()-n).total_seconds() < 5, type(n).__name__, isinstance(n, date), len(n.strftime("%Y-%m-%d")), abs((datetime.now(tz=timezone.utc).timestamp()-datetime.now().timestamp())) < 5, date.today() == datetime.today().date(), datetime.fromtimestamp(n.timestamp()) == n)
