import { onTestFinished } from 'vitest'
import type { IssuedQr, QrRequest } from './qr/issue-qr.ts'
import type { Scenario } from './qr/scenario.ts'
import { startQrNetwork, type QrNetworkOptions, type QrNetworkSimulator } from './start-qr-network.ts'

/** An answer; status 0 if the connection was dropped or refused. */
export type Reply = { readonly status: number; readonly body: Record<string, unknown> }

/** A network with a stepped clock, and a client of it. */
export type Fixture = {
  readonly network: QrNetworkSimulator
  ask(method: string, path: string, body?: unknown): Promise<Reply>
  admin(method: string, path: string, body?: unknown): Promise<Reply>
  /** Issues a QR; by default a closed one for 100.00 with a description. */
  qr(request?: Partial<QrRequest>): IssuedQr
  /** Reads the QR. @returns a valid order for it */
  order(qr: IssuedQr): Promise<Order>
  pay(reference: string, order: Order): Promise<Reply>
  /** Issues, reads and pays a QR of 100.00. */
  payScenario(reference: string, scenario: Scenario): Promise<Reply>
  /** Advances the clock. */
  step(ms: number): void
}

export type Order = {
  readonly content: string
  readonly network_ref: string
  readonly amount: string
  readonly currency: string
  readonly description: string | null
}

export const token = 'member-token'
export const callbackSecret = 'callback-secret'

/** Starts a network that stops at the end of the test. */
export async function startFixture(options: Partial<QrNetworkOptions> = {}): Promise<Fixture> {
  let now = Date.parse('2026-11-21T12:00:00.000Z')
  const network = await startQrNetwork({ token, callbackSecret, now: () => new Date(now), ...options })
  onTestFinished(network.stop)
  const ask: Fixture['ask'] = (method, path, body) =>
    request(network.url + path, method, body, { authorization: `Bearer ${token}` })
  const qr: Fixture['qr'] = (request = {}) =>
    network.issueQr({
      amount_mode: 'closed',
      description: 'Almuerzo',
      ...(request.amount_mode === 'open' ? {} : { amount: '100.00' }),
      ...request,
    })
  const order: Fixture['order'] = async (code) => {
    const read = await ask('POST', '/v1/qr/read', { content: code.content, request_id: 'r1' })
    return {
      content: code.content,
      network_ref: String(read.body['network_ref']),
      amount: '100.00',
      currency: 'BOB',
      description: null,
    }
  }
  const pay: Fixture['pay'] = (reference, body) => ask('PUT', `/v1/payments/${reference}`, body)
  return {
    network,
    ask,
    admin: (method, path, body) =>
      request(network.adminUrl + path, method, body, { 'content-type': 'application/json' }),
    qr,
    order,
    pay,
    payScenario: async (reference, scenario) => pay(reference, await order(qr({ scenario }))),
    step: (ms) => void (now += ms),
  }
}

export async function request(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Reply> {
  try {
    const response = await fetch(url, {
      method,
      headers,
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, body: parse(await response.text()) }
  } catch {
    return { status: 0, body: {} }
  }
}

function parse(text: string): Reply['body'] {
  try {
    return JSON.parse(text) as Reply['body']
  } catch {
    return { unparsable: text }
  }
}
