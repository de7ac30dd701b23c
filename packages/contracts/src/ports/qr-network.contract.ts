import { describe, expect, test } from 'vitest'
import { bob, type NetworkCapabilities } from '@quipu/core'
import type { FinalPaymentOutcome, NetworkAnswer, PaymentOrder, SandboxScenario } from '@quipu/core/adapter'
import { useResource } from '../fixtures/resource.ts'
import {
  type OpenQrNetwork,
  ordering,
  paymentsOf,
  type QrNetworkHarness,
  refOf,
  rowsOf,
  statementAround,
} from './payment-orders.ts'
import { qrNetworkCancelContract } from './qr-network-cancel.contract.ts'
import { qrNetworkReadingContract } from './qr-network-reading.contract.ts'

/**
 * The contract of a `QrNetwork` with these abilities: the suites of all networks, and that of each ability that it claims.
 *
 * @param lacks  the outcomes that the network has no answer for
 */
export function qrNetworkContract(
  name: string,
  open: OpenQrNetwork,
  capabilities: NetworkCapabilities,
  lacks: readonly Unpaid[] = [],
): void {
  const isCancelling = capabilities.unpaidProof.by === 'cancel'
  describe(`abilities of ${name}`, () => {
    const harness = useResource(open)

    test('it claims these abilities, and has `cancel` exactly when that proves that nothing is paid', () => {
      const { network } = harness()
      expect(network.capabilities).toEqual(capabilities)
      expect(network.cancel !== undefined).toBe(isCancelling)
    })
  })
  describe(`reading on ${name}`, () => {
    qrNetworkReadingContract(useResource(open), capabilities)
  })
  describe(`paying on ${name}`, () => {
    payingContract(useResource(open), capabilities, lacks)
    if (capabilities.isPayRepeatable) repeatingContract(useResource(open))
  })
  if (isCancelling)
    describe(`cancelling on ${name}`, () => {
      qrNetworkCancelContract(useResource(open))
    })
  describe(`liquidity and statement of ${name}`, () => {
    statementContract(useResource(open), capabilities)
  })
}

type Unpaid = Exclude<FinalPaymentOutcome, 'paid'>
const scenarios: Readonly<Record<Unpaid, SandboxScenario>> = {
  refused_payment: 'refused',
  refused_qr: 'refused_qr',
  no_liquidity: 'no_liquidity',
  limit: 'limit',
}

function payingContract(
  harness: () => QrNetworkHarness,
  { givesReferenceAtPay }: NetworkCapabilities,
  lacks: readonly Unpaid[],
): void {
  test.each(['closed', 'open'] as const)('pays a QR whose amount is %s', async (amountMode) => {
    const h = harness()
    const { network } = h
    const amount = amountMode === 'closed' ? bob(10_000n) : null
    const order = await ordering(h, { amountMode, amount }, bob(10_000n))
    const answer = await network.pay(order)
    expect(answer).toMatchObject({ type: 'paid', amount: order.amount })
    expect('networkRef' in answer && answer.networkRef !== undefined).toBe(givesReferenceAtPay)
    expect(await network.status(order.reference, refOf(order, answer))).toMatchObject(withoutRef(answer))
    expect(await paymentsOf(network, order)).toMatchObject([{ type: 'payment', amount: order.amount }])
  })

  const known = Object.entries(scenarios).filter(([type]) => !lacks.some((each) => each === type))
  test.each(known)('%s is answered to a QR of scenario %s', async (type, scenario) => {
    const h = harness()
    const { network } = h
    const order = await ordering(h, { scenario })
    expect(await network.pay(order)).toEqual({ type })
    if (!givesReferenceAtPay) expect(await network.status(order.reference, order.networkRef)).toEqual({ type })
    expect(await paymentsOf(network, order)).toEqual([])
  })

  test('a late payment is late until it is settled, and then keeps its outcome', async () => {
    const h = harness()
    const { network, settle } = h
    const order = await ordering(h, { scenario: 'late' })
    const answer = await network.pay(order)
    expect(answer).toMatchObject({ type: 'pending' })
    const ref = refOf(order, answer)
    expect(await network.status(order.reference, ref)).toMatchObject({ type: 'pending' })
    await settle(order.reference)
    const paid = await network.status(order.reference, ref)
    expect(paid).toMatchObject({ type: 'paid', amount: order.amount })
    expect(await network.status(order.reference, ref)).toEqual(paid)
    expect(await paymentsOf(network, order)).toHaveLength(1)
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

function repeatingContract(harness: () => QrNetworkHarness): void {
  test('repeating an order answers the same payment and pays nothing more', async () => {
    const h = harness()
    const { network } = h
    const order = await ordering(h)
    const answer = await network.pay(order)
    expect(await network.pay(order)).toEqual(answer)
    expect(await paymentsOf(network, order)).toHaveLength(1)
  })

  test('repeating the order of a late payment answers what was settled', async () => {
    const h = harness()
    const { network, settle } = h
    const order = await ordering(h, { scenario: 'late' })
    const pending = await network.pay(order)
    await settle(order.reference)
    expect(await network.pay(order)).toEqual(await network.status(order.reference, refOf(order, pending)))
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
    expect(await network.status(order.reference, refOf(order, answer))).toEqual(withoutRef(answer))
    expect(await paymentsOf(network, order)).toMatchObject([{ amount: order.amount }])
  })
}

function statementContract(harness: () => QrNetworkHarness, { givesReferenceAtPay }: NetworkCapabilities): void {
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
    const orders = new Map<string, PaymentOrder>()
    for (const minor of [100n, 200n, 300n]) {
      const order = await ordering(h, { amount: bob(minor) })
      expect(await network.pay(order)).toMatchObject({ type: 'paid' })
      orders.set(order.reference, order)
    }
    const rows = (await statementAround(network)).filter(({ reference }) => orders.has(reference))
    expect(new Set(rows.map(({ reference }) => reference))).toEqual(new Set(orders.keys()))
    for (const { reference, networkRef, amount, paidAt } of rows) {
      const order = orders.get(reference)
      expect(amount).toEqual(order?.amount)
      if (!givesReferenceAtPay) expect(networkRef).toBe(order?.networkRef)
      expect(Number.isInteger(paidAt.getTime())).toBe(true)
    }
    const times = rows.map(({ paidAt }) => paidAt.getTime())
    expect(times).toEqual(times.toSorted((a, b) => a - b))
    expect([rows.length, new Set(rows.map(({ paymentId }) => paymentId)).size]).toEqual([3, 3])
    expect(await rowsOf(network, new Date(0), new Date(1_000))).toEqual([])
  })
}

/** The answer as `status` gives it: with the reference that it is asked by, it may leave that out. */
function withoutRef(answer: NetworkAnswer): NetworkAnswer {
  if (!('networkRef' in answer)) return answer
  const { networkRef: _, ...rest } = answer
  return rest
}

const noBigints = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)
