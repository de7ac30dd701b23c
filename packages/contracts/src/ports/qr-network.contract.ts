import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bob, type NetworkAnswer, type PaymentOrder, Unavailable } from '@quipu/core'
import { anySandboxQrRequest } from '../fixtures/arbitraries.ts'
import {
  never,
  type OpenQrNetwork,
  ordering,
  paymentsOf,
  qr,
  type QrNetworkHarness,
  rowsOf,
  statementAround,
} from './payment-orders.ts'
import { useResource } from '../fixtures/resource.ts'

/** What every `QrNetwork` with a fence must do, as tests. */
export function qrNetworkContract(name: string, open: OpenQrNetwork): void {
  describe(`reading on ${name}`, () => {
    readingContract(useResource(open))
  })
  describe(`paying on ${name}`, () => {
    outcomesContract(useResource(open))
    onceContract(useResource(open))
  })
  describe(`the fence of ${name}`, () => {
    fenceContract(useResource(open))
  })
  describe(`the books of ${name}`, () => {
    booksContract(useResource(open))
  })
}

function readingContract(harness: () => QrNetworkHarness): void {
  test('a closed QR says its amount, an open one leaves it to the payer', async () => {
    const { network, issuer } = harness()
    for (const request of [qr(), qr({ amountMode: 'open', amount: null })]) {
      const issued = await issuer.issue(request)
      const read = await network.readQr(issued.content, never)
      expect(read).toMatchObject({
        type: 'read',
        amountMode: request.amountMode,
        amount: request.amount,
        merchant: issued.merchant,
        description: issued.description,
      })
      expect(read.type === 'read' && read.networkRef).toMatch(/./)
    }
  })

  test('every issued QR reads as it was issued', async () => {
    const { network, issuer } = harness()
    await fc.assert(
      fc.asyncProperty(anySandboxQrRequest, async (request) => {
        const { content, scenario: _, ...issued } = await issuer.issue(request)
        expect(await network.readQr(content, never)).toMatchObject({ type: 'read', ...issued })
      }),
      { numRuns: 25 },
    )
  })

  test('a content that is no QR of this network is refused', async () => {
    const { network, issuer } = harness()
    const { content } = await issuer.issue(qr())
    for (const junk of [
      'x',
      ' ',
      'hello|world',
      content.slice(1),
      `${content}0`,
      '💸'.repeat(250),
    ]) {
      expect(await network.readQr(junk, never)).toMatchObject({ type: 'refused_qr' })
    }
  })

  test('a question that was called off is unavailable', async () => {
    const { network, issuer } = harness()
    const { content } = await issuer.issue(qr())
    const asked = network.readQr(content, AbortSignal.abort())
    await expect(asked).rejects.toThrow(Unavailable)
  })
}

const outcomes = {
  refused: 'refused_payment',
  refused_qr: 'refused_qr',
  no_liquidity: 'no_liquidity',
  limit: 'limit',
} as const

function outcomesContract(harness: () => QrNetworkHarness): void {
  test.each(['closed', 'open'] as const)('pays a QR that is %s', async (amountMode) => {
    const h = harness()
    const { network } = h
    const amount = amountMode === 'closed' ? bob(10_000n) : null
    const order = await ordering(h, { amountMode, amount }, bob(10_000n))
    const answer = await network.pay(order)
    expect(answer).toMatchObject({ type: 'paid', amount: order.amount })
    expect(await network.status(order.reference, order.networkRef)).toEqual(answer)
  })

  test.each(Object.entries(outcomes))(
    'a QR that ends %s is answered %s',
    async (scenario, type) => {
      const h = harness()
      const { network } = h
      const order = await ordering(h, { scenario: scenario as 'refused' })
      expect(await network.pay(order)).toEqual({ type })
      expect(await network.status(order.reference, order.networkRef)).toEqual({ type })
      expect(await network.cancel(order.reference, order.networkRef)).toEqual({ type })
      expect(await paymentsOf(network, order)).toEqual([])
    },
  )

  test('a late payment is late until it ends, and then stays as it ended', async () => {
    const h = harness()
    const { network, settle } = h
    const order = await ordering(h, { scenario: 'late' })
    const { reference, networkRef } = order
    expect(await network.pay(order)).toEqual({ type: 'late' })
    await settle(reference)
    const status = await network.status(reference, networkRef)
    expect(status).toMatchObject({ type: 'paid', amount: order.amount })
    expect(await network.pay(order)).toEqual(status)
    expect(await paymentsOf(network, order)).toHaveLength(1)
  })

  test('a late payment is not closed by the fence', async () => {
    const h = harness()
    const { network, settle } = h
    const order = await ordering(h, { scenario: 'late' })
    await network.pay(order)
    const closed = await network.cancel(order.reference, order.networkRef)
    expect(['late', 'paid']).toContain(closed.type)
    await settle(order.reference)
    const status = await network.status(order.reference, order.networkRef)
    expect(status).toMatchObject({ type: 'paid' })
  })

  test('a payment that was never ordered is not seen', async () => {
    const h = harness()
    const { network } = h
    const { reference, networkRef } = await ordering(h)
    expect(await network.status(reference, networkRef)).toEqual({ type: 'not_seen' })
  })

  test('an order for another amount than the QR’s is provably not sent', async () => {
    const h = harness()
    const { network } = h
    const order = await ordering(h, {}, bob(10_001n))
    expect(await network.pay(order)).toMatchObject({ type: 'not_sent' })
    const status = await network.status(order.reference, order.networkRef)
    expect(status).toEqual({ type: 'not_seen' })
  })
}

