import type { IncomingMessage } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { Stripe } from 'stripe'
import { listener } from './listener.fixture.ts'
import { until } from './process.fixture.ts'

export type Arrival = { readonly signature: string; readonly body: Buffer }

/** A tenant's webhook server that verifies signatures with Stripe's own library. */
export type StripeReceiver = {
  readonly url: string
  /** The signing secret that deliveries must use. */
  secret: string
  /** Every arrival, by event id. */
  readonly arrivals: ReadonlyMap<string, readonly Arrival[]>
  /** Reasons of requests that were answered 400. */
  readonly rejections: readonly string[]
  /** Holds back all answers. @returns a function that releases them */
  holdAnswers(): () => void
  /** Waits until this number of different events has arrived, answered or not. */
  untilArrived(events: number): Promise<void>
  stop(): Promise<void>
}

const stripe = new Stripe('sk_test_none')

export async function openStripeReceiver(): Promise<StripeReceiver> {
  const arrivals = new Map<string, Arrival[]>()
  const rejections: string[] = []
  let released = Promise.resolve()

  const take = ({ headers }: IncomingMessage, body: Buffer): boolean => {
    const signature = String(headers['x-service-signature'])
    try {
      const { id } = stripe.webhooks.constructEvent(body, signature, receiver.secret)
      if (headers['x-service-event-id'] !== id) throw new Error(`the header has another id than ${id}`)
      const arrival = { signature, body }
      const before = arrivals.get(id)
      if (before) before.push(arrival)
      else arrivals.set(id, [arrival])
      return true
    } catch (error) {
      rejections.push(String(error))
      return false
    }
  }
  const { url, stop } = await listener((request, response) => {
    request.on('error', () => undefined) // Its sender was killed.
    void buffer(request).then(
      (body) => {
        const status = take(request, body) ? 204 : 400
        void released.then(() => response.writeHead(status).end())
      },
      () => undefined,
    )
  })

  const receiver: StripeReceiver = {
    url: `${url}/quipu`,
    secret: '',
    arrivals,
    rejections,
    holdAnswers() {
      const { promise, resolve } = Promise.withResolvers<void>()
      released = promise
      return () => {
        released = Promise.resolve()
        resolve()
      }
    },
    async untilArrived(events) {
      await until(`${events} events have arrived`, () => arrivals.size >= events)
    },
    stop,
  }
  return receiver
}
