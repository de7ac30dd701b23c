import { type Command, Option } from 'commander'
import type { ListEventsQuery } from '../../index.ts'
import { type CommonOptions, openCall, withConnection } from '../connection/command-call.ts'
import type { Context } from '../context.ts'
import { type ListOptions, pageQuery, printList, withPeriod } from '../output/lists.ts'
import { printOne, printRows } from '../output/print.ts'
import { resendEvent } from './resend-event.ts'

const columns = ['id', 'type', 'data.id', 'data.transaction_id', 'data.status', 'recorded_at']

/** Types that are recorded: `webhook.test` is not. */
const eventTypes: Readonly<Record<NonNullable<ListEventsQuery['type']>, true>> = {
  'payout.completed': true,
  'payout.failed': true,
  'payout.cancelled': true,
  'payout.refunded': true,
  'deposit.pending': true,
  'deposit.credited': true,
  'deposit.in_review': true,
  'deposit.closed': true,
  'wallet.balance_low': true,
  'wallet.balance_restored': true,
}

const examples = `
Examples:
  quipu events --type payout.failed
  quipu events get 019aa1f4-5108-7000-8000-00000000000a
  quipu events resend 019aa1f4-5108-7000-8000-00000000000a`

type Options = ListOptions & Pick<ListEventsQuery, 'type'>
type ResendOptions = CommonOptions & { readonly webhook?: string }

/** `events`, `events get` and `events resend`. */
export function addEventCommands(program: Command, context: Context): void {
  const { signal } = context
  const events = program
    .command('events')
    .description('List your events, newest first, read one, or send one again')
    .addHelpText('after', examples)
  withPeriod(withConnection(events.command('list', { isDefault: true })))
    .description('List events, newest first')
    .addOption(new Option('--type <type>', 'their type').choices(Object.keys(eventTypes)))
    .addHelpText('after', examples)
    .action(async ({ type, ...options }: Options) => {
      const call = await openCall(options, context)
      const found = call.client.events.list({ ...pageQuery(options), type }, { signal })
      await printList(call, options, found, columns)
    })
  withConnection(events.command('get'))
    .description('Read an event')
    .argument('<id>')
    .action(async (id: string, options: CommonOptions) => {
      const call = await openCall(options, context)
      printOne(call, await call.client.events.get(id, { signal }))
    })
  withConnection(events.command('resend'))
    .description('Send an event again to the webhook endpoints that it was for')
    .argument('<id>', 'of the event')
    .option('--webhook <id>', 'only to this endpoint')
    .action(async (id: string, { webhook, ...options }: ResendOptions) => {
      const call = await openCall(options, context)
      const sent = await resendEvent(call, id, webhook)
      if (call.json) context.terminal.out(`${JSON.stringify({ data: sent }, null, 2)}\n`)
      else printRows(call, sent, ['id', 'webhook_id', 'event_id', 'event_type', 'status'])
    })
}
