import { bob, type Pricing, usdt, type Usdt } from '@quipu/core'
import {
  type Period,
  namedPeriod,
  payoutRevenue,
  type PayoutSums,
  periodBetween,
  type RefundSums,
  refundedRevenue,
  type Timezone,
} from '@quipu/core/operator'
import { describe, expect, test } from 'vitest'
import { paidAnswer } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { adjustWallet } from '../../fixtures/proposal/approve-action.ts'

type Needed = 'reports' | 'payouts' | 'quotes' | 'wallets' | 'proposals' | 'tenants' | 'overview'

const pricings: readonly Pricing[] = [
  { marginBps: 150, feeBps: 0, feeFixed: usdt(0n), paymentCap: bob(5_000_000n) },
  { marginBps: 80, feeBps: 50, feeFixed: usdt(100_000n), paymentCap: bob(5_000_000n) },
]
const month = (timezone: Timezone) => namedPeriod('2026-11', timezone) as Period

/** The contract of a `ReportStore`. */
export function reportStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`report store in ${name}`, () => {
    const w = useWorld(open, 'each')

    test('a period without payouts has no rows', async () => {
      await w.newWallet(usdt(1n))
      for (const cut of ['tenant', 'day', 'month'] as const) {
        expect(await w.reports.payouts(month('UTC'), cut)).toEqual([])
        expect(await w.reports.refunds(month('UTC'), cut)).toEqual([])
      }
    })

    test('sums are those of the postings and quotes, by tenant, day and month, in both zones', async () => {
      const ended = await manyPayouts(w)
      for (const timezone of ['UTC', 'America/La_Paz'] as const)
        for (const name of ['2026-10', '2026-11', '2026-11-30', '2026-12']) {
          const period = namedPeriod(name, timezone) as Period
          const within = ended.filter(({ endedAt }) => endedAt >= period.from && endedAt < period.to)
          const all = sumsOf(within)
          for (const cut of ['tenant', 'day', 'month'] as const) {
            const rows = await w.reports.payouts(period, cut)
            if (within.length === 0) expect(rows).toEqual([])
            else expect(rows.at(-1), `${name} ${timezone} ${cut}`).toMatchObject({ key: null, name: null, ...all })
            for (const { key, ...row } of rows.slice(0, -1)) {
              const own = within.filter((each) => key === keysOf(each, timezone)[cut])
              expect(row, `${key}`).toMatchObject(sumsOf(own))
              if (cut !== 'tenant') continue
              const alone = await w.reports.payouts(period, 'day', key ?? '')
              expect(alone.at(-1)).toMatchObject(sumsOf(own))
            }
            expect(rows.slice(0, -1).map(({ key }) => key)).toEqual(
              [...new Set(within.map((each) => keysOf(each, timezone)[cut]))].toSorted(),
            )
          }
          const raw = []
          for await (const page of w.reports.rawPayouts(period)) raw.push(...page)
          expect(raw.map(({ payoutId }) => payoutId).toSorted()).toEqual(
            within.flatMap(({ id, status }) => (status === 'completed' ? [id] : [])).toSorted(),
          )
          for (const { captured, ...quote } of raw) expect(captured.minor).toBe(quote.principal.minor + quote.fee.minor)
        }
    })

    test('outcomes are counted by status and error code, and times are those of accepted payouts', async () => {
      const ended = await manyPayouts(w)
      const all = periodBetween(new Date(0), new Date(9e12), 'UTC') as Period
      const total = (await w.reports.payouts(all, 'tenant')).at(-1) as PayoutSums
      expect(total.outcomes).toEqual([
        { status: 'cancelled', errorCode: 'INSUFFICIENT_BALANCE', count: 2 },
        { status: 'completed', errorCode: null, count: 12 },
        { status: 'failed', errorCode: 'PAYMENT_FAILED', count: 4 },
      ])
      const times = ended.flatMap(({ ms }) => ms ?? []).toSorted((a, b) => a - b)
      const rank = (share: number) => times[Math.ceil(share * times.length) - 1]
      expect(total.answers).toEqual({ median: rank(0.5), p95: rank(0.95), p99: rank(0.99) })
    })

    test('refunds are in their own period, with the revenue they undo', async () => {
      const paid = (await manyPayouts(w)).filter(({ status }) => status === 'completed')
      const all = periodBetween(new Date(0), new Date(9e12), 'UTC') as Period
      for (const [n, payout] of paid.slice(0, 3).entries()) {
        const amount = [payout.quote.source, payout.quote.principal, usdt(1n)][n] as Usdt
        await refund(w, payout, amount)
      }
      const rows = await w.reports.refunds(all, 'tenant')
      const raw = await w.reports.rawRefunds(all)
      expect(rows.at(-1)).toEqual({ key: null, name: null, ...refundsOf(raw) })
      expect(raw.map(({ amount }) => amount.minor).toSorted()).toEqual(
        paid
          .slice(0, 3)
          .map(({ quote }, n) => [quote.source, quote.principal, usdt(1n)][n]?.minor)
          .toSorted(),
      )
      for (const { key, name: _, ...row } of rows.slice(0, -1)) {
        expect(row).toEqual(refundsOf(raw.filter(({ tenantId }) => tenantId === key)))
        expect((await w.reports.refunds(all, 'day', key ?? '')).at(-1)).toEqual({ key: null, name: null, ...row })
      }
      expect(await w.reports.refunds(all, 'tenant', 'ten_none')).toEqual([])
      const [first] = raw
      const at = first?.at ?? new Date(0)
      const instant = (ms: number) => periodBetween(at, new Date(at.getTime() + ms), 'UTC') as Period
      expect((await w.reports.refunds(instant(1), 'day')).at(-1)?.refunds).toBeGreaterThan(0)
      expect(await w.reports.refunds(periodBetween(new Date(0), at, 'UTC') as Period, 'day')).toEqual([])
    })
  })
}

