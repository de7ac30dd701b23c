/** The codes that the program ends with. */
export const exitCodes = { done: 0, refused: 1, usage: 2, unavailable: 3, differences: 4 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** For the help. */
export const exitCodeText = `Exit codes:
  0  done
  1  refused by the service, or a check found a fault
  2  a wrong command line, or a setting that is missing or wrong
  3  no answer, or the service cannot answer now: repeat later. A write may have been made
  4  \`reconcile\` found differences that are open`

/** Ends the program with a message on stderr. The message says what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly code: ExitCode
  constructor(code: ExitCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** A wrong command line or setting. */
export const usageError = (message: string): CommandError => new CommandError(exitCodes.usage, message)
