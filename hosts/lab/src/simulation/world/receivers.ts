import type { EventLoop, Machine } from '@quipu/contracts/simulation'
import type { WebhookSender } from '@quipu/core'
import { attemptTimeoutSeconds, sha256 } from '@quipu/core/adapter'

/** Received events: the bytes of each event, by URL and event. */
export type Receivers = {
  /** Probability that an attempt fails. */
  faults: number
  /** While it is set no receiver answers. */
  isDown: boolean
  /** The digest of each event's bytes that a receiver acknowledged, by URL and event. */
  readonly acknowledged: Map<string, Map<string, string>>
  /** Every event but test events that has arrived, with or without an answer. */
  readonly received: Set<string>
  /** Differences between the bytes of two attempts at the same event. */
  readonly violations: string[]
  from(machine: Machine): WebhookSender
}

/** As the sender's. */
const timeoutMs = attemptTimeoutSeconds * 1000

export function receivers(loop: EventLoop, faults: number): Receivers {
  const digests = new Map<string, string>()
  const all: Receivers = {
    faults,
    isDown: false,
    acknowledged: new Map(),
    received: new Set(),
    violations: [],
    from: (machine) => ({ send: (request) => send(machine, request) }),
  }
  type Request = Parameters<WebhookSender['send']>[0]
  type Result = Awaited<ReturnType<WebhookSender['send']>>

  async function send(machine: Machine, request: Request): Promise<Result> {
    const startedAt = machine.monotonic()
    const ended = (result: Omit<Result, 'latencyMs' | 'excerpt'>): Result => ({
      excerpt: null,
      latencyMs: machine.monotonic() - startedAt,
      ...result,
    })
    const exchange = machine.remote(async () => answer(request))
    const { done, cancel } = machine.timer(timeoutMs)
    const late = done.then((): Answer => ({ error: 'TIMEOUT', statusCode: null }))
    const result = await Promise.race([exchange(), late])
    cancel()
    return ended(result)
  }
  type Answer = Pick<Result, 'error' | 'statusCode'>

  function answer(request: Request): Promise<Answer> {
    if (!all.isDown) receive(request)
    if (all.isDown) return Promise.resolve({ error: 'CONNECTION_REFUSED', statusCode: null })
    if (!loop.chance(all.faults)) {
      acknowledge(request)
      return Promise.resolve({ error: null, statusCode: 204 })
    }
    if (loop.chance(0.5)) return Promise.resolve({ error: 'STATUS', statusCode: 500 })
    // It takes the event, and its answer is lost.
    if (loop.chance(0.5)) acknowledge(request)
    return new Promise(() => undefined)
  }
  function receive({ headers, body }: Request): void {
    const { type } = JSON.parse(Buffer.from(body).toString()) as { type: string }
    // A test event is never stored.
    if (type !== 'webhook.test') all.received.add(headers['X-Service-Event-Id'] ?? '')
  }
  function acknowledge({ url, headers, body }: Request): void {
    const id = headers['X-Service-Event-Id'] ?? ''
    const digest = sha256(Buffer.from(body).toString('latin1'))
    const earlier = digests.get(id)
    if (earlier !== undefined && earlier !== digest)
      all.violations.push(`event ${id} arrived with other bytes than before`)
    digests.set(id, digest)
    const events = all.acknowledged.get(url) ?? new Map<string, string>()
    all.acknowledged.set(url, events.set(id, digest))
  }
  return all
}
