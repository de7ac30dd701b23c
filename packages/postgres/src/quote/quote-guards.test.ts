import { bob, type Quote, type Tenant, usdt, rate } from '@quipu/core'
import { quotePrice, type QuoteDraft } from '@quipu/core/adapter'
import { newTopUp, credentialOf } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

let clock = new Date('2026-04-01T00:00:00.000Z')
const harness = useStoreHarness({ clockOverride: () => clock })

const pricing = { marginBps: 150, feeBps: 33, feeFixed: usdt(7n), paymentCap: bob(1n) }

/** A quote with any values, as a process with the stores' password could insert it. */
function draftOf(tenant: Tenant, over: Partial<QuoteDraft> = {}): QuoteDraft {
  const bid = rate(99_501n)
  const priced = quotePrice(bob(10_001n), bid, tenant.pricing)
  if (typeof priced === 'string') throw new Error(priced)
  const id = harness.ids.uuid(clock)
  return { id, tenantId: tenant.id, resolutionId: null, rateSource: 'x', bid, ...priced, ...over }
}

async function insert(tenant: Tenant, over?: Partial<QuoteDraft>, lifeSeconds = 60): Promise<Quote> {
  const quote = await harness.stores.quotes.insert(draftOf(tenant, over), lifeSeconds, null)
  if (typeof quote === 'string') throw new Error(quote)
  return quote
}

test('SQL and the core agree on random prices, to the last digit', async () => {
  const given = fc.record({
    target: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    bid: fc.bigInt({ min: 1n, max: 10n ** 9n }),
    marginBps: fc.nat(5_000),
    feeBps: fc.nat(5_000),
    feeFixed: fc.bigInt({ min: 0n, max: 10n ** 9n }),
  })
  const fits = `select quipu.fits_pricing($1, $2, $3, $4, $5, $6, $7) as is_so`
  await fc.assert(
    fc.asyncProperty(given, fc.constantFrom(-1n, 1n), async ({ target, bid, feeFixed, ...bps }, off) => {
      const priced = quotePrice(bob(target), rate(bid), { ...bps, feeFixed: usdt(feeFixed) })
      if (typeof priced === 'string') return
      const answers = async (tenantRate: bigint, fee: bigint) =>
        harness.sql(fits, [tenantRate, priced.principal.minor, fee, bid, bps.marginBps, bps.feeBps, feeFixed])
      expect(await answers(priced.rate, priced.fee.minor)).toEqual([{ is_so: true }])
      expect(await answers(priced.rate, priced.fee.minor + off)).toEqual([{ is_so: false }])
      expect(await answers(priced.rate + off, priced.fee.minor)).toEqual([{ is_so: false }])
    }),
  )
})

test('a quote that does not add up is refused', async () => {
  const tenant = await harness.newTenant({ pricing })
  const { principal, fee, source } = await insert(tenant)
  const less = (amount: { minor: bigint }) => usdt(amount.minor - 1n)
  const more = (amount: { minor: bigint }) => usdt(amount.minor + 1n)
  for (const over of [
    { source: less(source) },
    { source: more(source) },
    { principal: less(principal), source: less(source) },
    { principal: more(principal), source: more(source) },
    { principal: less(principal), fee: usdt(fee.minor + 1n) },
    { target: bob(20_000n) },
  ])
    await expect(insert(tenant, over)).rejects.toThrow('does not add up')
})

test('a quote that does not follow from the tenant’s pricing is refused', async () => {
  const tenant = await harness.newTenant({ pricing })
  const { fee, source } = await insert(tenant)
  const cheaper = { fee: usdt(fee.minor - 1n), source: usdt(source.minor - 1n) }
  await expect(insert(tenant, cheaper)).rejects.toThrow('does not follow from the pricing of')
  await expect(insert(tenant, { bid: rate(99_400n) })).rejects.toThrow('does not follow from the pricing of')
  const otherTenant = await harness.newTenant({ pricing: { ...pricing, marginBps: 149 } })
  await expect(insert(otherTenant, { ...draftOf(tenant), tenantId: otherTenant.id })).rejects.toThrow(
    `does not follow from the pricing of tenant ${otherTenant.id}`,
  )
})

test('a quote lives from 15 to 300 s', async () => {
  const tenant = await harness.newTenant({ pricing })
  for (const seconds of [15, 300]) await insert(tenant, {}, seconds)
  for (const seconds of [14.999, 300.001]) await expect(insert(tenant, {}, seconds)).rejects.toThrow('15 to 300 are')
})

test('a pricing is accepted from two minutes before it is in force', async () => {
  const tenant = await harness.newTenant({ pricing })
  const change = async (revision: number, marginBps: number, seconds: number) => {
    const changed = { ...tenant, pricing: { ...pricing, marginBps }, revision }
    const author = { ...credentialOf('ada'), at: new Date(clock.getTime() + seconds * 1000) }
    const { tenants } = harness.stores
    expect(await tenants.update(changed, 'tenant.update', author)).toBe('committed')
    return changed
  }
  const soon = await change(2, 151, 120)
  const late = await change(3, 152, 121)
  await change(4, 153, 122)
  await insert(soon)
  await expect(insert(late)).rejects.toThrow('does not follow from the pricing of')
})

test('a pricing that has changed is accepted for two minutes', async () => {
  const tenant = await harness.newTenant({ pricing })
  const dearer = { ...tenant, pricing: { ...pricing, marginBps: 151 }, revision: 2 }
  const author = { ...credentialOf('ada'), at: clock }
  expect(await harness.stores.tenants.update(dearer, 'tenant.update', author)).toBe('committed')
  clock = new Date(clock.getTime() + 120_000)
  await insert(tenant)
  await insert(dearer)
  clock = new Date(clock.getTime() + 1)
  await expect(insert(tenant)).rejects.toThrow('does not follow from the pricing of')
  await insert(dearer)
})

test('a pricing is in force until the next one, whatever else of the tenant changes', async () => {
  const tenant = await harness.newTenant({ pricing })
  await newTopUp(harness.stores, tenant.id)
  clock = new Date(clock.getTime() + 120_001)
  const { addresses, tenants } = harness.stores
  expect(await addresses.retire(tenant.id, 'tron', { ...credentialOf('ada'), at: clock })).toBe('committed')
  clock = new Date(clock.getTime() + 120_001)
  const dearer = { ...tenant, pricing: { ...pricing, marginBps: 151 }, revision: 2 }
  const author = { ...credentialOf('ada'), at: clock }
  expect(await tenants.update(dearer, 'tenant.update', author)).toBe('committed')
  await insert(tenant)
})

test.each(['infinity', '-infinity'])('a resolution that expires at %s is refused', async (expiry) => {
  const { id } = await harness.newTenant()
  const insert = `select quipu.insert_resolutions(array[$1, $1], array['qrr_1', 'qrr_2'], array['ref', 'ref'],
    array['open', 'open'], array[null, null]::bigint[], array['Tienda', 'Tienda'], array['1016', '1016'],
    array[null, null], array[$2, $3]::timestamptz[], array['hash', 'hash'], array[$3, $3]::timestamptz[],
    array[null, null], null)`
  await expect(harness.sql(insert, [id, expiry, clock])).rejects.toThrow('a resolution ends at an instant, or has none')
  expect(await harness.sql(insert, [id, null, clock])).toHaveLength(1)
})
