import type { Command } from 'commander'
import { type Quipu, quipu } from '../../index.ts'
import type { Context } from '../context.ts'
import { usageError } from '../exit.ts'
import { type Connection, connectionOf, type ConnectionOptions } from './connection.ts'

/** Options of every command that calls the service. */
export type CommonOptions = ConnectionOptions & { readonly json?: boolean }

/** The context of a command. */
export type CommandCall = {
  readonly client: Quipu
  readonly connection: Connection
  readonly context: Context
  readonly json: boolean
}

/** Adds the options of every command that calls the service, and `--json` where that says how to print. */
export function withConnection(command: Command, { isJson }: { readonly isJson: boolean } = { isJson: true }): Command {
  command
    .optionsGroup('Service:')
    .option('--profile <name>', 'the profile of an earlier login; default: the latest')
    .option('--url <url>', 'the URL of the service; default: QUIPU_API_URL, or the profile’s')
    .optionsGroup('Options:')
  return isJson ? command.option('--json', 'print what the API answered, as JSON') : command
}

/** @throws CommandError when there is no service, or its URL is not allowed */
export async function openCall(options: CommonOptions, context: Context): Promise<CommandCall> {
  const connection = await connectionOf(options, context.env)
  const client = clientOf(connection, context)
  return { client, connection, context, json: options.json ?? false }
}

/** A client that says on a terminal why it takes longer. */
export function clientOf({ url, key }: Pick<Connection, 'url' | 'key'>, { terminal }: Context): Quipu {
  const onRetry = ({ delayMs, error }: { delayMs: number; error: Error }): void => {
    if (terminal.ask) terminal.error(`${error.message}; again in ${Math.ceil(delayMs / 1000)} s\n`)
  }
  try {
    return quipu({ baseUrl: url, apiKey: key, timeoutMs: 60_000, hooks: { onRetry } })
  } catch (error) {
    if (error instanceof TypeError)
      throw usageError(error.message.replace(/^baseUrl/, '--url or QUIPU_API_URL').replace(/^apiKey/, 'The API key'))
    throw error
  }
}
