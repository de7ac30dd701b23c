import { CommandError, exitCodes, type ExitCode } from './exit.ts'

/** The message of an error and its causes, without stacks. */
const messages = (error: unknown): string =>
  error instanceof Error
    ? `${textOf(error)}${error.cause === undefined ? '' : `: ${messages(error.cause)}`}`
    : String(error)

/** Node reports an unreachable host with several addresses as one error without a message. */
const textOf = (error: Error): string =>
  error instanceof AggregateError && error.message === '' ? messages(error.errors[0]) : error.message || error.name

/** Errors of a connection have a `syscall`; `Unavailable` is a server that cannot be written. */
function codeOf(error: unknown): ExitCode {
  const first: unknown = error instanceof AggregateError ? error.errors[0] : error
  const isGone = first instanceof Error && ('syscall' in first || first.name === 'Unavailable')
  return isGone ? exitCodes.unavailable : exitCodes.refused
}

/** Remedies for these SQLSTATEs. */
const advice: Readonly<Record<string, string>> = {
  '28P01': 'Check the password in DATABASE_URL.',
  '3D000': 'Create the database first.',
  '3F000': 'Run `quipu-admin migrate` first.',
  '42501': 'Set DATABASE_URL to that of the role that migrates.',
  '42883': 'Run `quipu-admin migrate` first.',
  '42704': 'Run `quipu-admin migrate` first.',
}

/**
 * Awaits work at the database.
 *
 * @param what  what was not done if it fails: `The role was not created`
 * @throws CommandError with the reason, and what to do about it
 */
export async function atDatabase<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const state = error instanceof Error && 'code' in error ? String(error.code) : ''
    const hint = advice[state] === undefined ? '' : `. ${advice[state]}`
    throw new CommandError(codeOf(error), `${what}: ${messages(error)}${hint}`, { cause: error })
  }
}
