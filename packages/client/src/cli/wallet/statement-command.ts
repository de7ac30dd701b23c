import { type Command, Option } from 'commander'
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
  quipu statement 2026-11 --timezone America/La_Paz --out 2026-11.csv
  quipu statement 2026-11-20 --json`

type Timezone = 'UTC' | 'America/La_Paz'
type StatementOptions = CommonOptions & { readonly out?: string; readonly timezone: Timezone }

/** A month or a day in a zone. */
type Asked = { readonly period: string; readonly timezone: Timezone }

const behindMs: Readonly<Record<Timezone, number>> = { UTC: 0, 'America/La_Paz': 4 * 3_600_000 }

const yesterday = (timezone: Timezone): string =>
  new Date(Date.now() - 86_400_000 - behindMs[timezone]).toISOString().slice(0, 10)

/** `statement` writes a month or a day. */
export function addStatementCommand(program: Command, context: Context): void {
  withConnection(program.command('statement'))
    .summary('Write a month or a day as CSV or JSON')
    .description(
      'Write the statement of a month or a day as CSV, or with --json as JSON: the opening balance, every transaction with its BOB, rate, fee and merchant, the closing balance. It is final ten minutes after its end. An incomplete answer leaves no file, and ends with exit code 3.',
    )
    .argument('[period]', 'such as 2026-11 or 2026-11-20; default: yesterday')
    .addOption(
      new Option('--timezone <zone>', 'where a day or a month begins').choices(Object.keys(behindMs)).default('UTC'),
    )
    .option('--out <file>', 'the file to write; else the statement is printed')
    .addHelpText('after', examples)
    .action(async (given: string | undefined, { timezone, ...options }: StatementOptions) => {
      const period = given ?? yesterday(timezone)
      if (!/^\d{4}-\d{2}(?:-\d{2})?$/.test(period))
        throw usageError(`${period} is neither a month such as 2026-11 nor a day such as 2026-11-20.`)
      const call = await openCall(options, context)
      const asked = { period, timezone }
      const text = call.json ? await wholeJson(call, asked) : await wholeCsv(call, asked)
      if (options.out === undefined) return context.terminal.out(text)
      await writeWhole(options.out, text)
      context.terminal.error(`The statement of ${period}, ${timezone}, is in ${options.out}.\n`)
    })
}

/** The period as one object, without a cursor: the pages' rows together. */
async function wholeJson({ client, context }: CommandCall, { period, timezone }: Asked): Promise<string> {
  const options = { signal: context.signal }
  const read = (cursor?: string): Promise<Statement> =>
    client.wallets.statement(period, { timezone, limit: 100, cursor }, options).page()
  const first = await read()
  const data = [...first.data]
  for (let page = first; page.next_cursor !== null;) {
    page = await read(page.next_cursor)
    data.push(...page.data)
  }
  return `${JSON.stringify({ ...first, data, next_cursor: null }, null, 2)}\n`
}

/** @throws QuipuError for a refused period; CommandError when the answer is cut off */
async function wholeCsv(call: CommandCall, { period, timezone }: Asked): Promise<string> {
  const path = `/v1/statements/${period}?format=csv&timezone=${encodeURIComponent(timezone)}`
  const { status, text } = await rawRequest(call, path, { accept: 'text/csv' }).catch(incomplete)
  // The refusal as the client reports it: with code, request and remedy.
  if (status !== 200) await call.client.wallets.statement(period, { timezone }).page()
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
