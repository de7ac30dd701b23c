import { type Command, CommanderError } from 'commander'
import { QuipuConnectionError, QuipuError } from '../index.ts'
import { completions } from '../terminal.ts'
import type { Context } from './context.ts'
import { errorJson, errorText } from './error-text.ts'
import { CommandError, type ExitCode, exitCodes } from './exit.ts'
import { quipuProgram } from './program.ts'
import { isSpanish, spanishError } from './spanish.ts'

/** Runs one command line. @returns the exit code; what went wrong is on stderr */
export async function runCommand(args: readonly string[], context: Context): Promise<ExitCode> {
  const { terminal, signal } = context
  try {
    const program = quipuProgram(context)
    const words = completions(program, args, listOf)
    if (words === undefined) await program.parseAsync([...args], { from: 'user' })
    else terminal.out(words)
    return exitCodes.done
  } catch (error) {
    // Commander has printed what is wrong; a help that was asked for ends with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    if (error instanceof CommandError) {
      if (error.message !== '') terminal.error(`${error.message}\n`)
      return error.code
    }
    if (signal.aborted) {
      terminal.error('Interrupted.\n')
      return exitCodes.unavailable
    }
    if (!(error instanceof QuipuError) && !(error instanceof QuipuConnectionError)) throw error
    const text = errorText(error, args)
    const shown = isSpanish(context.env) ? spanishError(text) : text
    terminal.error(`${args.includes('--json') ? errorJson(error) : shown}\n`)
    const isRefusal = error instanceof QuipuError && !error.uncertain && error.status < 500
    return isRefusal ? exitCodes.refused : exitCodes.unavailable
  }
}

/** A group runs its `list` when no command is named. */
const listOf = (group: Command): Command | undefined => group.commands.find((command) => command.name() === 'list')
