import { enableCompileCache } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'

enableCompileCache()
const { runCommand } = await import('./run-command.ts')
const { processTerminal } = await import('./terminal.ts')
process.exitCode = await runCommand(process.argv.slice(2), {
  terminal: processTerminal(),
  env: process.env,
  pause,
})
