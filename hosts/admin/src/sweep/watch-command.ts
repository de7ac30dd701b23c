import type { Command } from 'commander'
import { withConnection } from '../connection/connection-options.ts'
import type { Context } from '../context.ts'
import type { WatchOptions } from './watch-sweep.ts'

const examples = `
Example:
  quipu-admin sweeps watch swb_01K6HZ8M00000000000000000A`

/** Adds `watch` to the group `sweeps`, where there is one: its other commands are operations of the API. */
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
}
