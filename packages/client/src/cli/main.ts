#!/usr/bin/env node
import { env } from 'node:process'
import process from 'node:process'
import { runCommand } from './run-command.ts'
import { processTerminal } from './terminal.ts'

// `quipu … | head` closes the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(0)
})
const ended = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => ended.abort())
const { signal } = ended
const context = { terminal: processTerminal(signal), env, signal }
process.exitCode = await runCommand(process.argv.slice(2), context)