function onceContract(harness: () => QrNetworkHarness): void {
  test('the same order again answers the same payment and pays nothing more', async () => {
    const h = harness()
    const { network } = h
    const order = await ordering(h)
    const answer = await network.pay(order)
    expect(await network.pay(order)).toEqual(answer)
    expect(await paymentsOf(network, order)).toHaveLength(1)
  })

  test('the same order 20 times at once pays once', async () => {
    const h = harness()
    const { network } = h
    const order = await ordering(h)
    const answers = await Promise.all(Array.from({ length: 20 }, () => network.pay(order)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer, noBigints))).size).toBe(1)
    expect(answers[0]?.type).toBe('paid')
    expect(await paymentsOf(network, order)).toHaveLength(1)
  })

  test('another order under a used reference concludes nothing and pays nothing', async () => {
    const h = harness()
    const { network } = h
    const order = await ordering(h, { amountMode: 'open', amount: null })
    const answer = await network.pay(order)
    const other = { ...order, amount: bob(20_000n) }
    expect(await network.pay(other)).toMatchObject({ type: 'unknown' })
    expect(await network.status(order.reference, order.networkRef)).toEqual(answer)
    expect(await paymentsOf(network, order)).toMatchObject([{ amount: order.amount }])
  })
}

function fenceContract(harness: () => QrNetworkHarness): void {
  const closed: NetworkAnswer = { type: 'cancelled' }

  test('closing what was never seen is final: no order is paid afterwards', async () => {
    const h = harness()
    const { network } = h
    const order = await ordering(h)
    const { reference, networkRef } = order
    expect(await network.cancel(reference, networkRef)).toEqual(closed)
    expect(await network.pay(order)).toEqual(closed)
    expect(await network.status(reference, networkRef)).toEqual(closed)
    expect(await network.cancel(reference, networkRef)).toEqual(closed)
    expect(await paymentsOf(network, order)).toEqual([])
  })

  test('closing what was paid answers the payment', async () => {
    const h = harness()
    const { network } = h
    const order = await ordering(h)
    const answer = await network.pay(order)
    expect(await network.cancel(order.reference, order.networkRef)).toEqual(answer)
    expect(await network.status(order.reference, order.networkRef)).toEqual(answer)
  })

  test('a fence and an order at once agree: both say paid, or both say closed', async () => {
    const h = harness()
    const { network } = h
    for (let round = 0; round < 10; round++) {
      const order = await ordering(h)
      const { reference, networkRef } = order
      const pay = () => network.pay(order)
      const close = () => network.cancel(reference, networkRef)
      const answers = await Promise.all(round % 2 === 0 ? [pay(), close()] : [close(), pay()])
      const status = await network.status(reference, networkRef)
      expect(answers).toEqual([status, status])
      expect(['paid', 'cancelled']).toContain(status.type)
      const rows = await paymentsOf(network, order)
      expect(rows).toHaveLength(status.type === 'paid' ? 1 : 0)
    }
  })
}

function booksContract(harness: () => QrNetworkHarness): void {
  test('liquidity falls by exactly what is paid', async () => {
    const h = harness()
    const { network } = h
    const before = (await network.liquidity()).available
    await network.pay(await ordering(h, { amount: bob(12_345n) }))
    await network.pay(await ordering(h, { scenario: 'refused' }))
    const after = (await network.liquidity()).available
    expect(before.minor - after.minor).toBe(12_345n)
  })

  test('the statement has each payment once, the oldest first, and nothing of another time', async () => {
    const h = harness()
    const { network } = h
    const orders: PaymentOrder[] = []
    for (const minor of [100n, 200n, 300n]) {
      const order = await ordering(h, { amount: bob(minor) })
      const answer = await network.pay(order)
      expect(answer.type).toBe('paid')
      orders.push(order)
    }
    const references = new Set(orders.map(({ reference }) => reference))
    const rows = (await statementAround(network)).filter((row) => references.has(row.reference))
    expect(rows).toMatchObject(
      orders.map(({ reference, networkRef, amount }) => ({ reference, networkRef, amount })),
    )
    for (const { paidAt } of rows) expect(Number.isInteger(paidAt.getTime())).toBe(true)
    expect(new Set(rows.map(({ paymentId }) => paymentId)).size).toBe(rows.length)
    expect(await rowsOf(network, new Date(0), new Date(1_000))).toEqual([])
  })
}

const noBigints = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value
