import type { Command } from 'commander'
import { type CommonOptions, openCall, withConnection } from '../connection/command-call.ts'
import type { Context } from '../context.ts'
import { type PageOptions, pageQuery, printList, wholeNumber, withPages } from '../output/lists.ts'
import { printOne } from '../output/print.ts'

const columns = ['id', 'name', 'last_four', 'status', 'last_used_at', 'expires_at', 'scopes']
const idText = 'such as key_01K6HZ8M00000000000000000A'

const examples = `
Examples:
  quipu keys
  quipu keys --json | jq -r '.data[] | select(.status == "active").expires_at'
  quipu keys rotate key_01K6HZ8M00000000000000000A --overlap-seconds 0
  quipu keys revoke key_01K6HZ8M00000000000000000A`

/** `keys`, `keys rotate` and `keys revoke`. */
export function addKeyCommands(program: Command, context: Context): void {
  const keys = program
    .command('keys')
    .description('List your API keys, newest first, without the keys themselves; rotate or revoke one')
    .addHelpText('after', examples)
  withPages(withConnection(keys.command('list', { isDefault: true })))
    .description('List API keys, newest first')
    .addHelpText('after', examples)
    .action(async (options: PageOptions) => {
      const call = await openCall(options, context)
      const found = call.client.apiKeys.list(pageQuery(options), { signal: context.signal })
      await printList(call, options, found, columns)
    })
  withConnection(keys.command('rotate'))
    .description('Replace a key by a new one, which is shown once: your own, or one whose scopes yours has')
    .argument('<id>', idText)
    .option('--overlap-seconds <seconds>', 'how long the old key still works; 0 ends it', wholeNumber)
    .action(
      async (id: string, { overlapSeconds, ...options }: CommonOptions & { readonly overlapSeconds?: number }) => {
        const call = await openCall(options, context)
        const request = overlapSeconds === undefined ? {} : { overlap_seconds: overlapSeconds }
        printOne(call, await call.client.apiKeys.rotate(id, request, { signal: context.signal }))
      },
    )
  withConnection(keys.command('revoke'))
    .description('Revoke a key at once')
    .argument('<id>', idText)
    .action(async (id: string, options: CommonOptions) => {
      const call = await openCall(options, context)
      await call.client.apiKeys.revoke(id, { signal: context.signal })
      printOne(call, { id, status: 'revoked' })
    })
}
