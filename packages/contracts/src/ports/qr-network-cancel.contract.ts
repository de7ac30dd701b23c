import { expect, test } from 'vitest'
import type { NetworkAnswer } from '@quipu/core/adapter'
import { ordering, paymentsOf, type QrNetworkHarness } from './payment-orders.ts'

/** Proves that `cancel` ends a reference, so that no payment can follow. */
export function qrNetworkCancelContract(harness: () => QrNetworkHarness): void {
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

  test('cancelling a paid or refused reference answers its outcome', async () => {
    const h = harness()
    const { network } = h
    for (const scenario of ['paid', 'refused'] as const) {
      const order = await ordering(h, { scenario })
      const answer = await network.pay(order)
      expect(await network.cancel?.(order.reference, order.networkRef)).toEqual(answer)
      expect(await network.status(order.reference, order.networkRef)).toEqual(answer)
    }
  })

  test('cancel does not cancel a late payment', async () => {
    const h = harness()
    const { network, settle } = h
    const order = await ordering(h, { scenario: 'late' })
    await network.pay(order)
    const answer = await network.cancel?.(order.reference, order.networkRef)
    expect(['pending', 'paid']).toContain(answer?.type)
    await settle(order.reference)
    const status = await network.status(order.reference, order.networkRef)
    expect(status).toMatchObject({ type: 'paid' })
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
