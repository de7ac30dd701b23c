import { attempt, pause } from '../request/attempt.ts'
import { QuipuConnectionError, QuipuError } from '../request/errors.ts'
import type { Events } from '../endpoints/events.ts'
import type { QuipuEvent } from '../openapi/openapi.ts'
import { signWebhook } from '../webhook/signature.ts'

export type ListenOptions = {
  readonly events: Events
  /** The local URL that events are sent to. */
  readonly forwardTo: string
  /** What they are signed with. */
  readonly secret: string
  readonly headerPrefix?: string | undefined
  /** Also what was recorded since then. Default: only what is recorded from now on. */
  readonly since?: Date | undefined
  readonly pollMs?: number | undefined
  readonly signal: AbortSignal
  print(line: string): void
}

/**
 * How far back each look reaches: events are recorded side by side, and one that began earlier may
 * show later.
 */
const overlapMs = 60_000

/**
 * Forwards every event to a local URL, signed as the service signs: at least once, in the order of
 * recording.
 *
 * @throws the signal's reason when it is aborted; QuipuError when the API refuses to say more
 */
export async function listen(options: ListenOptions): Promise<never> {
  const { since, signal, print, pollMs = 2_000 } = options
  /** When each event that was forwarded, or was there before, was recorded. */
  const known = since ? new Map<string, number>() : await present(options)
  let from = since
  print('Waiting for events')
  for (;;) {
    from = nextLook(known, from)
    for (const event of await recorded(options, from)) {
      if (known.has(event.id)) continue
      await forward(event, options)
      known.set(event.id, Date.parse(event.recorded_at))
    }
    await pause(pollMs, signal)
  }
}

/** The newest events: what comes later is new. */
async function present({ events, signal }: ListenOptions): Promise<Map<string, number>> {
  const known = new Map<string, number>()
  const [newest] = (await events.list({ limit: 1 }, { signal }).page()).data
  if (!newest) return known
  const from = new Date(Date.parse(newest.recorded_at) - overlapMs)
  for await (const { id, recorded_at } of events.list({ from, limit: 100 }, { signal })) {
    known.set(id, Date.parse(recorded_at))
  }
  return known
}

/** Where the next look begins. Events from before are forgotten: it does not find them any more. */
function nextLook(known: Map<string, number>, from: Date | undefined): Date | undefined {
  if (known.size === 0) return from
  const start = Math.max(
    [...known.values()].reduce((a, b) => Math.max(a, b)) - overlapMs,
    from?.getTime() ?? 0,
  )
  for (const [id, ms] of known) if (ms < start) known.delete(id)
  return new Date(start)
}

/** Oldest first. Nothing, and a line about it, when the API cannot be asked. */
async function recorded(
  { events, signal, print }: ListenOptions,
  from: Date | undefined,
): Promise<QuipuEvent[]> {
  try {
    const found: QuipuEvent[] = []
    for await (const event of events.list({ from, limit: 100 }, { signal })) found.push(event)
    return found.reverse()
  } catch (error) {
    const passing =
      error instanceof QuipuConnectionError || (error instanceof QuipuError && error.status >= 429)
    if (!passing) throw error
    print(`${error.message}; asking again`)
    return []
  }
}

/** Sends an event until it has arrived: your server may be starting. What it answers is final. */
async function forward(event: QuipuEvent, options: ListenOptions): Promise<void> {
  const { forwardTo, secret, headerPrefix, signal, print, pollMs = 2_000 } = options
  const body = JSON.stringify(event)
  for (let tries = 0; ; tries++) {
    const headers = await signWebhook({ id: event.id, body }, secret, { headerPrefix })
    const init = { method: 'POST', headers, body, redirect: 'manual' } as const
    const tried = await attempt(globalThis.fetch, forwardTo, init, 10_000, signal)
    if (tried.type !== 'unsent') {
      const outcome =
        tried.type === 'answered' ? tried.response.status : `no answer (${tried.type})`
      return print(`${event.recorded_at} ${event.type} ${event.id} → ${outcome}`)
    }
    if (tries === 0) print(`${forwardTo} does not take connections; waiting for it`)
    await pause(pollMs, signal)
  }
}
