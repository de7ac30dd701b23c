import { randomUUID } from 'node:crypto'
import { type QrNetwork, toDecimal } from '@quipu/core'
import type { PaymentOrder } from '@quipu/core/adapter'
import { z } from 'zod'
import { Bolivianos, Instant } from './fields.ts'
import { type ClientOptions, jsonClient } from './json-client.ts'
import { closeAnswer, payAnswer, statusAnswer } from './payment-answer.ts'
import { expectJson, expectShape, readAnswer } from './read-answer.ts'
import { statementRows } from './statement.ts'

export type HttpQrNetworkOptions = ClientOptions & {
  /** The longest that `pay` may take; 90 s by default. */
  readonly payTimeoutMs?: number
  /** For reading a QR; 40 s by default, and less when the caller's signal says so. */
  readonly readTimeoutMs?: number
  /** For `status`, `close`, `liquidity` and each page of `statement`; 30 s by default. */
  readonly statusTimeoutMs?: number
}

/** A network with a fence, and connections to give back. */
export type HttpQrNetwork = Required<QrNetwork> & {
  /** Takes no more calls and resolves when those under way have ended, each by its own deadline. */
  stop(): Promise<void>
}

/**
 * The QR network over HTTP. The README has the contract.
 *
 * A payment is sent at most once, whatever happens to its connection. `not_sent` is answered only
 * when not one byte of the order was handed to a connection, or the network itself said 400.
 */
export function httpQrNetwork(options: HttpQrNetworkOptions): HttpQrNetwork {
  const { payTimeoutMs = 90_000, readTimeoutMs = 40_000, statusTimeoutMs = 30_000 } = options
  const { ask, stop } = jsonClient(options)
  const get = { method: 'GET', timeoutMs: statusTimeoutMs } as const
  return {
    async readQr(content, signal) {
      const body = { content, request_id: randomUUID() }
      const path = '/v1/qr/read'
      return readAnswer(await ask({ method: 'POST', path, body, timeoutMs: readTimeoutMs, signal }))
    },
    async pay(order) {
      const { reference } = order
      const body = orderJson(order)
      const path = paymentPath(reference)
      return payAnswer(await ask({ method: 'PUT', path, body, timeoutMs: payTimeoutMs }), order)
    },
    async status(reference, networkRef) {
      const path = paymentPath(reference)
      return statusAnswer(await ask({ ...get, path }), { reference, networkRef })
    },
    async cancel(reference, networkRef) {
      const path = `${paymentPath(reference)}/close`
      const reply = await ask({ method: 'POST', path, timeoutMs: statusTimeoutMs })
      return closeAnswer(reply, { reference, networkRef })
    },
    async liquidity() {
      const reply = await ask({ ...get, path: '/v1/liquidity' })
      const { available, at } = expectShape(Liquidity, expectJson(reply, [200]).json)
      return { available, at }
    },
    statement(from, to) {
      const period = { from: from.toISOString(), to: to.toISOString() }
      return statementRows((cursor) => {
        const query = new URLSearchParams(cursor === null ? period : { ...period, cursor })
        return ask({ ...get, path: `/v1/statement?${query.toString()}` })
      })
    },
    stop,
  }
}

const Liquidity = z.object({ currency: z.literal('BOB'), available: Bolivianos, at: Instant })

const paymentPath = (reference: string): string => `/v1/payments/${encodeURIComponent(reference)}`

const orderJson = ({ content, networkRef, amount, description }: PaymentOrder): object => ({
  content,
  network_ref: networkRef,
  amount: toDecimal(amount),
  currency: amount.currency,
  ...(description !== null && { description }),
})
