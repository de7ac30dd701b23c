/** The codes that the command ends with. */
export const exitCodes = { done: 0, refused: 1, usage: 2, unavailable: 3 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** For the help. */
export const exitCodeText = `Exit codes:
  0  done. \`pay\`: the merchant was paid
  1  refused by the service. \`pay\`: it ended without a payment; \`status\`: the service is not ready
  2  a wrong command line, or a setting that is missing or wrong
  3  no answer, or not yet. \`pay\`: a payment may be made: repeat it with the same --transaction-id`

/** Ends the command with a message on stderr. The message says what to do. */
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
