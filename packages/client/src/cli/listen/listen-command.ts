import { visible } from '../../terminal.ts'
import type { Command } from 'commander'
import { openCall, type CommonOptions, withConnection } from '../connection/command-call.ts'
import type { Context } from '../context.ts'
import { usageError } from '../exit.ts'
import { listen } from './listen.ts'

const notes = `
Each event is forwarded at least once, in the order of recording, signed like a webhook: give your server the secret
that is printed, or set QUIPU_WEBHOOK_SECRET to the one that it has. It needs the scope webhooks:read, and no
registered endpoint. Ctrl-C ends it.

Examples:
  quipu listen
  quipu listen --forward-to http://127.0.0.1:8080/quipu
  quipu listen --since 2026-11-20T00:00:00Z --print-json | jq .data.status`

type ListenOptions = Omit<CommonOptions, 'json'> & {
  readonly forwardTo?: string
  readonly since?: string
  readonly headerPrefix?: string
  readonly printJson?: boolean
}

/** `listen` shows events as they are recorded, and forwards them to a server without a public address. */
export function addListenCommand(program: Command, context: Context): void {
  withConnection(program.command('listen'), { isJson: false })
    .summary('Show events as they happen, and forward them to a local server')
    .description('Show events as they are recorded, and forward them to a server without a public address.')
    .option('--forward-to <url>', 'where your server takes webhooks')
    .option('--since <instant>', 'from then on, such as 2026-11-20T00:00:00Z; default: from now on')
    .option('--print-json', 'print each event as a line of JSON')
    .option('--header-prefix <text>', 'of the two signature headers; default: X-Service-')
    .addHelpText('after', notes)
    .action((options: ListenOptions) => run(options, context))
}

async function run(options: ListenOptions, context: Context): Promise<void> {
  const { terminal, env, signal } = context
  const { forwardTo } = options
  const since = instantOf(options.since)
  if (forwardTo !== undefined && !/^https?:$/.test(URL.parse(forwardTo)?.protocol ?? ''))
    throw usageError(`--forward-to ${forwardTo} is no http or https URL.`)
  const call = await openCall(options, context)
  const secret = env['QUIPU_WEBHOOK_SECRET']?.split(',')[0] || freshSecret()
  terminal.error(`Events of ${call.connection.url} (${call.connection.source}). Ctrl-C ends.\n`)
  if (forwardTo !== undefined)
    terminal.error(`Forwarding to ${forwardTo}, signed with QUIPU_WEBHOOK_SECRET=${secret}\n`)
  const print = (line: string): void => terminal.out(`${options.printJson ? line : visible(line)}\n`)
  try {
    await listen({
      events: call.client.events,
      forward: forwardTo === undefined ? undefined : { url: forwardTo, secret, headerPrefix: options.headerPrefix },
      since,
      signal,
      isJson: options.printJson ?? false,
      print,
      notice: (line) => terminal.error(`${visible(line)}\n`),
    })
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

function instantOf(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const instant = new Date(text)
  if (Number.isNaN(instant.getTime())) throw usageError(`--since ${text} is not an instant.`)
  return instant
}

const freshSecret = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return `whsec_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}
