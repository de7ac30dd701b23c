import type { Command } from 'commander'
import { withConnection } from '../connection/connection-options.ts'
import type { Context } from '../context.ts'
import type { StatementOptions } from './write-statement.ts'

const examples = `
Examples:
  quipu-admin statement ten_01K6HZ8M00000000000000000A
  quipu-admin statement ten_01K6HZ8M00000000000000000A 2026-11-20 --out ejemplo-2026-11-20.csv
  quipu-admin statement ten_01K6HZ8M00000000000000000A 2026-11-20 --json`

/** `statement` writes a tenant's day. */
export function addStatementCommand(program: Command, context: Context): void {
  const statement = program
    .command('statement')
    .summary('Write a tenant’s day as CSV or JSON')
    .description(
      'Write a tenant’s statement of a day in UTC as CSV, or with --json as JSON: the opening balance, every transaction, the closing balance. A day is final ten minutes after its end. An incomplete answer leaves no file, and ends with exit code 3.',
    )
    .argument('<tenant-id>')
    .argument('[date]', 'such as 2026-11-20; default: yesterday')
    .option('--out <file>', 'the file to write; else the statement is printed')
  withConnection(statement)
    .addHelpText('after', examples)
    .action(async (tenantId: string, date: string | undefined, options: StatementOptions) => {
      const { writeStatement } = await import('./write-statement.ts')
      await writeStatement({ tenantId, date }, options, context)
    })
}
