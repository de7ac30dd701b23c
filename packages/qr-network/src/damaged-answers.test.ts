import { bob, toDecimal, Unavailable } from '@quipu/core'
import type { PaymentOrder, StatementRow } from '@quipu/core/adapter'
import { damagedBytes, damageKinds } from '@quipu/simulators'
import fc from 'fast-check'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { type HttpQrNetwork, httpQrNetwork } from './http-qr-network.ts'
import { startTcpServer } from '@quipu/http-json/testing'

let answer: Buffer
let network: HttpQrNetwork

beforeEach(async () => {
  const { url } = await startTcpServer((socket, received) => {
    const [head = '', body] = received.split('\r\n\r\n')
    const hasBody = /^content-length: [1-9]/im.test(head)
    if (body !== undefined && (!hasBody || body.endsWith('}'))) socket.end(answer)
  })
  const options = { url, token: 'network token' }
  const timeouts = { payTimeoutMs: 60_000, readTimeoutMs: 60_000, statusTimeoutMs: 60_000 }
  const created = httpQrNetwork({ ...options, ...timeouts })
  network = created
  onTestFinished(() => created.stop())
})

const order: PaymentOrder = {
  reference: 'po_01K6HZ8M00000000000000000A',
  networkRef: 'n_8f2e',
  content: 'x',
  amountMode: 'closed',
  amount: bob(123_45n),
  description: null,
}
const payment = {
  reference: order.reference,
  network_ref: order.networkRef,
  outcome: 'paid',
  final: true,
  amount: '123.45',
  currency: 'BOB',
  network_payment_id: 'QN-77',
}

const http = (status: number, json: object): Buffer => {
  const body = JSON.stringify(json)
  const head = `HTTP/1.1 ${status} X\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  return Buffer.from(`${head}\r\nConnection: close\r\n\r\n${body}`)
}

const damages = fc.array(fc.record({ kind: fc.constantFrom(...damageKinds), at: fc.nat(2_000), value: fc.nat(255) }), {
  minLength: 1,
  maxLength: 3,
})
const runs = { numRuns: 250, seed: 25 }

test.each([
  ['paid', http(200, payment)],
  ['refused_payment', http(200, { ...payment, outcome: 'refused_payment' })],
  ['refused_qr', http(200, { ...payment, outcome: 'refused_qr' })],
  ['no_liquidity', http(200, { ...payment, outcome: 'no_liquidity' })],
  ['pending', http(202, { ...payment, outcome: 'pending', final: false })],
  ['cancelled', http(409, { code: 'CLOSED' })],
  ['not_sent', http(400, { code: 'AMOUNT_INVALID' })],
])('a damaged answer to a payment is %s or unknown, and shows no amount but its own', async (type, bytes) => {
  answer = bytes
  expect(await network.pay(order)).toMatchObject({ type })
  await fc.assert(
    fc.asyncProperty(damages, async (changes) => {
      answer = damagedBytes(bytes, changes)
      const found = await network.pay(order)
      expect(['unknown', type]).toContain(found.type)
      if (found.type === 'paid' && found.amount !== null)
        expect(answer.toString('latin1')).toContain(`"${toDecimal(found.amount)}"`)
    }),
    runs,
  )
})

test.each([
  ['paid', http(200, payment)],
  ['refused_payment', http(200, { ...payment, outcome: 'refused_payment' })],
  ['cancelled', http(200, { outcome: 'closed_unpaid', final: true, reference: order.reference })],
  ['not_seen', http(404, { code: 'NOT_SEEN' })],
])('a damaged answer about a payment is %s or unknown', async (type, bytes) => {
  const { reference, networkRef } = order
  answer = bytes
  expect(await network.status(reference, networkRef)).toMatchObject({ type })
  await fc.assert(
    fc.asyncProperty(damages, async (changes) => {
      answer = damagedBytes(bytes, changes)
      expect(['unknown', type]).toContain((await network.status(reference, networkRef)).type)
      // `NOT_SEEN` is no answer to a cancellation: it must never count as a cancelled payment.
      const types = type === 'not_seen' ? ['unknown'] : ['unknown', type]
      expect(types).toContain((await network.cancel?.(reference, networkRef))?.type)
    }),
    runs,
  )
})

const read = {
  network_ref: 'n',
  amount_mode: 'closed',
  amount: '100.00',
  currency: 'BOB',
  description: 'Bread',
  merchant: { name: 'Shop', bank_code: '1016' },
  expires_at: '2026-01-01T00:00:00Z',
}

test('a damaged reading of a QR is unavailable, refused as invalid, or of the amount in it', async () => {
  const signal = new AbortController().signal
  await fc.assert(
    fc.asyncProperty(damages, async (changes) => {
      answer = damagedBytes(http(200, read), changes)
      const found = await orUnavailable(network.readQr('x', signal))
      if (found?.type === 'refused_qr') expect(found.reason).toMatch(/^QR_CURRENCY$|^invalid answer: /)
      else if (found) {
        expect(found.amountMode).toBe('closed')
        expect(found.amount?.minor).toBeGreaterThan(0n)
        expect(answer.toString('latin1')).toContain(`"${toDecimal(found.amount ?? bob(0n))}`)
      }
    }),
    runs,
  )
})

const row = {
  reference: 'po_1',
  network_ref: 'n',
  network_payment_id: 'p',
  amount: '1.00',
  paid_at: '2026-01-01T00:00:00Z',
  state: 'paid',
}

test('a damaged statement is unavailable or complete', async () => {
  const at = new Date('2026-01-01T00:00:00.000Z')
  const rows = [row, { ...row, reference: 'po_2', amount: '2.50' }]
  await fc.assert(
    fc.asyncProperty(damages, async (changes) => {
      answer = damagedBytes(http(200, { data: rows, next_cursor: null }), changes)
      const found = await orUnavailable(allOf(network.statement(at, at)))
      if (found) expect(found).toHaveLength(2)
    }),
    runs,
  )
})

async function allOf(rows: AsyncIterable<StatementRow>): Promise<StatementRow[]> {
  const found: StatementRow[] = []
  for await (const each of rows) found.push(each)
  return found
}

/** @throws every error but `Unavailable` */
async function orUnavailable<T>(answered: Promise<T>): Promise<T | undefined> {
  try {
    return await answered
  } catch (error) {
    if (error instanceof Unavailable) return undefined
    throw error
  }
}
