import { describe, expect, test } from 'vitest'
import { defaultFaucetLimits, usdt } from '@quipu/core'
import type { FaucetCommitResult } from '@quipu/core/adapter'
import { commitSend, usageSums, settledSend, newSend, noLimits, type SendOptions } from '../../fixtures/faucet/sends.ts'
import { accountOf } from '../../fixtures/deposit/addresses.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'

type Needed = 'tenants' | 'faucet'

const thirty = usdt(30_000_000n)
const hundred = usdt(100_000_000n)
const { windowSeconds } = noLimits

const accepted = (all: readonly FaucetCommitResult[]) => all.filter(({ type }) => type === 'committed').length
const codes = (all: readonly FaucetCommitResult[]) =>
  new Set(all.flatMap((each) => (each.type === 'refused' ? [each.refusal.code] : [])))

/** `count` concurrent sends to different wallets, by these tenants in turn. */
const atOnce = (w: World<Needed>, tenantIds: readonly string[], count: number, options: SendOptions) =>
  Promise.all(
    Array.from({ length: count }, (_, n) =>
      commitSend(w, tenantIds[n % tenantIds.length] ?? '', { account: accountOf(`wallet ${n}`), ...options }),
    ),
  )

export function limitSendsTests(open: OpenHarness<Needed>): void {
  describe('limits', () => {
    const w = useWorld(open, 'each')
    const newTenantId = async (w: World<Needed>) => (await w.newTenant()).id
    const newTenantIds = (w: World<Needed>, count: number) =>
      Promise.all(Array.from({ length: count }, () => newTenantId(w)))

    test('100 concurrent sends of one tenant stay within its amount', async () => {
      const tenantId = await newTenantId(w)
      const options = { amount: thirty, limits: { perTenant: hundred } }
      const all = await atOnce(w, [tenantId], 100, options)
      expect(accepted(all)).toBe(3)
      expect(codes(all)).toEqual(new Set(['FAUCET_LIMIT_EXCEEDED']))
      expect(await usageSums(w, tenantId)).toMatchObject({ tenant: 90_000_000n, requests: 3 })
    })

    test('100 concurrent sends of one tenant stay within its number of requests', async () => {
      const tenantId = await newTenantId(w)
      const all = await atOnce(w, [tenantId], 100, { limits: { requestsPerTenant: 10 } })
      expect(accepted(all)).toBe(10)
      expect(codes(all)).toEqual(new Set(['FAUCET_LIMIT_EXCEEDED']))
    })

    test('one of 100 concurrent sends of one tenant is accepted, the others are too soon', async () => {
      const tenantId = await newTenantId(w)
      const all = await atOnce(w, [tenantId], 100, { limits: { spacingSeconds: 60 } })
      expect(accepted(all)).toBe(1)
      expect(codes(all)).toEqual(new Set(['FAUCET_TOO_SOON']))
    })

    test('100 concurrent sends of 20 tenants stay within the amount of one address', async () => {
      const tenantIds = await newTenantIds(w, 20)
      const account = accountOf('a wallet of many')
      const options = { account, amount: thirty, limits: { perAddress: hundred } }
      expect(accepted(await atOnce(w, tenantIds, 100, options))).toBe(3)
      expect((await usageSums(w, tenantIds[0] ?? '', account)).address).toBe(90_000_000n)
    })

    test('100 concurrent sends of 20 tenants stay within the shared amount', async () => {
      const tenantIds = await newTenantIds(w, 20)
      const options = { amount: thirty, limits: { shared: hundred } }
      expect(accepted(await atOnce(w, tenantIds, 100, options))).toBe(3)
      expect((await usageSums(w, tenantIds[0] ?? '')).shared).toBe(90_000_000n)
    })

    test('100 concurrent sends with distinct keys stay within every default limit', async () => {
      const tenantIds = await newTenantIds(w, 25)
      const options = { amount: hundred, account: accountOf('a wallet'), limits: defaultFaucetLimits }
      const all = await atOnce(w, tenantIds, 100, options)
      expect(accepted(all)).toBe(10)
      for (const tenantId of tenantIds) {
        const { requests, address, shared } = await usageSums(w, tenantId)
        expect(requests).toBeLessThanOrEqual(1)
        expect([address, shared]).toEqual([1_000_000_000n, 1_000_000_000n])
      }
    })

    test('usage separates the tenant’s, the address’s and the shared sends', async () => {
      const [one, other] = await newTenantIds(w, 2)
      const [mine, yours] = [accountOf('mine'), accountOf('yours')]
      await newSend(w, one ?? '', { account: mine, amount: usdt(1_000_000n) })
      await newSend(w, one ?? '', { account: yours, amount: usdt(20_000_000n) })
      await newSend(w, other ?? '', { account: yours, amount: usdt(300_000_000n) })
      expect(await usageSums(w, one ?? '', mine)).toEqual({
        tenant: 21000000n,
        requests: 2,
        address: 1000000n,
        shared: 321000000n,
      })
      expect(await usageSums(w, other ?? '', yours)).toEqual({
        tenant: 300000000n,
        requests: 1,
        address: 320000000n,
        shared: 321000000n,
      })
    })

    test('usage excludes sends before the window', async () => {
      const tenantId = await newTenantId(w)
      await newSend(w, tenantId, { amount: thirty })
      await w.advance(900)
      await newSend(w, tenantId, { amount: hundred })
      const sumsOf = async (seconds: number) => {
        const { usage } = await w.faucet.usage(tenantId, accountOf('a wallet'), seconds)
        return [usage.tenant, usage.address, usage.shared].map((uses) =>
          uses.reduce((sum, { amount }) => sum + amount.minor, 0n),
        )
      }
      expect(await sumsOf(1_000)).toEqual([130_000_000n, 130_000_000n, 130_000_000n])
      expect(await sumsOf(800)).toEqual([100_000_000n, 100_000_000n, 100_000_000n])
    })

    test('the decision reads earlier sends with their instants, and the store’s time', async () => {
      const tenantId = await newTenantId(w)
      const first = await newSend(w, tenantId)
      await w.advance(100)
      const second = await newSend(w, tenantId, {
        checkLimits: ({ tenant, address }, now) => {
          const uses = [{ at: first.createdAt, amount: first.amount }]
          expect({ tenant, address }).toEqual({ tenant: uses, address: uses })
          const age = now.getTime() - first.createdAt.getTime()
          expect(age).toBeGreaterThanOrEqual(100_000)
          expect(age).toBeLessThan(160_000)
          return { remainingToday: usdt(0n) }
        },
      })
      expect(second.createdAt.getTime()).toBeGreaterThanOrEqual(first.createdAt.getTime() + 100_000)
    })

    test.each<[string, SendOptions, SendOptions]>([
      ['tenant’s amount', { limits: { perTenant: hundred } }, { account: accountOf('another') }],
      ['tenant’s number', { limits: { requestsPerTenant: 1 } }, { account: accountOf('another') }],
      ['address’s', { limits: { perAddress: hundred } }, {}],
      ['shared', { limits: { shared: hundred } }, { account: accountOf('another') }],
    ])('the %s limit is a rolling window of 24 hours', async (_, limits, over) => {
      const tenantId = await newTenantId(w)
      await newSend(w, tenantId, { amount: hundred })
      const again = () => commitSend(w, tenantId, { amount: hundred, ...limits, ...over })
      await w.advance(windowSeconds - 30)
      expect(await again()).toMatchObject({ type: 'refused' })
      await w.advance(120) // A store may count the shared amount by the minute.
      expect(await again()).toMatchObject({ type: 'committed' })
      expect(await again()).toMatchObject({ type: 'refused' })
    })

    test('a refusal has the seconds until a send of this amount is accepted', async () => {
      const tenantId = await newTenantId(w)
      await newSend(w, tenantId, { amount: thirty })
      await w.advance(5_000)
      await newSend(w, tenantId, { amount: hundred })
      const options = { amount: thirty, limits: { perTenant: usdt(130_000_000n) } }
      const refused = await commitSend(w, tenantId, options)
      const seconds = refused.type === 'refused' ? refused.refusal.retryAfterSeconds : 0
      expect(seconds).toBeGreaterThan(windowSeconds - 5_060)
      expect(seconds).toBeLessThanOrEqual(windowSeconds - 5_000)
      await w.advance(seconds - 30)
      expect(await commitSend(w, tenantId, options)).toMatchObject({ type: 'refused' })
      await w.advance(30)
      expect(await commitSend(w, tenantId, options)).toMatchObject({ type: 'committed' })
    })

    test('a failed send counts as a request and in no amount', async () => {
      const tenantId = await newTenantId(w)
      const { createdAt } = await settledSend(w, tenantId, 'failed', { amount: hundred })
      expect(await usageSums(w, tenantId)).toEqual({ tenant: 0n, requests: 1, address: 0n, shared: 0n })
      const { usage } = await w.faucet.usage(tenantId, accountOf('a wallet'), windowSeconds)
      expect(usage.tenant).toEqual([{ at: createdAt, amount: usdt(0n) }])
      const amounts = { perTenant: hundred, perAddress: hundred, shared: hundred }
      const [requests, spacing] = [{ requestsPerTenant: 1 }, { spacingSeconds: 3_600 }]
      for (const limits of [requests, spacing])
        expect(await commitSend(w, tenantId, { limits })).toMatchObject({ type: 'refused' })
      const sent = await commitSend(w, tenantId, { amount: hundred, limits: amounts })
      expect(sent).toMatchObject({ type: 'committed' })
    })

    test('a confirmed send counts like a submitted one', async () => {
      const tenantId = await newTenantId(w)
      await settledSend(w, tenantId, 'confirmed', { amount: thirty })
      await newSend(w, tenantId, { amount: hundred })
      expect(await usageSums(w, tenantId)).toEqual({
        tenant: 130000000n,
        requests: 2,
        address: 130000000n,
        shared: 130000000n,
      })
    })
  })
}
