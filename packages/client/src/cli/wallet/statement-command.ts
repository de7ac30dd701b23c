import type { Command } from 'commander'
import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import type { Statement } from '../../index.ts'
import {
  type CommandCall,
  type CommonOptions,
  openCall,
  rawRequest,
  withConnection,
} from '../connection/command-call.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes, usageError } from '../exit.ts'

const examples = `
Examples:
  quipu statement
  quipu statement 2026-11-20 --out 2026-11-20.csv
  quipu statement 2026-11-20 --json`

type StatementOptions = CommonOptions & { readonly out?: string }

/** `statement` writes a day. */
export function addStatementCommand(program: Command, context: Context): void {
  withConnection(program.command('statement'))
    .summary('Write a day as CSV or JSON')
    .description(
      'Write the statement of a day in UTC as CSV, or with --json as JSON: the opening balance, every transaction, the closing balance. A day is final ten minutes after its end. An incomplete answer leaves no file, and ends with exit code 3.',
    )
    .argument('[date]', 'such as 2026-11-20; default: yesterday')
    .option('--out <file>', 'the file to write; else the statement is printed')
    .addHelpText('after', examples)
    .action(async (date: string | undefined, options: StatementOptions) => {
      const day = date ?? new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
      if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) throw usageError(`${day} is no date such as 2026-11-20.`)
      const call = await openCall(options, context)
      const text = call.json ? await wholeJson(call, day) : await wholeCsv(call, day)
      if (options.out === undefined) return context.terminal.out(text)
      await writeWhole(options.out, text)
      context.terminal.error(`The statement of ${day} is in ${options.out}.\n`)
    })
}

/** The day as one object, without a cursor: the pages' rows together. */
async function wholeJson({ client, context }: CommandCall, day: string): Promise<string> {
  const options = { signal: context.signal }
  const read = (cursor?: string): Promise<Statement> =>
    client.wallets.statement(day, { limit: 100, cursor }, options).page()
  const first = await read()
  const data = [...first.data]
  for (let page = first; page.next_cursor !== null;) {
    page = await read(page.next_cursor)
    data.push(...page.data)
  }
  return `${JSON.stringify({ ...first, data, next_cursor: null }, null, 2)}\n`
}

/** @throws QuipuError for a refused day; CommandError when the answer is cut off */
async function wholeCsv(call: CommandCall, day: string): Promise<string> {
  const path = `/v1/wallets/statements/${day}?format=csv`
  const { status, text } = await rawRequest(call, path, { accept: 'text/csv' }).catch(incomplete)
  // The refusal as the client reports it: with code, request and remedy.
  if (status !== 200) await call.client.wallets.statement(day).page()
  if (status === 200 && /(?:^|\n)closing,[^\n]*\n$/.test(text)) return text
  return incomplete()
}

const incomplete = (): never => {
  throw new CommandError(exitCodes.unavailable, 'The statement did not arrive completely. Repeat the command.')
}

/** The file has the whole statement, or stays as it was. */
async function writeWhole(file: string, text: string): Promise<void> {
  const next = `${file}.${randomUUID()}`
  try {
    await writeFile(next, text, { flag: 'wx' })
    await rename(next, file)
  } catch (error) {
    await rm(next, { force: true })
    throw usageError(`--out: ${error instanceof Error ? error.message : 'it cannot be written'}`)
  }
}
