import { type FaucetLimits, usdt } from '@quipu/core'
import { commitSend, newSend, useWorld } from '@quipu/contracts'
import { afterAll, describe, expect, test } from 'vitest'
import { reusedStores } from '../test/reused-stores.fixture.ts'

const { open, drop } = reusedStores()
afterAll(drop)

describe('accept_faucet_send refuses a send that its caller should have refused', () => {
  const w = useWorld(open, 'each')

  test.each<[string, Partial<FaucetLimits>]>([
    ['a request', { perRequest: usdt(24_999_999n) }],
    ['the amount of a tenant', { perTenant: usdt(49_999_999n) }],
    ['the number of a tenant', { requestsPerTenant: 1 }],
    ['an address', { perAddress: usdt(49_999_999n) }],
    ['all tenants', { shared: usdt(49_999_999n) }],
    ['the time between two', { spacingSeconds: 60 }],
  ])('by the limit of %s', async (_, limits) => {
    const { newTenant, faucet } = w
    const { id } = await newTenant()
    const first = await newSend(w, id)
    const usage = () => faucet.usage(id, first.account, 86_400)
    const before = await usage()
    const checkLimits = () => ({ remainingToday: usdt(0n) })
    await expect(commitSend(w, id, { checkLimits, limits })).rejects.toThrow('exceeds a limit')
    expect(await usage()).toEqual(before)
  })
})
