import { attempt, pause } from '../../request/attempt.ts'
import { QuipuConnectionError, QuipuError } from '../../request/errors.ts'
import type { Events } from '../../endpoints/events.ts'
import type { QuipuEvent } from '../../openapi/openapi.ts'
import { signWebhook } from '../../webhook/signature.ts'

export type ListenOptions = {
  readonly events: Events
  /** The local server that events are sent to; undefined shows them only. */
  readonly forward: Forward | undefined
  /** Starts at this instant. Default: now. */
  readonly since?: Date | undefined
  readonly pollMs?: number | undefined
  readonly signal: AbortSignal
  /** Prints each event as JSON. */
  readonly isJson: boolean
  print(line: string): void
  /** Says what happens besides events, and what is missing. */
  notice(line: string): void
}

export type Forward = {
  readonly url: string
  /** The secret that signs events. */
  readonly secret: string
  readonly headerPrefix?: string | undefined
}

/**
 * How far each poll reaches back: transactions commit concurrently, so an event with an earlier
 * `recorded_at` can become visible later.
 */
const overlapMs = 60_000

/**
 * Shows every event in the order of recording, and forwards it at least once, signed as the service signs.
 *
 * @throws the signal's reason when it is aborted; QuipuError when the API refuses the key or the query
 */
export async function listen(options: ListenOptions): Promise<never> {
  const { since, signal, notice, pollMs = 2_000 } = options
  /** `recorded_at` of each event that is not to be shown again, by id. */
  const known = since ? new Map<string, number>() : await newestEvents(options)
  let from = since
  notice('Waiting for events. To cause one: quipu trigger payout.completed')
  for (;;) {
    from = nextPollStart(known, from)
    for (const event of await readEvents(options, from)) {
      if (known.has(event.id)) continue
      await show(event, options)
      known.set(event.id, Date.parse(event.recorded_at))
    }
    await pause(pollMs, signal)
  }
}

/** The events within the overlap before the newest one. */
async function newestEvents({ events, signal }: ListenOptions): Promise<Map<string, number>> {
  const known = new Map<string, number>()
  const [newest] = (await events.list({ limit: 1 }, { signal }).page()).data
  if (!newest) return known
  const from = new Date(Date.parse(newest.recorded_at) - overlapMs)
  for await (const { id, recorded_at } of events.list({ from, limit: 100 }, { signal })) {
    known.set(id, Date.parse(recorded_at))
  }
  return known
}

/** The start of the next poll. Drops the known events before it, which that poll does not read. */
function nextPollStart(known: Map<string, number>, from: Date | undefined): Date | undefined {
  if (known.size === 0) return from
  const start = Math.max([...known.values()].reduce((a, b) => Math.max(a, b)) - overlapMs, from?.getTime() ?? 0)
  for (const [id, ms] of known) if (ms < start) known.delete(id)
  return new Date(start)
}

/** Reads events, oldest first. Says it and answers none when the API is unavailable. */
async function readEvents({ events, signal, notice }: ListenOptions, from: Date | undefined): Promise<QuipuEvent[]> {
  try {
    const found: QuipuEvent[] = []
    for await (const event of events.list({ from, limit: 100 }, { signal })) found.push(event)
    return found.reverse()
  } catch (error) {
    const isTemporary = error instanceof QuipuConnectionError || (error instanceof QuipuError && error.status >= 429)
    if (!isTemporary) throw error
    notice(`${error.message}; retrying`)
    return []
  }
}

async function show(event: QuipuEvent, options: ListenOptions): Promise<void> {
  const { forward, isJson, print, notice } = options
  const answer = forward && (await sent(event, forward, options))
  if (isJson) print(JSON.stringify(event))
  else print(lineOf(event) + (answer === undefined ? '' : ` → ${answer.outcome}`))
  if (answer?.advice !== undefined) notice(`  ${answer.advice}`)
}

/** When, which type, which payout, deposit or wallet, and how it ended or what it has. */
function lineOf({ recorded_at, type, id, data }: QuipuEvent): string {
  const about =
    'transaction_id' in data
      ? [data.transaction_id, data.status, data.error?.code]
      : 'available' in data
        ? [`${data.available} ${data.currency}`]
        : [`${data.amount} ${data.currency}`, data.status, data.review_code]
  const words = [recorded_at, type, data.id, ...about, `event ${id}`]
  return words.filter((word) => word !== undefined && word !== null).join(' ')
}

type Sent = { readonly outcome: string; readonly advice?: string }

/** Sends an event until the server accepts a connection. Any answer counts as delivered. */
async function sent(
  event: QuipuEvent,
  { url, secret, headerPrefix }: Forward,
  { signal, notice, pollMs = 2_000 }: ListenOptions,
): Promise<Sent> {
  const body = JSON.stringify(event)
  for (let tries = 0; ; tries++) {
    const headers = await signWebhook({ id: event.id, body }, secret, { headerPrefix })
    const init = { method: 'POST', headers, body, redirect: 'manual' } as const
    const made = await attempt(globalThis.fetch, url, init, 10_000, signal)
    if (made.type === 'answered') return answerOf(made.response.status, made.text)
    if (made.type === 'late') return { outcome: 'no answer', advice: tooLate }
    if (made.type === 'lost') return { outcome: 'no answer' }
    if (tries === 0) notice(`${url} refuses connections; retrying until it accepts them`)
    await pause(pollMs, signal)
  }
}

const tooLate = 'The service waits 10 s as well: answer first, and work afterwards.'

/** The missing part, by the answer of a server; the receivers of this package answer with a reason in brackets. */
const advices: Readonly<Record<string, string>> = {
  '404': 'Your server has no route for this path: check --forward-to.',
  '405': 'Your server takes no POST for this path: check --forward-to.',
  '400 mismatch': 'Your server has another secret: give it the one above.',
  '400 missing': 'Your server expects another header: set --header-prefix to its headerPrefix.',
  '400 stale': 'The clock of your server is wrong.',
}

function answerOf(status: number, text: string): Sent {
  const reason = /\((\w+)\)/.exec(text)?.[1]
  const advice = advices[`${status} ${reason}`] ?? advices[String(status)]
  return { outcome: String(status), ...(advice !== undefined && { advice }) }
}
