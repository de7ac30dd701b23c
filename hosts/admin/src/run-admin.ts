import { enableCompileCache } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'

enableCompileCache()
// `quipu-admin … | head` closes the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})
const { runCommand } = await import('./run-command.ts')
const { processTerminal } = await import('./terminal.ts')
process.exitCode = await runCommand(process.argv.slice(2), { terminal: processTerminal(), env: process.env, pause })
