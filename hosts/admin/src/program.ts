import { Command } from 'commander'
import { readFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { addApiCommands } from './api/api-commands.ts'
import { isGroupOf } from './api/command-name.ts'
import { operatorDocument } from './api/openapi.ts'
import { addCompletionCommand } from '@quipu/client/terminal'
import type { Context } from './context.ts'
import { exitCodeText } from './exit.ts'
import { addResend } from './resend/resend-command.ts'
import { addSweepWatch } from './sweep/watch-command.ts'
import { compoundCommands, installationCommands } from './own-commands.ts'

const about = `Operates Quipu: every operation of the operator API, and what an installation needs.

The API is at QUIPU_OPERATOR_URL, and your token in QUIPU_OPERATOR_TOKEN or in a file that only you
can read (QUIPU_OPERATOR_TOKEN_FILE). Without a URL: the API of \`start\`, from .quipu/local.json.`

const after = `
Examples:
  quipu-admin tenants list
  quipu-admin tenants create --legal-name 'Ejemplo S.R.L.' --technical-contact-name Ana --technical-contact-email ana@example.com
  quipu-admin proposals list --status open
  quipu-admin reconcile network
  quipu-admin audit-log list --all --json
  quipu-admin --cells g.env,h.env tenants list   (for each cell, with the settings of its file)

${exitCodeText}`

/** That of the release: hosts have none of their own. */
const version = (): string => {
  const file = findPackageJSON('@quipu/core', import.meta.url)
  if (file === undefined) throw new Error('@quipu/core has no package.json')
  return (JSON.parse(readFileSync(file, 'utf8')) as { readonly version: string }).version
}

/**
 * The whole command line.
 *
 * @param args  a command of this program's own needs no document, which takes most of the start, and another one the
 *   document of its group alone
 */
export async function adminProgram(args: readonly string[], context: Context): Promise<Command> {
  const program = new Command('quipu-admin')
    .description(about)
    .version(version(), '--version', 'the version of this program')
    .addHelpText('after', after)
    .showHelpAfterError('(--help shows what there is)')
    .showSuggestionAfterError()
  program.commandsGroup('Commands of an installation:')
  for (const add of installationCommands) add(program, context)
  program.commandsGroup('Commands that call the operator API and wait for the result:')
  for (const add of compoundCommands) add(program, context)
  program.commandsGroup('Shell:')
  addCompletionCommand(program, context.terminal.out)
  const own = ['--version', ...program.commands.map((command) => command.name())]
  if (!own.includes(args[0] ?? '')) {
    program.commandsGroup('Commands of the operator API:')
    addApiCommands(program, await operatorDocument((tag) => isGroupOf(tag, args[0])), context)
    addSweepWatch(program, context)
    addResend(program, context)
  }
  return configured(program, context)
}

/** All commands write to the terminal, and end by throwing instead of ending the process. */
function configured(command: Command, context: Context): Command {
  const { out, error, columns } = context.terminal
  command
    .exitOverride()
    .configureOutput({
      writeOut: out,
      writeErr: error,
      getOutHelpWidth: () => columns ?? 100,
      getErrHelpWidth: () => columns ?? 100,
    })
  for (const inner of command.commands) configured(inner, context)
  return command
}
