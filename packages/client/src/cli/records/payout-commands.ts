import { type Command, InvalidArgumentError, Option } from 'commander'
import type { ListPayoutsQuery } from '../../index.ts'
import { type CommonOptions, openCall, withConnection } from '../connection/command-call.ts'
import type { Context } from '../context.ts'
import { type ListOptions, pageQuery, printList, withPeriod } from '../output/lists.ts'
import { printOne } from '../output/print.ts'

const columns = ['id', 'transaction_id', 'status', 'target', 'source', 'error.code', 'created_at']
const statuses: Readonly<Record<NonNullable<ListPayoutsQuery['status']>, true>> = {
  completed: true,
  failed: true,
  rejected: true,
  cancelled: true,
}

const examples = `
Examples:
  quipu payouts
  quipu payouts --status failed --from 2026-11-20T00:00:00Z --all
  quipu payouts --transaction-id order-1
  quipu payouts --metadata order=123
  quipu payouts get po_01K6HZ8M00000000000000000A`

type Options = ListOptions &
  Pick<ListPayoutsQuery, 'status' | 'description' | 'metadata'> & {
    readonly transactionId?: string
    readonly open?: true
  }

/** Adds a member, as `key=value`. @throws InvalidArgumentError without a key */
function member(given: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  const [, key = '', value = ''] = /^([^=]+)=(.*)$/s.exec(given) ?? []
  if (key === '') throw new InvalidArgumentError('must be key=value')
  return { ...before, [key]: value }
}

/** `payouts`, and `payouts get`. */
export function addPayoutCommands(program: Command, context: Context): void {
  const payouts = program
    .command('payouts')
    .description('List your payouts, newest first, or read one')
    .addHelpText('after', examples)
  withPeriod(withConnection(payouts.command('list', { isDefault: true })))
    .description('List payouts, newest first')
    .addOption(new Option('--status <status>', 'how they ended').choices(Object.keys(statuses)))
    .option('--open', 'only what is still in processing')
    .option('--transaction-id <id>', 'your id of the payout')
    .option('--description <text>', 'your description of the payout')
    .option('--metadata <key=value>', 'a member of its metadata; may be given again', member)
    .addHelpText('after', examples)
    .action(async ({ status, transactionId: transaction_id, open, description, metadata, ...options }: Options) => {
      const call = await openCall(options, context)
      const labels = { description, metadata, ...(open && { open: 'true' as const }) }
      const query = { ...pageQuery(options), status, transaction_id, ...labels }
      const found = call.client.payouts.list(query, { signal: context.signal })
      await printList(call, options, found, columns)
    })
  withConnection(payouts.command('get'))
    .description('Read a payout')
    .argument('<id>', 'such as po_01K6HZ8M00000000000000000A')
    .action(async (id: string, options: CommonOptions) => {
      const call = await openCall(options, context)
      printOne(call, await call.client.payouts.get(id, { signal: context.signal }))
    })
}
