import { type Command, Option } from 'commander'
import type { ListRequestsQuery } from '../../index.ts'
import { openCall, withConnection } from '../connection/command-call.ts'
import type { Context } from '../context.ts'
import { type ListOptions, pageQuery, printList, withPeriod } from '../output/lists.ts'

const columns = ['created_at', 'method', 'path', 'status', 'code', 'request_id', 'api_key_id', 'address', 'duration_ms']

const examples = `
Examples:
  quipu requests --status 4xx
  quipu requests --key key_01KAGZ8M88000000000000000D --json | jq -r '.data[].address'`

type Options = ListOptions & Pick<ListRequestsQuery, 'status' | 'path'> & { readonly key?: string }

/** `requests` lists the account's own requests. */
export function addRequestCommand(program: Command, context: Context): void {
  withPeriod(withConnection(program.command('requests')))
    .description('List your requests, newest first')
    .addOption(new Option('--status <class>', 'the class of their status').choices(['2xx', '4xx', '5xx']))
    .option('--key <id>', 'the key that they presented')
    .option('--path <path>', 'exactly this one, such as /v1/payouts')
    .addHelpText('after', examples)
    .action(async ({ status, key, path, ...options }: Options) => {
      const call = await openCall(options, context)
      const query = { ...pageQuery(options), status, api_key_id: key, path }
      await printList(call, options, call.client.requests.list(query, { signal: context.signal }), columns)
    })
}
