#!/usr/bin/env node
import process, { env, stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { listen } from './listen/listen.ts'
import { quipu } from './quipu.ts'

const usage = `quipu listen --forward-to URL

Forwards the events of your API key to a local URL, signed like webhooks.

  --forward-to URL      where your server takes webhooks, such as http://127.0.0.1:3000/quipu
  --since INSTANT       forward events from then on, such as 2026-03-02T12:00:00Z
  --secret SECRET       sign with this secret; by default a new one is generated and printed
  --header-prefix TEXT  prefix of the two signature headers; X-Service- by default
  --base-url URL        base URL of the API; QUIPU_BASE_URL by default

The API key is read from QUIPU_API_KEY.
`

type Flags = ReturnType<typeof flagsOf>

/** @throws Error on an unknown flag */
function flagsOf() {
  const text = { type: 'string' } as const
  return parseArgs({
    allowPositionals: true,
    options: {
      'forward-to': text,
      since: text,
      secret: text,
      'header-prefix': text,
      'base-url': text,
      help: { type: 'boolean', short: 'h' },
    },
  })
}

/** @returns the exit code */
async function run({ positionals, values }: Flags): Promise<number> {
  const forwardTo = values['forward-to']
  const baseUrl = values['base-url'] ?? env['QUIPU_BASE_URL']
  const apiKey = env['QUIPU_API_KEY']
  if (values.help) {
    stdout.write(usage)
    return 0
  }
  if (positionals.join() !== 'listen' || !forwardTo) return refused('')
  if (!baseUrl || !apiKey) return refused('QUIPU_BASE_URL or QUIPU_API_KEY is missing.\n\n')
  const since = values.since === undefined ? undefined : new Date(values.since)
  if (since && Number.isNaN(since.getTime()))
    return refused(`--since ${values.since} is not an instant.\n\n`)

  const ended = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort())
  const secret = values.secret ?? freshSecret()
  const { events } = quipu({ apiKey, baseUrl })
  const print = (line: string): void => void stdout.write(`${line}\n`)
  print(`Forwarding events to ${forwardTo}, signed with ${secret}`)
  try {
    const { signal } = ended
    return await listen({
      events,
      forwardTo,
      secret,
      since,
      signal,
      print,
      headerPrefix: values['header-prefix'],
    })
  } catch (error) {
    if (ended.signal.aborted) return 0
    throw error
  }
}

function refused(problem: string): number {
  stderr.write(problem + usage)
  return 2
}

const freshSecret = (): string => {
  const bytes = crypto.getRandomValues(new Uint8Array(24))
  return `whsec_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

try {
  process.exitCode = await run(flagsOf())
} catch (error) {
  stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
