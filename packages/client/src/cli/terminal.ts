import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Terminal } from './context.ts'

/** The process's own streams. Questions are written to standard error, so that a pipe gets the result alone. */
export const processTerminal = (signal: AbortSignal): Terminal => ({
  out: (written) => void process.stdout.write(written),
  error: (written) => void process.stderr.write(written),
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  ask: process.stdin.isTTY && process.stderr.isTTY ? asking(signal) : undefined,
  input: () => text(process.stdin),
})

const asking =
  (signal: AbortSignal): NonNullable<Terminal['ask']> =>
  async (question, { isSecret } = { isSecret: false }) => {
    process.stderr.write(question)
    const write = (chunk: Buffer, _: string, done: () => void): void => {
      if (!isSecret) process.stderr.write(chunk)
      done()
    }
    // A history of one line is none, so that a secret is in no memory of the line editor.
    const settings = { input: process.stdin, terminal: true, historySize: 0 }
    const lines = createInterface({ ...settings, output: new Writable({ write }) })
    try {
      lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
      return (await lines.question('', { signal })).trim()
    } finally {
      lines.close()
      if (isSecret) process.stderr.write('\n')
    }
  }
