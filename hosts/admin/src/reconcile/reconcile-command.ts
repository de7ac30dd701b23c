import { Argument, type Command } from 'commander'
import { withConnection } from '../connection/connection-options.ts'
import type { Context } from '../context.ts'
import type { Check, ReconcileOptions } from './reconcile.ts'

const examples = `
Examples:
  quipu-admin reconcile network
  quipu-admin reconcile network --from 2026-11-19T00:00:00Z --to 2026-11-20T00:00:00Z
  quipu-admin reconcile chain --no-wait
  quipu-admin reconcile --run rcn_01K6HZ8M00000000000000000A`

const checks = { network: true, chain: true } satisfies Record<Check, true>

/** `reconcile` requests a reconciliation run, and waits for what it finds. */
export function addReconcileCommand(program: Command, context: Context): void {
  const reconcile = program
    .command('reconcile')
    .summary('Compare with the QR network or the chain, and print what differs')
    .description(
      'Request a reconciliation run, wait until a worker has completed it, and print the differences of its check that it saw and that are open. Exit code 4 if there are any. Interrupting the command does not stop the run.',
    )
    .addArgument(
      new Argument(
        '[check]',
        'network: payouts with the QR network’s statement; chain: deposits with the balances of top-up addresses',
      ).choices(Object.keys(checks)),
    )
    .option('--from <instant>', 'of network: payments at or after it. Default: yesterday, in UTC')
    .option('--to <instant>', 'of network: payments before it')
    .option('--run <id>', 'wait for a run that was requested before')
    .option('--no-wait', 'only request the run')
    .option('--interval <seconds>', 'how often to ask for the progress', '2')
  withConnection(reconcile)
    .addHelpText('after', examples)
    .action(async (check: Check | undefined, options: ReconcileOptions) => {
      const { reconcile: run } = await import('./reconcile.ts')
      await run(check, options, context)
    })
}