type EndedPayout = Awaited<ReturnType<typeof manyPayouts>>[number]

/** Payouts at the borders of days and months of both zones, of two tenants with other pricings. */
async function manyPayouts(w: World<Needed>) {
  const ended = []
  for (const pricing of pricings) {
    const tenantId = await w.newWallet(usdt(2_000_000_000n), { pricing })
    const borders = ['2026-11-01T00:00Z', '2026-11-01T04:00Z', '2026-12-01T00:00Z'].map((text) => Date.parse(text))
    const instants = borders.flatMap((at) => [at - 1, at, at + 1])
    for (const [n, ms] of instants.entries()) {
      const at = new Date(ms)
      const quote = await w.newQuote(tenantId, { target: bob(10_000n + BigInt(n) * 777n) })
      if (n === 4) {
        const write = w.insertEndedCommit(quote, { at })
        await w.payouts.commit(write)
        ended.push(await endedOf(w, write.step.payout.id, quote))
        continue
      }
      const payout = await w.newPayout(quote)
      const isPaid = n % 4 !== 1
      const write = w.settleCommit(payout, isPaid ? paidAnswer(payout) : { type: 'refused_payment' }, { at })
      expect(await w.payouts.commit(write)).not.toBe('stale')
      ended.push(await endedOf(w, payout.id, quote))
    }
  }
  return ended
}

async function endedOf(w: World<Needed>, id: string, quote: Awaited<ReturnType<World<Needed>['newQuote']>>) {
  const record = await w.overview.payout(id)
  const payout = record?.payout
  if (!record || !payout || payout.status === 'processing') throw new Error(`${id} has not ended`)
  const [hold, end] = record.postings
  const ms = hold && end ? Math.max(0, end.at.getTime() - hold.at.getTime()) : null
  return { id, tenantId: payout.tenantId, status: payout.status, endedAt: payout.endedAt, quote, ms }
}

const keysOf = ({ tenantId, endedAt }: EndedPayout, timezone: Timezone) => {
  const local = new Date(endedAt.getTime() - (timezone === 'UTC' ? 0 : 4 * 3_600_000)).toISOString()
  return { tenant: tenantId, day: local.slice(0, 10), month: local.slice(0, 7) }
}

const sum = (amounts: readonly { readonly minor: bigint }[]): bigint =>
  amounts.reduce((total, { minor }) => total + minor, 0n)

function sumsOf(ended: readonly EndedPayout[]): Omit<PayoutSums, 'key' | 'name' | 'outcomes' | 'answers'> {
  const paid = ended.flatMap(({ status, quote }) => (status === 'completed' ? [quote] : []))
  const revenues = paid.map(payoutRevenue)
  return {
    completed: paid.length,
    target: bob(sum(paid.map(({ target }) => target))),
    source: usdt(sum(paid.map(({ source }) => source))),
    spread: usdt(sum(revenues.map(({ spread }) => spread))),
    fee: usdt(sum(revenues.map(({ fee }) => fee))),
  }
}

function refundsOf(raw: Awaited<ReturnType<World<Needed>['reports']['rawRefunds']>>): Omit<RefundSums, 'key' | 'name'> {
  const back = raw.map((each) => refundedRevenue(each, each.amount))
  return {
    refunds: raw.length,
    amount: usdt(sum(raw.map(({ amount }) => amount))),
    spread: usdt(sum(back.map(({ spread }) => spread))),
    fee: usdt(sum(back.map(({ fee }) => fee))),
  }
}

async function refund(w: World<Needed>, { id: payoutId, tenantId }: EndedPayout, amount: Usdt): Promise<void> {
  const about = { id: w.ids.next('prp', new Date()), tenantId, reason: 'returned', actor: 'test' }
  expect(await adjustWallet(w, { ...about, direction: 'in', amount, payoutId })).toBe('committed')
}
