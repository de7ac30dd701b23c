import { Argument, type Command } from 'commander'
import { type CommandCall, type CommonOptions, openCall, withConnection } from '../connection/command-call.ts'
import { environmentOf } from '../connection/connection.ts'
import type { Context } from '../context.ts'
import { CommandError, exitCodes, usageError } from '../exit.ts'
import { printOne, printRows } from '../output/print.ts'
import { notTriggered, type Outcome, outcomes, outcomeText } from './outcomes.ts'
import { triggerDeposit } from './trigger-deposit.ts'
import { triggerPayout } from './trigger-payout.ts'

const examples = `
Examples:
  quipu trigger payout.failed
  quipu trigger payout.cancelled.INSUFFICIENT_BALANCE
  quipu trigger deposit.in_review --json`

/** `trigger` makes an event or an outcome happen, in the sandbox and on the example server. */
export function addTriggerCommand(program: Command, context: Context): void {
  withConnection(program.command('trigger'))
    .summary('Make an event or an outcome happen, in the sandbox')
    .description(
      'Make an event or an outcome happen, in the sandbox and on the example server: it is a payout or a deposit like any other.',
    )
    .addArgument(new Argument('<outcome>', 'one of those below').choices(Object.keys(outcomes)).argParser(known))
    .configureHelp({ argumentDescription: ({ description }) => description }) // The choices are below.
    .addHelpText('after', () => `\n${outcomeText()}\n${examples}`)
    .action(async (name: string, options: CommonOptions) => {
      const call = await openCall(options, context)
      const environment = environmentOf(call.connection.key)
      if (environment === 'production')
        throw usageError('In production nothing is triggered: use a key of the sandbox, qpu_test_….')
      await trigger(call, outcomes[name] as Outcome)
    })
}

/** @throws CommandError that says why, or what there is */
function known(name: string): string {
  if (Object.hasOwn(outcomes, name)) return name
  const reason = notTriggered[name]
  if (reason !== undefined) throw usageError(`${name} ${reason}.`)
  throw usageError(`${name} cannot be triggered.\n\n${outcomeText()}`)
}

async function trigger(call: CommandCall, outcome: Outcome): Promise<void> {
  if (outcome.type === 'test') return testEndpoints(call)
  const made = outcome.type === 'payout' ? await triggerPayout(call, outcome) : await triggerDeposit(call, outcome)
  printOne(call, made)
  const code = 'error' in made ? made.error?.code : made.review_code
  // A deposit was pending before any other status, which a fast chain reaches before it is read.
  const isReached = made.status === outcome.ends || outcome.ends === 'pending'
  if (isReached && (outcome.code === undefined || code === outcome.code)) return
  throw new CommandError(exitCodes.refused, `It ended otherwise than wanted: ${made.status}${code ? ` ${code}` : ''}.`)
}

/** @throws CommandError when there is no endpoint, or one has not accepted the event */
async function testEndpoints(call: CommandCall): Promise<void> {
  const { client, context, json } = call
  const { signal, terminal } = context
  const results: object[] = []
  let failed = 0
  for await (const { id, url } of client.webhooks.list({}, { signal })) {
    const result = await client.webhooks.test(id, { signal })
    failed += result.delivered ? 0 : 1
    results.push({ webhook_id: id, url, ...result })
  }
  if (results.length === 0)
    throw new CommandError(
      exitCodes.refused,
      'No endpoint is registered: register one with POST /v1/webhooks. A server without a public address gets events by `quipu listen --forward-to URL`.',
    )
  if (json) terminal.out(`${JSON.stringify({ data: results }, null, 2)}\n`)
  else printRows(call, results, ['webhook_id', 'url', 'delivered', 'status_code', 'error'])
  if (failed > 0) throw new CommandError(exitCodes.refused, `${failed} of ${results.length} did not accept it.`)
}
