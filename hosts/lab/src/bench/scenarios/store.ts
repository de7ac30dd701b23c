import { ownerClaim, type PayoutClaim, type PayoutStore, type ProcessingPayout } from '@quipu/core/adapter'
import { postgresStores } from '@quipu/postgres'
import { systemIds } from '@quipu/core/system'
import { encodeEvent } from '@quipu/wire'
import type pg from 'pg'
import { type BenchQuote, type BenchTenant, countEvents, makeQuotes } from '../data/tenants-and-quotes.ts'
import { openedPayout, settledPayout } from '../data/payouts.ts'
import { walFlushes } from '../postgres/storage.ts'

export type StoreResult = { readonly perSecond: number; readonly fsyncsPerPayout: number; readonly errors: number }

/** Accepts and settles payouts through the store, with `inFlight` payouts in flight. */
export async function measureStore(
  db: pg.Client,
  url: string,
  tenants: readonly BenchTenant[],
  { seconds, inFlight }: { seconds: number; inFlight: number },
): Promise<StoreResult> {
  const quotes = await makeQuotes(db, tenants, (seconds + 1) * 20_000)
  const stores = postgresStores({ url })
  await stores.ping()
  const flushesBefore = await walFlushes(db)
  const paid = { done: 0, errors: 0 }
  const payUntil = async (until: number): Promise<void> => {
    const payNext = async (): Promise<void> => {
      while (performance.now() < until) {
        const quote = quotes.pop()
        if (!quote) return
        await pay(stores.payouts, quote).then(
          () => (paid.done += 1),
          () => (paid.errors += 1),
        )
      }
    }
    await Promise.all(Array.from({ length: inFlight }, payNext))
  }
  await payUntil(performance.now() + 1000) // New connections plan their statements.
  const before = { done: paid.done, events: await countEvents(db) }
  const start = performance.now()
  await payUntil(start + seconds * 1000)
  const elapsed = (performance.now() - start) / 1000
  await stores.close() // Backends report their flushes when they exit.
  const done = paid.done - before.done
  const events = (await countEvents(db)) - before.events
  const flushes = (await walFlushes(db)) - flushesBefore
  return {
    perSecond: Math.min(done, events) / elapsed,
    fsyncsPerPayout: flushes / Math.max(paid.done, 1),
    errors: paid.errors + Math.abs(done - events),
  }
}

async function pay(payouts: PayoutStore, quote: BenchQuote): Promise<void> {
  const step = openedPayout(quote)
  const fingerprint = 'v1:bench'
  const accepted = await payouts.commit({ kind: 'accept', step, fingerprint, leaseSeconds: 15 })
  if (accepted !== 'committed') throw new Error(JSON.stringify(accepted))
  await settle(payouts, step.payout, ownerClaim(step.payout))
}

/** Settles a payout as completed, by this claim. */
export async function settle(payouts: PayoutStore, payout: ProcessingPayout, claim: PayoutClaim): Promise<void> {
  const ended = settledPayout(payout)
  const { endedAt: at } = ended.payout
  const id = systemIds.uuid(at)
  const about = { id, tenantId: payout.tenantId, occurredAt: at, recordedAt: at }
  const fact = { ...about, type: 'payout.completed' as const }
  const body = encodeEvent({ ...fact, data: ended.payout })
  const event = { ...fact, subjectId: payout.id, recordedOn: () => ({ ...fact, subjectId: payout.id, body }) }
  const settled = await payouts.commit({ kind: 'settle', step: { ...ended, event }, claim })
  if (settled !== 'committed' && typeof settled !== 'object') throw new Error(settled)
}
