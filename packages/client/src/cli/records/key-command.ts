import type { Command } from 'commander'
import { openCall, withConnection } from '../connection/command-call.ts'
import type { Context } from '../context.ts'
import { type PageOptions, pageQuery, printList, withPages } from '../output/lists.ts'

const columns = ['id', 'name', 'last_four', 'status', 'last_used_at', 'expires_at', 'scopes']

const examples = `
Examples:
  quipu keys
  quipu keys --json | jq -r '.data[] | select(.status == "active").expires_at'`

/** `keys` lists the account's API keys. */
export function addKeyCommand(program: Command, context: Context): void {
  withPages(withConnection(program.command('keys')))
    .description('List your API keys, newest first, without the keys themselves')
    .addHelpText('after', examples)
    .action(async (options: PageOptions) => {
      const call = await openCall(options, context)
      const found = call.client.apiKeys.list(pageQuery(options), { signal: context.signal })
      await printList(call, options, found, columns)
    })
}
