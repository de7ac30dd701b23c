import { createHmac, randomUUID } from 'node:crypto'
import type { Timers } from '../../timers.ts'
import type { NetworkFaults } from '../admin/faults.ts'
import type { PaymentJson } from '../payment/payment.ts'

/** Body of a callback. It is only a hint: the service reads the status before it acts. */
export type Callback = {
  readonly event_id: string
  readonly reference: string
  readonly outcome: PaymentJson['outcome']
  readonly occurred_at: string
}

/** One callback, whatever the network has recorded. */
export type CallbackRequest = {
  readonly reference: string
  readonly outcome: PaymentJson['outcome']
  /** Signs with a wrong secret. */
  readonly forged?: boolean | undefined
  /** Age of the signature's timestamp; receivers accept up to 300 s. */
  readonly age_seconds?: number | undefined
}

export type Callbacks = {
  /** Sends a callback in the background, with retries. Never throws. */
  notify(reference: string, outcome: PaymentJson['outcome']): void
  /** Sends one callback without retries. @returns the receiver's status, or null without an answer */
  send(request: CallbackRequest): Promise<number | null>
  /** Changes the URL; undefined disables callbacks. */
  setUrl(url: string | undefined): void
  /** Resolves when no attempt is running. Retries that are not due do not count. */
  idle(): Promise<void>
  stop(): void
}

/** Delays before the second, third and fourth attempt. Any 2xx ends the attempts. */
const retryDelaysMs = [1_000, 5_000, 15_000] as const
const timeoutMs = 5_000

/** `t=<unix seconds>,v1=<hex hmac-sha256 of "t.body">`, the value of `X-Network-Signature`. */
export function networkSignature(secret: string, unixSeconds: number, body: string): string {
  const digest = createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex')
  return `t=${unixSeconds},v1=${digest}`
}

type Settings = {
  readonly timers: Timers
  readonly faults: NetworkFaults
  readonly secret: string
  readonly url: string | undefined
}

export function createCallbacks({ timers, faults, secret, url }: Settings): Callbacks {
  const outbox = createOutbox(url)
  const sign = (body: string, { forged = false, age_seconds: age = 0 } = {}): string =>
    networkSignature(forged ? 'not the secret' : secret, seconds(timers.now()) - age, body)
  const bodyOf = (reference: string, outcome: Callback['outcome']): string =>
    JSON.stringify({
      event_id: randomUUID(),
      reference,
      outcome,
      occurred_at: new Date(timers.now()).toISOString(),
    } satisfies Callback)

  const attempt = async (body: string, retries: readonly number[]): Promise<void> => {
    const status = await outbox.post(body, sign(body))
    if (status !== null && status >= 200 && status < 300) return
    const [wait, ...later] = retries
    if (wait !== undefined) timers.after(wait, () => void attempt(body, later))
  }
  const deliver = async (reference: string, outcome: Callback['outcome']): Promise<void> => {
    const { duplicate_callbacks, forge_callbacks } = faults.current()
    if (forge_callbacks) {
      const forged = bodyOf(reference, outcome === 'paid' ? 'refused_payment' : 'paid')
      await outbox.post(forged, sign(forged, { forged: true }))
    }
    const body = bodyOf(reference, outcome)
    for (let i = 0; i <= duplicate_callbacks; i++) await attempt(body, retryDelaysMs)
  }
  return {
    notify(reference, outcome) {
      if (!faults.current().drop_callbacks) outbox.track(deliver(reference, outcome))
    },
    send({ reference, outcome, forged, age_seconds }) {
      const body = bodyOf(reference, outcome)
      return outbox.post(body, sign(body, { forged, age_seconds }))
    },
    setUrl: outbox.setUrl,
    idle: outbox.idle,
    stop: outbox.stop,
  }
}

type Outbox = Pick<Callbacks, 'setUrl' | 'idle' | 'stop'> & {
  /** Makes one attempt. @returns the receiver's status, or null without an answer */
  post(body: string, signature: string): Promise<number | null>
  /** Lets `idle` wait for this work. */
  track(work: Promise<unknown>): void
}

function createOutbox(initialUrl: string | undefined): Outbox {
  let url = initialUrl
  const stopped = new AbortController()
  const running = new Set<Promise<unknown>>()
  const track = (work: Promise<unknown>): void => {
    running.add(work)
    void work.finally(() => running.delete(work))
  }
  const request = async (to: string, body: string, signature: string): Promise<number | null> => {
    try {
      const response = await fetch(to, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-network-signature': signature },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([stopped.signal, AbortSignal.timeout(timeoutMs)]),
      })
      await response.body?.cancel()
      return response.status
    } catch {
      return null
    }
  }
  return {
    async post(body, signature) {
      if (url === undefined) return null
      const answer = request(url, body, signature)
      track(answer)
      return answer
    },
    track,
    setUrl: (next) => void (url = next),
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
    stop: () => stopped.abort(),
  }
}

const seconds = (ms: number): number => Math.floor(ms / 1000)
