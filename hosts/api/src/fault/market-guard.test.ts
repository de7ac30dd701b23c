import { type Alert, rate } from '@quipu/core'
import type { PayoutStore } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { guardedPayouts, watchedRates } from './market-guard.ts'

test('a quote a tenth off each rate of ten minutes is not paid, and is alerted once', async () => {
  let reading = { bid: rate(110_000n), source: 'fixed', observedAt: new Date(0) }
  const rates = watchedRates({ current: () => Promise.resolve(reading) })
  const readAt = async (bid: bigint, seconds: number): Promise<void> => {
    reading = { ...reading, bid: rate(bid), observedAt: new Date(seconds * 1000) }
    await rates.current()
  }
  const alerts: Alert[] = []
  const quote = { id: 'a quote', tenantId: 'tnt_1', bid: rate(110_000n) }
  let found: unknown = { stored: undefined, quote: { status: 'open', quote } }
  const payouts = guardedPayouts(
    { findForCreate: () => Promise.resolve(found) } as unknown as PayoutStore,
    rates,
    (alert) => alerts.push(alert),
  )
  const find = payouts.findForCreate as unknown as () => Promise<unknown>

  await expect(find()).resolves.toBe(found) // Nothing is read yet.
  await readAt(110_000n, 0)
  await readAt(100_000n, 600)
  await expect(find()).resolves.toBe(found) // Firm, whatever the market does.
  for (const [bid, seconds] of [
    [100_000n, 601],
    [122_300n, 1202],
  ] as const) {
    await readAt(bid, seconds)
    await expect(find()).rejects.toThrow('a quote is off the market')
  }
  expect(alerts).toMatchObject([{ code: 'QUOTE_OFF_MARKET', tenantId: 'tnt_1', subject: 'a quote' }])

  found = { stored: 'a payout', quote: { status: 'open', quote } }
  await expect(find()).resolves.toBe(found) // A repeated request gets its payout.
  found = { stored: undefined, quote: { status: 'open', quote } }
  await readAt(100_100n, 1203)
  await expect(find()).resolves.toBe(found)
})
