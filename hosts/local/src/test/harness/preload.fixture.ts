// Preloaded into every program that a test starts.
import { flushCompileCache } from 'node:module'

// Node writes its compile cache at exit, which a killed program does not reach.
setTimeout(flushCompileCache, 500).unref()

// Offsets the program's clock.
const aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0)
if (aheadMs !== 0) {
  const RealDate = Date
  const offsetNow = (): number => RealDate.now() + aheadMs
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args: [], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [offsetNow()] : args, newTarget) as Date,
    get: (target, name, receiver): unknown =>
      name === 'now' ? offsetNow : (Reflect.get(target, name, receiver) as unknown),
  })
}

// Ends the program when its test process has ended, since a killed test stops nothing.
const { ppid } = process
setInterval(() => {
  if (process.ppid !== ppid) process.exit(1)
}, 500).unref()
