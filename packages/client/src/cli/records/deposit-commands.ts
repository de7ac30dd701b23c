import { type Command, Option } from 'commander'
import type { ListDepositsQuery } from '../../index.ts'
import { type CommonOptions, openCall, withConnection } from '../connection/command-call.ts'
import type { Context } from '../context.ts'
import { type ListOptions, pageQuery, printList, withPeriod } from '../output/lists.ts'
import { printOne } from '../output/print.ts'

const columns = ['id', 'status', 'amount', 'review_code', 'from_address', 'tx_hash', 'created_at']
const statuses = ['pending', 'credited', 'in_review'] as const

const examples = `
Examples:
  quipu deposits
  quipu deposits --status in_review
  quipu deposits get dep_01K6HZ8M00000000000000000A`

type Options = ListOptions & Pick<ListDepositsQuery, 'status'>

/** `deposits`, and `deposits get`. */
export function addDepositCommands(program: Command, context: Context): void {
  const deposits = program
    .command('deposits')
    .description('List your deposits, newest first, or read one')
    .addHelpText('after', examples)
  withPeriod(withConnection(deposits.command('list', { isDefault: true })))
    .description('List deposits, newest first')
    .addOption(new Option('--status <status>', 'their state').choices(statuses))
    .addHelpText('after', examples)
    .action(async ({ status, ...options }: Options) => {
      const call = await openCall(options, context)
      const query = { ...pageQuery(options), status }
      const found = call.client.deposits.list(query, { signal: context.signal })
      await printList(call, options, found, columns)
    })
  withConnection(deposits.command('get'))
    .description('Read a deposit')
    .argument('<id>', 'such as dep_01K6HZ8M00000000000000000A')
    .action(async (id: string, options: CommonOptions) => {
      const call = await openCall(options, context)
      printOne(call, await call.client.deposits.get(id, { signal: context.signal }))
    })
}
