import { Unavailable } from '@quipu/core'
import { beforeEach, expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'

const api = useTestApi('each')
let tenant: TestTenant

beforeEach(async () => {
  tenant = await api.tenant()
})

/** A store call that ends when the test ends it. */
function stalled<T>() {
  const reached = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<T>()
  return {
    reached: reached.promise,
    end: ended.resolve,
    fail: ended.reject,
    call: (): Promise<T> => {
      reached.resolve()
      return ended.promise
    },
  }
}

async function answeredAt20s<Reply>(reply: Promise<Reply>): Promise<Reply> {
  api.clock.step(19_999)
  await new Promise(setImmediate)
  api.clock.step(1)
  return reply
}

test('a payout whose store call stalls is a 503 after 20 s, and is not accepted later', async () => {
  const order = await tenant.order()
  const { findForCreate } = api.stores.payouts
  const store = stalled<Awaited<ReturnType<typeof findForCreate>>>()
  api.stores.payouts.findForCreate = store.call
  const reply = tenant.post('/v1/payouts', order)
  await store.reached
  const { status, code } = await answeredAt20s(reply)
  expect([status, code]).toEqual([503, 'OPERATION_UNCERTAIN'])

  api.stores.payouts.findForCreate = findForCreate
  store.end(await findForCreate(tenant.id, order.transaction_id, order.quote_id, 'latest'))
  expect(await api.settled()).toBe(true)
  expect((await tenant.get('/v1/payouts')).json.data).toEqual([])
  expect((await tenant.post('/v1/payouts', order)).json).toMatchObject({ status: 'completed' })
})

test('a read whose store call stalls is a 503 after 20 s, and its late failure sends no second answer', async () => {
  const store = stalled<never>()
  api.stores.wallets.find = store.call
  const reply = tenant.get('/v1/wallets')
  await store.reached
  const { status, code } = await answeredAt20s(reply)
  expect([status, code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  store.fail(new Unavailable('store', 'gone'))
  expect((await tenant.get('/v1/payouts')).status).toBe(200)
})

test('a key lookup that stalls is a 503 after 20 s', async () => {
  const { findCaller } = api.stores.apiKeys
  const store = stalled<Awaited<ReturnType<typeof findCaller>>>()
  api.stores.apiKeys.findCaller = store.call
  api.clock.step(6_000) // The key is cached for 5 s.
  const reply = tenant.get('/v1/payouts')
  await store.reached
  const { status, code } = await answeredAt20s(reply)
  expect([status, code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  store.end(undefined)
})
