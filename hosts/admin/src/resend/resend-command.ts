import type { Command } from 'commander'
import { withConnection } from '../connection/connection-options.ts'
import type { Context } from '../context.ts'
import type { ResendOptions } from './resend-period.ts'

const examples = `
Examples:
  quipu-admin webhooks resend we_01K6HZ8M00000000000000000A --from 2026-11-27 --to 2026-11-27
  quipu-admin webhooks resend we_01K6HZ8M00000000000000000A --from -2h --to now --type payout.completed payout.failed`

/** Adds `resend` to the group `webhooks`, where there is one: its other commands are operations of the API. */
export function addResend(program: Command, context: Context): void {
  const webhooks = program.commands.find((command) => command.name() === 'webhooks')
  if (webhooks === undefined) return
  const command = webhooks
    .command('resend')
    .summary('Send the delivered events of a period again')
    .description(
      'Send the events again that an endpoint has answered with 2xx in a period, in their order, with the same ids and bytes: one attempt each, which is not counted. After an interruption --after goes on behind a delivery.',
    )
    .argument('<webhook-endpoint-id>')
    .requiredOption('--from <instant>', 'the first event: an instant, a day, or -2h')
    .requiredOption('--to <instant>', 'the last event')
    .option('--type <types...>', 'of these types alone')
    .option('--per-second <number>', 'attempts a second', '10')
    .option('--after <delivery-id>', 'go on behind this delivery')
  withConnection(command)
    .addHelpText('after', examples)
    .action(async (endpointId: string, options: ResendOptions) => {
      const { resendPeriod } = await import('./resend-period.ts')
      await resendPeriod(endpointId, options, context)
    })
}
