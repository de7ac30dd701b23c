// Preloaded into every program that a test starts.
import { existsSync, readFileSync } from 'node:fs'
import { flushCompileCache } from 'node:module'

// Node writes its compile cache at exit, which a killed program does not reach.
setTimeout(flushCompileCache, 500).unref()

// Offsets the program's clock: by a setting, or by a file that a test rewrites.
let aheadMs = Number(process.env['CLOCK_AHEAD_MS'] ?? 0)
const clockFile = process.env['CLOCK_FILE']
if (clockFile !== undefined)
  setInterval(() => {
    try {
      aheadMs = existsSync(clockFile) ? Number(readFileSync(clockFile, 'utf8')) : 0
    } catch {
      // The program may have no file descriptor left; its clock stays as it was.
    }
  }, 100).unref()
if (aheadMs !== 0 || clockFile !== undefined) {
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
