import { type Command, Option } from 'commander'
import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import { type CommonOptions, openCall, withConnection } from '../connection/command-call.ts'
import type { Context } from '../context.ts'
import { usageError } from '../exit.ts'

const examples = `
Examples:
  quipu statement
  quipu statement 2026-11 --timezone America/La_Paz --out 2026-11.csv
  quipu statement 2026-11-20 --json`

type Timezone = 'UTC' | 'America/La_Paz'
type StatementOptions = CommonOptions & { readonly out?: string; readonly timezone: Timezone }

const behindMs: Readonly<Record<Timezone, number>> = { UTC: 0, 'America/La_Paz': 4 * 3_600_000 }

const yesterday = (timezone: Timezone): string =>
  new Date(Date.now() - 86_400_000 - behindMs[timezone]).toISOString().slice(0, 10)

/** `statement` writes a month or a day. */
export function addStatementCommand(program: Command, context: Context): void {
  withConnection(program.command('statement'))
    .summary('Write a month or a day as CSV or JSON')
    .description(
      'Write the statement of a month or a day as CSV, or with --json as JSON: the opening balance, every transaction with its BOB, rate, fee and merchant, the closing balance. It is final soon after its end. An incomplete answer leaves no file, and ends with exit code 3.',
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
      const { wallets } = call.client
      const { signal } = context
      const text = call.json
        ? `${JSON.stringify(await wallets.statement(period, { timezone, limit: 100 }, { signal }).whole(), null, 2)}\n`
        : await wallets.statementCsv(period, { timezone }, { signal })
      if (options.out === undefined) return context.terminal.out(text)
      await writeWhole(options.out, text)
      context.terminal.error(`The statement of ${period}, ${timezone}, is in ${options.out}.\n`)
    })
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
