import type { Command } from 'commander'
import { withConnection } from '../connection/connection-options.ts'
import type { Context } from '../context.ts'
import type { FundOptions } from './fund-sweep.ts'
import type { WatchOptions } from './watch-sweep.ts'

const examples = `
Example:
  quipu-admin sweeps watch swb_01K6HZ8M00000000000000000A`

const fundExamples = `
Examples:
  quipu-admin sweeps fund swb_01K6HZ8M00000000000000000A --out fund.csv
  quipu-admin sweeps fund swb_01K6HZ8M00000000000000000A --check fund.csv`

/** Adds `watch` and `fund` to the group `sweeps`, where there is one: its other commands are operations of the API. */
export function addSweepWatch(program: Command, context: Context): void {
  const sweeps = program.commands.find((command) => command.name() === 'sweeps')
  if (sweeps === undefined) return
  const command = sweeps
    .command('watch')
    .summary('Wait until every transfer of a batch has ended')
    .description(
      'Wait until every transfer of a batch is solid, failed or expired, and print them. Exit code 1 if one did not reach the treasury. Interrupting the command changes nothing: workers send the transfers.',
    )
    .argument('<batch-id>')
    .option('--interval <seconds>', 'how often to ask for the progress', '5')
  withConnection(command)
    .addHelpText('after', examples)
    .action(async (batchId: string, options: WatchOptions) => {
      const { watchSweep } = await import('./watch-sweep.ts')
      await watchSweep(batchId, options, context)
    })
  const fund = sweeps
    .command('fund')
    .summary('List the addresses of a batch that lack TRX, or compare such a list')
    .description(
      'Print the addresses that lack TRX for their fee, with the amounts, as CSV for your wallet. With --check, read the file back and say which are funded: exit code 1 while one is not.',
    )
    .argument('<batch-id>')
    .option('--out <file>', 'a new file for the list; else it is printed')
    .option('--check <file>', 'a list that was funded')
  withConnection(fund)
    .addHelpText('after', fundExamples)
    .action(async (batchId: string, options: FundOptions) => {
      const { fundSweep } = await import('./fund-sweep.ts')
      await fundSweep(batchId, options, context)
    })
}
