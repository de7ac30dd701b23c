import { describe, expect, test } from 'vitest'
import {
  bob,
  createQuote,
  type QrNetwork,
  type RateSource,
  resolveQr,
  type Tenant,
  Unavailable,
  usdt,
  type Rate,
  rate,
} from '@quipu/core'
import { rateAgeSeconds } from '@quipu/core/adapter'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { newGate } from '../../fixtures/gate.ts'
import { qrRead } from '../../fixtures/payout/payout-harness.ts'

type Needed = 'quotes' | 'resolutions' | 'tenants'

/** Proves `resolveQr` and `createQuote` on a set of stores. */
export function createQuoteContract(name: string, open: OpenHarness<Needed>): void {
  describe(`quoting on ${name}`, () => {
    const w = useWorld(open)
    const now = () => someInstant
    const never = () => ({ done: new Promise<void>(() => undefined), cancel: () => undefined })
    const fixed: RateSource = {
      current: async () => ({ bid: rate(99_500n), source: 'fixed', observedAt: someInstant }),
    }
    const quoting = (rates = fixed) => createQuote({ ...w, rates, now }, { lifeSeconds: 60 })
    const resolving = (
      readQr: QrNetwork['readQr'],
      { environment = 'sandbox', timer = never }: { environment?: 'sandbox' | 'production'; timer?: typeof never } = {},
    ) => resolveQr({ ...w, network: { readQr }, timer, now }, { environment, answerWithinMs: 20_000 })

    async function resolved(tenant: Tenant, amount: ReturnType<typeof bob> | null) {
      const answer = await resolving(async () => qrRead(amount))(tenant, { content: 'a QR' })
      if (answer.type === 'refused') throw new Error(answer.code)
      return answer.resolution
    }

    test('prices a quote with the tenant’s margin, and expires it after `lifeSeconds`', async () => {
      const tenant = await w.newTenant()
      const answer = await quoting()(tenant, { target: bob(10_000n), resolutionId: null })
      if (answer.type === 'refused') throw new Error(answer.code)
      const { quote } = answer
      expect(quote).toMatchObject({ rate: 98_007n, source: usdt(10_203_353n), bid: 99_500n, rateSource: 'fixed' })
      expect(quote.expiresAt.getTime() - quote.createdAt.getTime()).toBe(60_000)
      expect(await w.quotes.find(tenant.id, quote.id)).toEqual({ quote, status: 'open', payoutId: null })
      await w.advance(59)
      expect(await w.quotes.find(tenant.id, quote.id)).toMatchObject({ status: 'open' })
      await w.advance(1)
      expect(await w.quotes.find(tenant.id, quote.id)).toMatchObject({ status: 'expired' })
    })

    test('the target is optional with a closed resolution, and required otherwise', async () => {
      const tenant = await w.newTenant()
      const closed = await resolved(tenant, bob(4_200n))
      const quoted = await quoting()(tenant, { target: null, resolutionId: closed.id })
      expect(quoted).toMatchObject({ quote: { target: bob(4_200n), resolutionId: closed.id } })
      const opened = await resolved(tenant, null)
      const refusal = { type: 'refused', code: 'TARGET_REQUIRED' }
      expect(await quoting()(tenant, { target: null, resolutionId: opened.id })).toEqual(refusal)
      expect(await quoting()(tenant, { target: null, resolutionId: null })).toEqual(refusal)
    })

    test('quotes a target that differs from the resolution’s amount', async () => {
      const tenant = await w.newTenant()
      const { id } = await resolved(tenant, bob(4_200n))
      const quoted = await quoting()(tenant, { target: bob(1n), resolutionId: id })
      expect(quoted).toMatchObject({ quote: { target: bob(1n), resolutionId: id } })
    })

    test('does not find another tenant’s resolution', async () => {
      const [mine, theirs] = [await w.newTenant(), await w.newTenant()]
      const { id } = await resolved(theirs, bob(4_200n))
      const refusal = { type: 'refused', code: 'RESOLUTION_NOT_FOUND' }
      expect(await quoting()(mine, { target: bob(1n), resolutionId: id })).toEqual(refusal)
    })

    test('throws Unavailable without a fresh rate, and for a rate of zero', async () => {
      const tenant = await w.newTenant()
      const stale = { current: () => Promise.reject(new Unavailable('rate_source', 'stale')) }
      const zero = { current: async () => ({ bid: rate(0n), source: 'fixed', observedAt: someInstant }) }
      for (const rates of [stale, zero]) {
        const quote = quoting(rates)(tenant, { target: bob(1n), resolutionId: null })
        await expect(quote).rejects.toMatchObject({ dependency: 'rate_source' })
      }
    })

    test.each([0n, -1n, -500_00n])('refuses a target of %s centavos', async (minor) => {
      const tenant = await w.newTenant()
      const quote = quoting()(tenant, { target: bob(minor), resolutionId: null })
      await expect(quote).rejects.toThrow('expected an amount above 0')
    })

    test('refuses a suspended tenant, also one that is suspended in the store alone', async () => {
      const tenant = await w.newTenant({ status: 'suspended' })
      const request = { target: bob(1n), resolutionId: null }
      const refused = { type: 'refused', code: 'AUTHENTICATION_FAILED' }
      for (const known of [tenant, { ...tenant, status: 'active' } as const])
        expect(await quoting()(known, request)).toEqual(refused)
    })

    test.each([
      [rateAgeSeconds.max * 1_000, true],
      [rateAgeSeconds.max * 1_000 + 1, false],
      [rateAgeSeconds.ahead * -1_000, true],
      [rateAgeSeconds.ahead * -1_000 - 1, false],
      [someInstant.getTime(), false],
    ])('a rate that is %s ms old is used: %s', async (ageMs, isUsed) => {
      const tenant = await w.newTenant()
      const observedAt = new Date(someInstant.getTime() - ageMs)
      const rates = { current: async () => ({ bid: rate(99_500n), source: 'fixed', observedAt }) }
      const quote = quoting(rates)(tenant, { target: bob(1n), resolutionId: null })
      if (isUsed) expect(await quote).toMatchObject({ type: 'quote' })
      else await expect(quote).rejects.toMatchObject({ dependency: 'rate_source' })
    })

    test('refuses a bid that is no bigint, by name', async () => {
      const tenant = await w.newTenant()
      const bid = 9.95 as unknown as Rate
      const rates = { current: async () => ({ bid, source: 'mine', observedAt: someInstant }) }
      const quote = quoting(rates)(tenant, { target: bob(1n), resolutionId: null })
      await expect(quote).rejects.toThrow(/^RateSource.current: bid: expected a bigint/)
    })

    test('refuses a price above the ledger’s maximum', async () => {
      const tenant = await w.newTenant()
      const tiny = { current: async () => ({ bid: rate(2n), source: 'fixed', observedAt: someInstant }) }
      const quote = await quoting(tiny)(tenant, { target: bob(10n ** 14n - 1n), resolutionId: null })
      expect(quote).toEqual({ type: 'refused', code: 'TARGET_TOO_LARGE' })
    })

    test('a resolution has a digest of the content, and not the content', async () => {
      const tenant = await w.newTenant()
      const resolution = await resolved(tenant, bob(4_200n))
      expect(resolution.id).toMatch(/^qrr_/)
      expect(await w.resolutions.find(tenant.id, resolution.id)).toEqual(resolution)
      expect(
        JSON.stringify(resolution, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
      ).not.toContain('a QR')
    })

    test('refuses a QR that the network refuses, and stores nothing', async () => {
      const tenant = await w.newTenant()
      const answer = await resolving(async () => ({ type: 'refused_qr', reason: 'expired' }))(tenant, { content: 'x' })
      expect(answer).toEqual({ type: 'refused', code: 'QR_REFUSED' })
    })

    test('refuses a sandbox QR in production without reading it', async () => {
      const tenant = await w.newTenant()
      const read: string[] = []
      const readQr: QrNetwork['readQr'] = async (content) => {
        read.push(content)
        return qrRead()
      }
      const sandboxQr = `YWJj|5A0D${'0'.repeat(28)}`
      expect(await resolving(readQr)(tenant, { content: sandboxQr })).toMatchObject({ type: 'resolution' })
      expect(read.splice(0)).toEqual([sandboxQr])
      const production = resolving(readQr, { environment: 'production' })
      for (const foreign of [sandboxQr, sandboxQr.toLowerCase()])
        expect(await production(tenant, { content: foreign })).toEqual({ type: 'refused', code: 'QR_REFUSED' })
      expect(read).toEqual([])
      for (const live of [`YWJj|1A0D${'0'.repeat(28)}`, `${sandboxQr}0`])
        expect(await production(tenant, { content: live })).toMatchObject({ type: 'resolution' })
    })

    test('throws Unavailable after the timeout, and aborts the call', async () => {
      const tenant = await w.newTenant()
      const gate = newGate()
      const signals: AbortSignal[] = []
      const readQr: QrNetwork['readQr'] = async (_, signal) => {
        signals.push(signal)
        await gate.pass()
        return qrRead()
      }
      const timer = () => ({ done: Promise.resolve(), cancel: () => undefined })
      const late = resolving(readQr, { timer })(tenant, { content: 'x' })
      await expect(late).rejects.toMatchObject({ dependency: 'qr_network' })
      expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    })
  })
}
