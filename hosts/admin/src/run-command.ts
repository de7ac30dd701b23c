import { CommanderError } from 'commander'
import { completions } from '@quipu/client/terminal'
import { ApiError } from './connection/call-api.ts'
import { apiErrorText } from './connection/api-error-text.ts'
import { type ExitCode, exitCodes, CommandError } from './exit.ts'
import type { Context } from './context.ts'
import { adminProgram } from './program.ts'

/** Runs one command line. @returns the exit code; what went wrong is on stderr */
export async function runCommand(args: readonly string[], context: Context): Promise<ExitCode> {
  try {
    const program = await adminProgram(args, context)
    const words = completions(program, args)
    if (words === undefined) await program.parseAsync([...args], { from: 'user' })
    else context.terminal.out(words)
    return exitCodes.done
  } catch (error) {
    // Commander has printed what is wrong; a help that was asked for ends with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    if (!(error instanceof CommandError)) throw error
    const text = failureText(error, args.includes('--json'))
    context.terminal.error(text === '' ? '' : `${text}\n`)
    return error.code
  }
}

function failureText(failure: CommandError, isJson: boolean): string {
  if (!(failure instanceof ApiError)) return failure.message
  return isJson ? failure.error.text.trimEnd() : apiErrorText(failure.error, failure.flags)
}
