import type { ExpectStatic } from 'vitest'
import type { AnyHarness, NetworkHarness } from '../harness/payout-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import type { Order, Tenant } from '../harness/tenant.fixture.ts'

/** Sends the payment to an API that is about to be killed. @returns whether it was answered */
export const payUnanswered = (tenant: Tenant, order: Order): Promise<boolean> =>
  tenant.pay(order).then(
    () => true,
    () => false,
  )

/** Starts a worker and a new API. */
export const restart = async (harness: NetworkHarness<unknown>): Promise<Tenant> => {
  await harness.openWorker()
  return harness.openApi()
}

/** Kills an API whose payout waits to be accepted, and then lets it be. @returns its order */
export async function killWhileAccepting(expect: ExpectStatic, harness: NetworkHarness<unknown>): Promise<Order> {
  const api = await harness.startApi()
  const order = await harness.order(api)
  const unlock = await harness.database.lockWallets()
  const answered = payUnanswered(api, order)
  await harness.database.untilBlocked('accept_payouts')

  await api.kill()
  expect(await answered).toBe(false)
  await unlock()
  await until('the write is committed', () => harness.database.find(order))
  return order
}

/** Kills an API while its request for a payment is dropped on the way to the network. @returns the order */
export async function killWhileOrdering(expect: ExpectStatic, harness: NetworkHarness<unknown>): Promise<Order> {
  const api = await harness.startApi()
  const order = await harness.order(api)
  const unlock = await harness.database.lockWallets()
  const answered = payUnanswered(api, order)
  await harness.database.untilBlocked('accept_payouts') // The QR is read by now: the next request is the payment.
  const sent = harness.networkProxy.dropRequests()
  await unlock()
  await sent

  await api.kill()
  expect(await answered).toBe(false)
  expect(await harness.database.find(order)).toMatchObject({ status: 'processing' })
  harness.networkProxy.forward()
  return order
}

/** Kills an API while its request hangs at the point of the network, which then goes on. @returns the order */
export async function killAt(
  expect: ExpectStatic,
  harness: AnyHarness,
  point: 'before_reading' | 'before_paying' | 'after_paying',
): Promise<Order> {
  const api = await harness.startApi()
  const order = await harness.order(api)
  await harness.hangAt(point)
  const answered = payUnanswered(api, order)
  await harness.network.untilHanging()
  await api.kill()
  expect(await answered).toBe(false)
  harness.network.release()
  return order
}
