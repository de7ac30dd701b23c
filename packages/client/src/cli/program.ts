import { Command } from 'commander'
import { version } from '../index.ts'
import { addCompletionCommand } from '../terminal.ts'
import type { Context } from './context.ts'
import { exitCodeText } from './exit.ts'
import { addListenCommand } from './listen/listen-command.ts'
import { addLoginCommands } from './login/login-commands.ts'
import { addPayCommand } from './pay/pay-command.ts'
import { addPriceCommands } from './pay/price-commands.ts'
import { addDepositCommands } from './records/deposit-commands.ts'
import { addEventCommands } from './records/event-commands.ts'
import { addKeyCommands } from './records/key-commands.ts'
import { addRequestCommand } from './records/request-command.ts'
import { addWebhookCommands } from './records/webhook-commands.ts'
import { addPayoutCommands } from './records/payout-commands.ts'
import { addTriggerCommand } from './trigger/trigger-command.ts'
import { inSpanish, isSpanish, spanishLines } from './spanish.ts'
import { addStatementCommand } from './wallet/statement-command.ts'
import { addWalletCommands } from './wallet/wallet-commands.ts'

const about = `Pays Bolivian merchant QRs from your USDT balance, and shows what happened.

The service and your key come from \`quipu login\`, or from QUIPU_API_URL and QUIPU_API_KEY.
In a clone where \`start\` runs, they come from .quipu/local.json.`

const after = `
Examples:
  quipu login --url http://127.0.0.1:4002 --key-stdin <<< qpu_mock_me
  quipu pay MOCK:CLOSED:100.00
  quipu payouts --status failed
  quipu listen --forward-to http://127.0.0.1:8080/quipu
  quipu trigger payout.failed

${exitCodeText}`

const groups: readonly [string, readonly ((program: Command, context: Context) => void)[]][] = [
  ['Your access:', [addLoginCommands, addWalletCommands, addKeyCommands]],
  ['Paying:', [addPriceCommands, addPayCommand]],
  [
    'What happened:',
    [
      addPayoutCommands,
      addDepositCommands,
      addEventCommands,
      addWebhookCommands,
      addStatementCommand,
      addRequestCommand,
    ],
  ],
  [
    'While you develop:',
    [addListenCommand, addTriggerCommand, (group, { terminal }) => addCompletionCommand(group, terminal.out)],
  ],
]

/** The whole command line. */
export function quipuProgram(context: Context): Command {
  const program = new Command('quipu')
    .description(about)
    .version(version, '--version', 'the version of this command')
    .addHelpText('after', after)
    .showHelpAfterError('(--help shows what there is)')
    .showSuggestionAfterError()
  for (const [title, commands] of groups) {
    program.commandsGroup(title)
    for (const add of commands) add(program, context)
  }
  if (isSpanish(context.env)) inSpanish(program)
  return configured(program, context)
}

/** All commands write to the terminal, and end by throwing instead of ending the process. */
function configured(command: Command, context: Context): Command {
  const { out, error, columns } = context.terminal
  const writeOut = isSpanish(context.env) ? (help: string) => out(spanishLines(help)) : out
  command
    .exitOverride()
    .configureOutput({
      writeOut,
      writeErr: error,
      getOutHelpWidth: () => columns ?? 100,
      getErrHelpWidth: () => columns ?? 100,
    })
  for (const inner of command.commands) configured(inner, context)
  return command
}
