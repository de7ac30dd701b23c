import process from 'node:process'
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { writeLines } from '../terminal.ts'
import type { Terminal } from './context.ts'

const people: Typed = { input: process.stdin, output: process.stderr }

/** The process's own streams. Questions are written to standard error, so that a pipe gets the result alone. */
export const processTerminal = (signal: AbortSignal): Terminal => ({
  out: writeLines(process.stdout),
  error: (written) => void process.stderr.write(written),
  columns: process.stdout.isTTY ? process.stdout.columns : undefined,
  ask: process.stdin.isTTY && process.stderr.isTTY ? asking(people, signal) : undefined,
  input: () => text(process.stdin),
})

/** A terminal that a person types into. */
export type Typed = { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream }

/** Asks questions, one line each. @throws the signal's reason when it is aborted */
export const asking =
  ({ input, output }: Typed, signal: AbortSignal): NonNullable<Terminal['ask']> =>
  async (question, { isSecret } = { isSecret: false }) => {
    let isMuted = false
    const write = (chunk: Buffer, _: string, done: () => void): void => {
      if (!isMuted) output.write(chunk)
      done()
    }
    // Without a history, the line editor forgets a secret.
    const settings = { input, terminal: true, historySize: 0 }
    const lines = createInterface({ ...settings, output: new Writable({ write }) })
    try {
      lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'))
      const answer = lines.question(question, { signal }) // Writes the question before it returns.
      isMuted = isSecret
      return (await answer).trim()
    } finally {
      lines.close()
      if (isSecret) output.write('\n')
    }
  }
