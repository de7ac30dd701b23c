import { spawnSync } from 'node:child_process'
import { Worker } from 'node:worker_threads'

// Uses CPU in a thread and in a child process with such a thread, both of which end, and prints the sum by
// getrusage, in µs.

const [, , depth = '1'] = process.argv
const burn = 'let sum = 0; for (let n = 0; n < 4e8; n++) sum = (sum + n) % 7'
const thread = new Worker(burn, { eval: true })
thread.on('exit', () => {
  const child = depth === '0' ? '0' : spawnSync(process.execPath, [import.meta.filename, '0']).stdout.toString()
  const { user, system } = process.cpuUsage()
  process.stdout.write(`${user + system + Number(child)}\n`)
  if (depth !== '0') setInterval(() => {}, 1_000)
})
