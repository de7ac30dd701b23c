import { attempt, pause } from '../request/attempt.ts'
import { QuipuConnectionError, QuipuError } from '../request/errors.ts'
import type { Events } from '../endpoints/events.ts'
import type { QuipuEvent } from '../openapi/openapi.ts'
import { signWebhook } from '../webhook/signature.ts'

export type ListenOptions = {
  readonly events: Events
  /** The local URL that events are sent to. */
  readonly forwardTo: string
  /** The secret that signs them. */
  readonly secret: string
  readonly headerPrefix?: string | undefined
  /** Forwards events from this instant on. Default: from now on. */
  readonly since?: Date | undefined
  readonly pollMs?: number | undefined
  readonly signal: AbortSignal
  print(line: string): void
}

/**
 * How far each poll reaches back: transactions commit concurrently, so an event with an earlier
 * `recorded_at` can become visible later.
 */
const overlapMs = 60_000

/**
 * Forwards every event to a local URL, signed as the service signs: at least once, in the order of
 * recording.
 *
 * @throws the signal's reason when it is aborted; QuipuError when the API refuses the key or the query
 */
export async function listen(options: ListenOptions): Promise<never> {
  const { since, signal, print, pollMs = 2_000 } = options
  /** `recorded_at` of each event that is not to be forwarded again, by id. */
  const known = since ? new Map<string, number>() : await newestEvents(options)
  let from = since
  print('Waiting for events')
  for (;;) {
    from = nextPollStart(known, from)
    for (const event of await readEvents(options, from)) {
      if (known.has(event.id)) continue
      await forward(event, options)
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
  const start = Math.max(
    [...known.values()].reduce((a, b) => Math.max(a, b)) - overlapMs,
    from?.getTime() ?? 0,
  )
  for (const [id, ms] of known) if (ms < start) known.delete(id)
  return new Date(start)
}

/** Reads events, oldest first. Prints a line and answers none when the API is unavailable. */
async function readEvents(
  { events, signal, print }: ListenOptions,
  from: Date | undefined,
): Promise<QuipuEvent[]> {
  try {
    const found: QuipuEvent[] = []
    for await (const event of events.list({ from, limit: 100 }, { signal })) found.push(event)
    return found.reverse()
  } catch (error) {
    const isTemporary =
      error instanceof QuipuConnectionError || (error instanceof QuipuError && error.status >= 429)
    if (!isTemporary) throw error
    print(`${error.message}; retrying`)
    return []
  }
}

/** Sends an event until the server accepts a connection. Any answer counts as delivered. */
async function forward(event: QuipuEvent, options: ListenOptions): Promise<void> {
  const { forwardTo, secret, headerPrefix, signal, print, pollMs = 2_000 } = options
  const body = JSON.stringify(event)
  for (let tries = 0; ; tries++) {
    const headers = await signWebhook({ id: event.id, body }, secret, { headerPrefix })
    const init = { method: 'POST', headers, body, redirect: 'manual' } as const
    const sent = await attempt(globalThis.fetch, forwardTo, init, 10_000, signal)
    if (sent.type !== 'unsent') {
      const outcome = sent.type === 'answered' ? sent.response.status : `no answer (${sent.type})`
      return print(`${event.recorded_at} ${event.type} ${event.id} → ${outcome}`)
    }
    if (tries === 0) print(`${forwardTo} refuses connections; retrying until it accepts them`)
    await pause(pollMs, signal)
  }
}
