import type { Command } from 'commander'
import { type CommandCall, type CommonOptions, openCall, withConnection } from '../connection/command-call.ts'
import type { ReplayedBatch, ReplayRequest } from '../../index.ts'
import type { Context } from '../context.ts'
import { type PageOptions, pageQuery, printList, withPages } from '../output/lists.ts'
import { printOne } from '../output/print.ts'

const columns = ['id', 'status', 'paused_by', 'consecutive_exhausted', 'url', 'description']

const examples = `
Examples:
  quipu webhooks
  quipu webhooks pause we_01K6HZ8M00000000000000000A
  quipu webhooks resume we_01K6HZ8M00000000000000000A
  quipu webhooks replay we_01K6HZ8M00000000000000000A --since 2026-11-20T00:00:00Z`

type ReplayOptions = CommonOptions & { readonly since: string; readonly cursor?: string }

/** `webhooks`, `webhooks pause`, `webhooks resume` and `webhooks replay`. */
export function addWebhookCommands(program: Command, context: Context): void {
  const { signal } = context
  const webhooks = program
    .command('webhooks')
    .description('List your webhook endpoints, pause or resume one, or replay events to it')
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
  withConnection(webhooks.command('replay'))
    .description('Send the events since an instant again, with the same ids')
    .argument('<id>', 'of the endpoint')
    .requiredOption('--since <instant>', 'such as 2026-11-20T00:00:00Z')
    .option('--cursor <cursor>', 'where an interrupted replay goes on')
    .action(async (id: string, { since, cursor, ...options }: ReplayOptions) => {
      const call = await openCall(options, context)
      let resent = 0
      let next: string | null | undefined = cursor
      do {
        const request: ReplayRequest = { since, ...(next && { cursor: next }) }
        const batch: ReplayedBatch = await replayed(call, id, request)
        resent += batch.resent
        next = batch.next_cursor
      } while (next !== null)
      printOne(call, { id, since, resent })
    })
}

/** Replays a batch, and names the place to go on from where it fails. */
async function replayed({ client, context }: CommandCall, id: string, request: ReplayRequest): Promise<ReplayedBatch> {
  try {
    return await client.webhooks.replay(id, request, { signal: context.signal })
  } catch (error) {
    if (request.cursor) context.terminal.error(`To go on where it stopped, add --cursor ${request.cursor}\n`)
    throw error
  }
}
