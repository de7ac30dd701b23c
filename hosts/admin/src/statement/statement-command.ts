import { timezones } from '@quipu/core/operator'
import { type Command, Option } from 'commander'
import { withConnection } from '../connection/connection-options.ts'
import type { Context } from '../context.ts'
import type { StatementOptions } from './write-statement.ts'

const examples = `
Examples:
  quipu-admin statement ten_01K6HZ8M00000000000000000A
  quipu-admin statement ten_01K6HZ8M00000000000000000A 2026-11 --timezone America/La_Paz --out ejemplo-2026-11.csv
  quipu-admin statement ten_01K6HZ8M00000000000000000A 2026-11-20 --json`

/** `statement` writes a tenant's month or day. */
export function addStatementCommand(program: Command, context: Context): void {
  const statement = program
    .command('statement')
    .summary('Write a tenant’s month or day as CSV or JSON')
    .description(
      'Write a tenant’s statement of a month or a day as CSV, or with --json as JSON: the opening balance, every transaction with its BOB, rate, fee and merchant, the closing balance. It is final soon after its end. An incomplete answer leaves no file, and ends with exit code 3.',
    )
    .argument('<tenant-id>')
    .argument('[period]', 'such as 2026-11 or 2026-11-20; default: yesterday')
    .addOption(new Option('--timezone <zone>', 'where a day or a month begins').choices(timezones).default('UTC'))
    .option('--out <file>', 'the file to write; else the statement is printed')
  withConnection(statement)
    .addHelpText('after', examples)
    .action(async (tenantId: string, period: string | undefined, options: StatementOptions) => {
      const { writeStatement } = await import('./write-statement.ts')
      await writeStatement({ tenantId, period }, options, context)
    })
}
