import type { Command } from 'commander'
import { usageError } from '../exit.ts'

/** The options of `withConnection`. */
export type CommonOptions = {
  readonly url?: string
  readonly tokenFile?: string
  readonly timeout: string
  readonly json?: boolean
}

/** Adds the options of every command that calls the API. */
export const withConnection = (command: Command): Command =>
  command
    .optionsGroup('Connection:')
    .option('--url <url>', 'the operator listener. Default: QUIPU_OPERATOR_URL')
    .option('--token-file <file>', 'a file with your token that only you can read')
    .option('--timeout <seconds>', 'how long to wait for an answer', '60')
    .optionsGroup('Output:')
    .option('--json', 'the answer as the API sends it')

export const timeoutMs = (text: string): number => wholeSeconds(text, '--timeout')

/** The seconds of an option, in milliseconds. @throws CommandError when it is no number of seconds */
export function wholeSeconds(text: string, option: string): number {
  if (!/^[1-9][0-9]{0,4}$/.test(text)) throw usageError(`${option} must be whole seconds from 1 to 99999.`)
  return Number(text) * 1000
}
