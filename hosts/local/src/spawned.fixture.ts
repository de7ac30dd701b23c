// Loaded before a program that a test runs.
import { flushCompileCache } from 'node:module'

// Keeps what Node has compiled for the next one: a program that is killed does not come to do so.
setTimeout(flushCompileCache, 500).unref()

// Ends with whoever started it, since a test that hangs does not come to end it.
const { ppid } = process
setInterval(() => {
  if (process.ppid !== ppid) process.exit(1)
}, 500).unref()
