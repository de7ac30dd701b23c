import { randomUUID } from 'node:crypto'
import { cancelling, type QrNetwork, toDecimal } from '@quipu/core'
import type { PaymentOrder } from '@quipu/core/adapter'
import { z } from 'zod'
import { Bolivianos, Instant } from './fields.ts'
import { bearerClient, type ClientOptions } from './bearer-client.ts'
import { cancelAnswer, payAnswer, statusAnswer } from './payment-answer.ts'
import { expectJson, expectShape, readAnswer } from './read-answer.ts'
import { statementRows } from './statement.ts'

/** The URL, the credential and the identity of a QR network. */
export type HttpQrNetworkOptions = ClientOptions & {
  /** `QrNetwork.identity`: the URL by default, without user info and query. */
  readonly identity?: string | undefined
  /** Deadline of `pay`; 90 s by default. */
  readonly payTimeoutMs?: number
  /** Deadline of `readQr`; 40 s by default. The caller's signal can end it earlier. */
  readonly readTimeoutMs?: number
  /** Deadline of `status`, `cancel`, `liquidity` and each page of `statement`; 30 s by default. */
  readonly statusTimeoutMs?: number
}

/** A network with connections to close. */
export type HttpQrNetwork = QrNetwork & {
  /** Refuses new calls. Resolves when the running ones have ended, each by its deadline. */
  stop(): Promise<void>
}

/**
 * The QR network over HTTP. The contract is in the README.
 *
 * A payment is sent at most once, also if its connection fails. The answer is `not_sent` only if no
 * byte of the order was written to a connection, or the network answered 400.
 */
export function httpQrNetwork(options: HttpQrNetworkOptions): HttpQrNetwork {
  const { payTimeoutMs = 90_000, readTimeoutMs = 40_000, statusTimeoutMs = 30_000 } = options
  const { send, stop } = bearerClient(options)
  const get = { method: 'GET', timeoutMs: statusTimeoutMs, isRead: true } as const
  const { origin, pathname } = new URL(options.url)
  return {
    capabilities: cancelling,
    identity: options.identity ?? origin + pathname.replace(/\/+$/, ''),
    async readQr(content, signal) {
      const body = { content, request_id: randomUUID() }
      const at = { path: '/v1/qr/read', template: '/v1/qr/read' }
      return readAnswer(await send({ method: 'POST', ...at, body, timeoutMs: readTimeoutMs, signal, isRead: true }))
    },
    async pay(order) {
      const { reference } = order
      const body = orderJson(order)
      const at = paymentAt(reference)
      return payAnswer(await send({ method: 'PUT', ...at, body, timeoutMs: payTimeoutMs }), order)
    },
    async status(reference, networkRef) {
      return statusAnswer(await send({ ...get, ...paymentAt(reference) }), { reference, networkRef })
    },
    async cancel(reference, networkRef) {
      const at = paymentAt(reference, '/close')
      const reply = await send({ method: 'POST', ...at, timeoutMs: statusTimeoutMs })
      return cancelAnswer(reply, { reference, networkRef })
    },
    async liquidity() {
      const path = '/v1/liquidity'
      const reply = await send({ ...get, path, template: path })
      const { available, at } = expectShape(Liquidity, expectJson(reply, [200]).json)
      return { available, at }
    },
    statement(from, to) {
      const period = { from: from.toISOString(), to: to.toISOString() }
      return statementRows((cursor) => {
        const query = new URLSearchParams(cursor === null ? period : { ...period, cursor })
        const path = '/v1/statement'
        return send({ ...get, path: `${path}?${query.toString()}`, template: path })
      })
    },
    stop,
  }
}

const Liquidity = z.object({ currency: z.literal('BOB'), available: Bolivianos, at: Instant })

/** The reference of a payment is the id of its payout. */
const paymentAt = (reference: string, action = '') => ({
  path: `/v1/payments/${encodeURIComponent(reference)}${action}`,
  template: `/v1/payments/{reference}${action}`,
  payoutId: reference,
})

const orderJson = ({ content, networkRef, amount, description }: PaymentOrder): object => ({
  content,
  network_ref: networkRef,
  amount: toDecimal(amount),
  currency: amount.currency,
  ...(description !== null && { description }),
})
