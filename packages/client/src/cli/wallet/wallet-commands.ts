import type { Command } from 'commander'
import { QuipuError } from '../../index.ts'
import { type CommandCall, type CommonOptions, openCall, withConnection } from '../connection/command-call.ts'
import { environmentOf, shownKey } from '../connection/connection.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes } from '../exit.ts'
import { printOne } from '../output/print.ts'

const balanceExamples = `
Examples:
  quipu balance
  quipu balance --at 2026-11-20T23:59:59-04:00
  quipu balance --json | jq -r .available`

const thresholdExamples = `
Examples:
  quipu threshold 500.00
  quipu threshold 0`

const statusExamples = `
Examples:
  quipu status
  quipu status --profile live`

/** `balance`, `threshold` and `status`. */
export function addWalletCommands(program: Command, context: Context): void {
  withConnection(program.command('status'))
    .description('Show the service, your key, your balance and your webhook endpoints')
    .addHelpText('after', statusExamples)
    .action(async (options: CommonOptions) => showStatus(await openCall(options, context)))
  withConnection(program.command('balance'))
    .description('Show your balance, your limits and your top-up addresses')
    .option('--at <instant>', 'also show the balance at this instant, as 2026-11-20T23:59:59-04:00')
    .addHelpText('after', balanceExamples)
    .action(async ({ at, ...options }: CommonOptions & { readonly at?: string }) => {
      const call = await openCall(options, context)
      printOne(call, await call.client.wallets.get({ at }, { signal: context.signal }))
    })
  withConnection(program.command('threshold'))
    .description('Set the balance below which the event wallet.balance_low is sent; 0 for none')
    .argument('<amount>', 'in USDT')
    .addHelpText('after', thresholdExamples)
    .action(async (amount: string, options: CommonOptions) => {
      const call = await openCall(options, context)
      const patch = { low_balance_threshold: amount }
      printOne(call, await call.client.wallets.update(patch, { signal: context.signal }))
    })
}

/** @throws CommandError when the service is not ready */
async function showStatus(call: CommandCall): Promise<void> {
  const { client, connection, context } = call
  const { signal } = context
  const [readiness, works, wallet, webhooks] = await Promise.all([
    client.service.readiness({ signal }),
    permitted(client.service.status({ signal })),
    permitted(client.wallets.get({}, { signal })),
    permitted(endpoints(call)),
  ])
  const { url, key, source } = connection
  const named = { url, source, key: shownKey(key), environment: environmentOf(key) }
  printOne(call, {
    ...named,
    service: readiness.status,
    ...(works && { quotes: works.quotes, payments: works.payments, deposits: works.deposits }),
    ...(wallet && { available: `${wallet.available} USDT`, held: `${wallet.held} USDT` }),
    ...(webhooks && { webhooks }),
  })
  if (readiness.status !== 'ready') throw new CommandError(exitCodes.refused, 'The service is not ready: repeat later.')
}

async function endpoints({ client, context }: CommandCall) {
  const counts = { active: 0, paused: 0 }
  for await (const { status } of client.webhooks.list({}, { signal: context.signal }))
    counts[status === 'active' ? 'active' : 'paused'] += 1
  return counts
}

/** Undefined when the key lacks the scope. */
async function permitted<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof QuipuError && error.code === 'SCOPE_REQUIRED') return undefined
    throw error
  }
}
