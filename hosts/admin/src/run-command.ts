import { CommanderError } from 'commander'
import { completions } from '@quipu/client/terminal'
import { ApiError } from './connection/call-api.ts'
import { apiErrorText } from './connection/api-error-text.ts'
import { type ExitCode, exitCodes, CommandError } from './exit.ts'
import type { Context } from './context.ts'
import { adminProgram } from './program.ts'
import { environmentOf } from './settings.ts'

/**
 * Runs one command line. @returns the exit code; what went wrong is on stderr
 *
 * With `--cells g.env,h.env` before it, runs it for each cell with the environment of its file, and returns the highest
 * exit code.
 */
export async function runCommand(args: readonly string[], context: Context): Promise<ExitCode> {
  const [option, files, ...rest] = args
  if (option !== '--cells') return runOnce(args, context)
  let code: ExitCode = exitCodes.done
  for (const file of files?.split(',') ?? []) {
    context.terminal.error(`${file}:\n`)
    const ended = await runOnce(rest, context, file)
    if (ended > code) code = ended
  }
  return files === undefined ? exitCodes.usage : code
}

async function runOnce(args: readonly string[], given: Context, file?: string): Promise<ExitCode> {
  let context = given
  try {
    if (file !== undefined) context = { ...given, env: await environmentOf([file], given.env) }
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
