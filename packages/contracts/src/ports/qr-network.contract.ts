import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bob, Unavailable } from '@quipu/core'
import type { NetworkAnswer, PaymentOrder } from '@quipu/core/adapter'
import { anySandboxQrRequest } from '../fixtures/payout/payout-arbitraries.ts'
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

/** The contract of a `QrNetwork` that can cancel references. */
export function qrNetworkContract(name: string, open: OpenQrNetwork): void {
  describe(`reading on ${name}`, () => {
    readingContract(useResource(open))
  })
  describe(`paying on ${name}`, () => {
    outcomesContract(useResource(open))
    onceContract(useResource(open))
  })
  describe(`cancelling on ${name}`, () => {
    cancelContract(useResource(open))
  })
  describe(`liquidity and statement of ${name}`, () => {
    statementContract(useResource(open))
  })
}

function readingContract(harness: () => QrNetworkHarness): void {
  test('a closed QR has an amount, an open one has none', async () => {
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

  test('reads every QR as issued', async () => {
    const { network, issuer } = harness()
    await fc.assert(
      fc.asyncProperty(anySandboxQrRequest, async (request) => {
        const { content, scenario: _, ...issued } = await issuer.issue(request)
        expect(await network.readQr(content, never)).toMatchObject({ type: 'read', ...issued })
      }),
      { numRuns: 25 },
    )
  })

  test('refuses contents that are not QRs of this network', async () => {
    const { network, issuer } = harness()
    const { content } = await issuer.issue(qr())
    for (const junk of ['x', ' ', 'hello|world', content.slice(1), `${content}0`, '💸'.repeat(250)]) {
      expect(await network.readQr(junk, never)).toMatchObject({ type: 'refused_qr' })
    }
  })

  test('an aborted read throws Unavailable', async () => {
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
  test.each(['closed', 'open'] as const)('pays a QR whose amount is %s', async (amountMode) => {
    const h = harness()
    const { network } = h
    const amount = amountMode === 'closed' ? bob(10_000n) : null
    const order = await ordering(h, { amountMode, amount }, bob(10_000n))
    const answer = await network.pay(order)
    expect(answer).toMatchObject({ type: 'paid', amount: order.amount })
    expect(await network.status(order.reference, order.networkRef)).toEqual(answer)
  })

  test.each(Object.entries(outcomes))('a QR of scenario %s is answered %s', async (scenario, type) => {
    const h = harness()
    const { network } = h
    const order = await ordering(h, { scenario: scenario as 'refused' })
    expect(await network.pay(order)).toEqual({ type })
    expect(await network.status(order.reference, order.networkRef)).toEqual({ type })
    expect(await network.cancel?.(order.reference, order.networkRef)).toEqual({ type })
    expect(await paymentsOf(network, order)).toEqual([])
  })

  test('a late payment is late until it is settled, and then keeps its outcome', async () => {
    const h = harness()
    const { network, settle } = h
    const order = await ordering(h, { scenario: 'late' })
    const { reference, networkRef } = order
    expect(await network.pay(order)).toEqual({ type: 'pending' })
    await settle(reference)
    const status = await network.status(reference, networkRef)
    expect(status).toMatchObject({ type: 'paid', amount: order.amount })
    expect(await network.pay(order)).toEqual(status)
    expect(await paymentsOf(network, order)).toHaveLength(1)
  })

  test('cancel does not cancel a late payment', async () => {
    const h = harness()
    const { network, settle } = h
    const order = await ordering(h, { scenario: 'late' })
    await network.pay(order)
    const closed = await network.cancel?.(order.reference, order.networkRef)
    expect(['pending', 'paid']).toContain(closed?.type)
    await settle(order.reference)
    const status = await network.status(order.reference, order.networkRef)
    expect(status).toMatchObject({ type: 'paid' })
  })

  test('a reference that was never ordered is not_seen', async () => {
    const h = harness()
    const { network } = h
    const { reference, networkRef } = await ordering(h)
    expect(await network.status(reference, networkRef)).toEqual({ type: 'not_seen' })
  })

  test('an order for another amount than the QR’s is not_sent', async () => {
    const h = harness()
    const { network } = h
    const order = await ordering(h, {}, bob(10_001n))
    expect(await network.pay(order)).toMatchObject({ type: 'not_sent' })
    const status = await network.status(order.reference, order.networkRef)
    expect(status).toEqual({ type: 'not_seen' })
  })
}

function onceContract(harness: () => QrNetworkHarness): void {
  test('repeating an order answers the same payment and pays nothing more', async () => {
    const h = harness()
    const { network } = h
    const order = await ordering(h)
    const answer = await network.pay(order)
    expect(await network.pay(order)).toEqual(answer)
    expect(await paymentsOf(network, order)).toHaveLength(1)
  })

  test('20 concurrent repeats of an order pay once', async () => {
    const h = harness()
    const { network } = h
    const order = await ordering(h)
    const answers = await Promise.all(Array.from({ length: 20 }, () => network.pay(order)))
    expect(new Set(answers.map((answer) => JSON.stringify(answer, noBigints))).size).toBe(1)
    expect(answers[0]?.type).toBe('paid')
    expect(await paymentsOf(network, order)).toHaveLength(1)
  })

  test('a different order under a used reference is unknown and pays nothing', async () => {
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

function cancelContract(harness: () => QrNetworkHarness): void {
  const closed: NetworkAnswer = { type: 'cancelled' }

  test('cancelling an unseen reference is final: no later order is paid', async () => {
    const h = harness()
    const { network } = h
    const order = await ordering(h)
    const { reference, networkRef } = order
    expect(await network.cancel?.(reference, networkRef)).toEqual(closed)
    expect(await network.pay(order)).toEqual(closed)
    expect(await network.status(reference, networkRef)).toEqual(closed)
    expect(await network.cancel?.(reference, networkRef)).toEqual(closed)
    expect(await paymentsOf(network, order)).toEqual([])
  })

  test('cancelling a paid reference answers the payment', async () => {
    const h = harness()
    const { network } = h
    const order = await ordering(h)
    const answer = await network.pay(order)
    expect(await network.cancel?.(order.reference, order.networkRef)).toEqual(answer)
    expect(await network.status(order.reference, order.networkRef)).toEqual(answer)
  })

  test('a concurrent cancel and order agree: both answer paid, or both cancelled', async () => {
    const h = harness()
    const { network } = h
    for (let round = 0; round < 10; round++) {
      const order = await ordering(h)
      const { reference, networkRef } = order
      const pay = () => network.pay(order)
      const close = async () => network.cancel?.(reference, networkRef)
      const answers = await Promise.all(round % 2 === 0 ? [pay(), close()] : [close(), pay()])
      const status = await network.status(reference, networkRef)
      expect(answers).toEqual([status, status])
      expect(['paid', 'cancelled']).toContain(status.type)
      const rows = await paymentsOf(network, order)
      expect(rows).toHaveLength(status.type === 'paid' ? 1 : 0)
    }
  })
}

function statementContract(harness: () => QrNetworkHarness): void {
  test('liquidity falls by exactly the payments', async () => {
    const h = harness()
    const { network } = h
    const before = (await network.liquidity()).available
    await network.pay(await ordering(h, { amount: bob(12_345n) }))
    await network.pay(await ordering(h, { scenario: 'refused' }))
    const after = (await network.liquidity()).available
    expect(before.minor - after.minor).toBe(12_345n)
  })

  test('the statement lists each payment of its time range once, oldest first', async () => {
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
    expect(rows).toMatchObject(orders.map(({ reference, networkRef, amount }) => ({ reference, networkRef, amount })))
    for (const { paidAt } of rows) expect(Number.isInteger(paidAt.getTime())).toBe(true)
    expect(new Set(rows.map(({ paymentId }) => paymentId)).size).toBe(rows.length)
    expect(await rowsOf(network, new Date(0), new Date(1_000))).toEqual([])
  })
}

const noBigints = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)
