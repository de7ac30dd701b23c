// Loaded before a program that a test runs.
import { flushCompileCache } from 'node:module'

// Keeps what Node has compiled for the next one: a program that is killed does not come to do so.
setTimeout(flushCompileCache, 500).unref()

// A clock that is wrong by so many milliseconds.
const aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0)
if (aheadMs !== 0) {
  const RightDate = Date
  const wrongNow = (): number => RightDate.now() + aheadMs
  globalThis.Date = new Proxy(RightDate, {
    construct: (target, given: [], as) =>
      Reflect.construct(target, given.length === 0 ? [wrongNow()] : given, as) as Date,
    get: (target, name, as): unknown =>
      name === 'now' ? wrongNow : (Reflect.get(target, name, as) as unknown),
  })
}

// Ends with whoever started it, since a test that hangs does not come to end it.
const { ppid } = process
setInterval(() => {
  if (process.ppid !== ppid) process.exit(1)
}, 500).unref()
