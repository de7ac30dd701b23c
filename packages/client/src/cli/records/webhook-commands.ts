import type { Command } from 'commander'
import { type CommonOptions, openCall, withConnection } from '../connection/command-call.ts'
import type { Context } from '../context.ts'
import { type PageOptions, pageQuery, printList, withPages } from '../output/lists.ts'
import { printOne } from '../output/print.ts'

const columns = ['id', 'status', 'paused_by', 'consecutive_exhausted', 'url', 'description']

const examples = `
Examples:
  quipu webhooks
  quipu webhooks pause we_01K6HZ8M00000000000000000A
  quipu webhooks resume we_01K6HZ8M00000000000000000A`

/** `webhooks`, `webhooks pause` and `webhooks resume`. */
export function addWebhookCommands(program: Command, context: Context): void {
  const { signal } = context
  const webhooks = program
    .command('webhooks')
    .description('List your webhook endpoints, pause or resume one')
    .addHelpText('after', examples)
  withPages(withConnection(webhooks.command('list', { isDefault: true })))
    .description('List endpoints, newest first')
    .addHelpText('after', examples)
    .action(async (options: PageOptions) => {
      const call = await openCall(options, context)
      await printList(call, options, call.client.webhooks.list(pageQuery(options), { signal }), columns)
    })
  withConnection(webhooks.command('pause'))
    .description('Let the events of an endpoint queue')
    .argument('<id>', 'of the endpoint')
    .action(async (id: string, options: CommonOptions) => {
      const call = await openCall(options, context)
      printOne(call, await call.client.webhooks.pause(id, { signal }))
    })
  withConnection(webhooks.command('resume'))
    .description('Send what queued, and what recently ran out of attempts')
    .argument('<id>', 'of the endpoint')
    .action(async (id: string, options: CommonOptions) => {
      const call = await openCall(options, context)
      printOne(call, await call.client.webhooks.reactivate(id, { signal }))
    })
}
