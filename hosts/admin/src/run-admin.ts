import { enableCompileCache } from 'node:module'

enableCompileCache()
const { runCommand } = await import('./run-command.ts')
const { processTerminal } = await import('./terminal.ts')
process.exitCode = await runCommand(process.argv.slice(2), {
  terminal: processTerminal(),
  env: process.env,
})
