import { expect, test } from 'vitest'
import { useTestApi } from '../harness/use-api.fixture.ts'

const api = useTestApi('shared')

test('a tenant sets and removes the threshold of its own wallet, and reads its events', async () => {
  const [tenant, other] = [await api.tenant({ funds: 100_000_000n }), await api.tenant()]
  const set = (amount: unknown) => tenant.patch('/v1/wallets', { low_balance_threshold: amount })
  const types = async () => (await tenant.get('/v1/events')).json.data.map(({ type }: { type: string }) => type)
  const low = { low_balance_threshold: '100.000001', balance_low: true }

  expect(await set('100')).toMatchObject({ status: 200, json: { balance_low: false } })
  expect(await types()).toEqual([])
  api.clock.step(1_000)
  expect(await set('100.000001')).toMatchObject({ status: 200, json: { ...low, available: '100.000000' } })
  expect((await tenant.get('/v1/wallets')).json).toMatchObject(low)
  const [event] = (await tenant.get('/v1/events?type=wallet.balance_low')).json.data
  const { low_balance_threshold } = low
  expect(event.data).toMatchObject({ available: '100.000000', total: '100.000000', low_balance_threshold })
  expect((await other.get('/v1/wallets')).json).toMatchObject({ low_balance_threshold: null, balance_low: false })
  api.clock.step(1_000)
  expect((await set('0')).json).toMatchObject({ low_balance_threshold: null, balance_low: false })
  expect(await types()).toEqual(['wallet.balance_restored', 'wallet.balance_low'])
  for (const bad of [null, '-1', 5, '1.0000001']) expect((await set(bad)).status).toBe(400)
})
