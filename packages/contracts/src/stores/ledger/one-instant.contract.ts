import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { usdt, type WalletTransaction } from '@quipu/core'
import { depositAsCommitted, type EventRecord } from '@quipu/core/adapter'
import { eventsAbout, plainEvent } from '../../fixtures/events-about.ts'
import {
  creditDepositCommit,
  type DepositBuilders,
  depositBuilders,
  settleDepositCommit,
} from '../../fixtures/deposit/deposit-builders.ts'
import { laterInstant, someInstant } from '../../fixtures/instants.ts'
import { paidAnswer, type SettleCommit } from '../../fixtures/builders.ts'
import { adjustWallet } from '../../fixtures/proposal/approve-action.ts'
import { type DepositStores, type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import type { Runs } from '../../fixtures/runs.ts'

type Needed = DepositStores | 'audit' | 'payouts' | 'quotes'

/**
 * Proves that a settlement has one instant: in the wallet transaction, in the payout or deposit, in its event
 * and in the answer to the caller. The instants of a tenant's log never decrease.
 */
export function oneInstantContract(name: string, open: OpenHarness<Needed>, { runs = 15 }: Runs = {}): void {
  describe(`the instant of a settlement in ${name}`, () => {
    const w = useWorld(open, 'each')

    test('a settlement keeps its instant when the log has no later entry', async () => {
      const [write] = await captures(w, await w.newWallet(usdt(100n)), [at(5)])
      expect(write && (await w.payouts.commit(write))).toBe('committed')
      await expectOneInstant(w, write?.step.payout.tenantId ?? '')
    })

    test('a settlement before the newest log entry is redated to that entry', async () => {
      const tenantId = await w.newWallet(usdt(100n))
      const [later, earlier] = (await captures(w, tenantId, [at(9), at(5)])) as [SettleCommit, SettleCommit]
      expect(await w.payouts.commit(later)).toBe('committed')
      expect(await w.payouts.commit(earlier)).toEqual({ redatedTo: at(9) })
      const { payout } = earlier.step
      expect(await w.payouts.get(tenantId, payout.id)).toEqual({ ...payout, endedAt: at(9) })
      const [event] = await eventsAbout(w, tenantId, payout.id)
      expect(event?.id.slice(13)).toBe(earlier.step.event?.id.slice(13))
      expect(event?.body.length).toBe(earlier.step.event?.recordedOn(at(5)).body.length)
      await expectOneInstant(w, tenantId)
    })

    test('an operator’s credit is redated in the audit log too', async () => {
      const builders = await depositBuilders(w)
      const deposit = await builders.inReview()
      const [capture] = await withFunds(w, builders, [at(9)])
      expect(capture && (await w.payouts.commit(capture))).toBe('committed')
      const write = await creditDepositCommit(w, deposit, at(5))
      expect(await w.deposits.commit(write)).toEqual({ redatedTo: at(9) })
      const [entry] = await auditEntries(w.audit, { subject: deposit.id, limit: 10 })
      expect(entry?.at).toEqual(at(9))
      await expectOneInstant(w, builders.tenantId)
    })

    test('a release and an ended payout before the newest log entry are redated to that entry', async () => {
      const tenantId = await w.newWallet(usdt(100n))
      const [later] = await captures(w, tenantId, [at(9)])
      expect(later && (await w.payouts.commit(later))).toBe('committed')
      const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }))
      const release = w.settleCommit(payout, { type: 'refused_payment' }, { at: at(5) })
      expect(await w.payouts.commit(release)).toEqual({ redatedTo: at(9) })
      const refusal = w.insertEndedCommit(await w.newQuote(tenantId), { at: at(7) })
      expect(await w.payouts.commit(refusal)).toEqual({ redatedTo: at(9) })
      for (const { payout: ended } of [release.step, refusal.step]) {
        expect(await w.payouts.get(tenantId, ended.id)).toEqual({ ...ended, endedAt: at(9) })
        const [event] = await eventsAbout(w, tenantId, ended.id)
        expect(event).toMatchObject({ occurredAt: at(9), recordedAt: at(9) })
        expect(JSON.parse(new TextDecoder().decode(event?.body))).toMatchObject({
          id: event?.id,
          occurred_at: at(9).toISOString(),
          recorded_at: at(9).toISOString(),
        })
      }
      expect((await w.wallets.find(tenantId))?.updatedAt).toEqual(at(9))
    })

    test('a hold is no log entry: a settlement before it keeps its instant', async () => {
      const builders = await depositBuilders(w)
      const early = (ms: number) => new Date(someInstant.getTime() + ms)
      const credit = await crediting(w, builders, early(5))
      expect(await w.deposits.commit(credit)).toBe('committed')
      const [capture] = await captures(w, builders.tenantId, [early(9)])
      expect(capture && (await w.payouts.commit(capture))).toBe('committed')
      await expectOneInstant(w, builders.tenantId)
    })

    test('a deposit.pending event is recorded no earlier than the newest log entry, and occurred at its block’s time', async () => {
      const builders = await depositBuilders(w)
      await builders.credited()
      const [pending] = await builders.pending()
      const [event] = await eventsAbout(w, builders.tenantId, pending?.id ?? '')
      const dated = { occurredAt: someInstant, recordedAt: laterInstant }
      expect(event).toMatchObject({ type: 'deposit.pending', ...dated })
      expect(JSON.parse(new TextDecoder().decode(event?.body))).toMatchObject({
        id: event?.id,
        occurred_at: someInstant.toISOString(),
        recorded_at: laterInstant.toISOString(),
      })
    })

    test('the event of a review is redated like a credit; the review keeps its instant', async () => {
      const builders = await depositBuilders(w)
      await builders.due()
      const claimed = await builders.claimOne()
      const [capture] = await withFunds(w, builders, [at(9)])
      expect(capture && (await w.payouts.commit(capture))).toBe('committed')
      const write = settleDepositCommit(w, claimed, { isSenderBlocked: true }, at(5))
      expect(await w.deposits.commit(write)).toBe('committed')
      const { id } = write.step.deposit
      expect(await w.deposits.get(builders.tenantId, id)).toEqual(write.step.deposit)
      const events = await eventsAbout(w, builders.tenantId, id)
      const wanted = plainEvent(write.step.event.recordedOn(at(9)))
      expect(events.slice(1).map(plainEvent)).toEqual([wanted])
    })

    test('random instants, sequential and concurrent', async () => {
      const builders = await depositBuilders(w)
      const { tenantId } = builders
      await withFunds(w, builders, [])
      const anySettlement = fc.record({
        kind: fc.constantFrom('capture', 'capture', 'release', 'credit', 'review'),
        // Some far before `laterInstant`, some after it, some equal.
        instant: fc.oneof(
          fc.nat(9).map(at),
          fc.nat(9).map((n) => new Date(someInstant.getTime() + n)),
        ),
      })
      const anyHistory = fc.array(anySettlement, { minLength: 1, maxLength: 12 })
      await fc.assert(
        fc.asyncProperty(anyHistory, fc.boolean(), async (history, isConcurrent) => {
          const commits: (() => Promise<void>)[] = []
          for (const each of history) commits.push(await committing(w, builders, each))
          if (isConcurrent) await Promise.all(commits.map((commit) => commit()))
          else for (const commit of commits) await commit()
          await expectOneInstant(w, tenantId)
        }),
        { numRuns: runs },
      )
    })
  })
}

type Settlement = { readonly kind: 'capture' | 'release' | 'credit' | 'review'; readonly instant: Date }

const at = (ms: number): Date => new Date(laterInstant.getTime() + ms)

/** Commits that capture, one for each instant. */
const captures = (w: World<Needed>, tenantId: string, instants: readonly Date[]): Promise<SettleCommit[]> =>
  Promise.all(
    instants.map(async (instant) => {
      const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }))
      return w.settleCommit(payout, paidAnswer(payout), { at: instant })
    }),
  )

async function withFunds(w: World<Needed>, { tenantId }: DepositBuilders, instants: readonly Date[]) {
  const funds = { tenantId, direction: 'in', reason: 'funds', actor: 'test' } as const
  const id = w.ids.uuid(someInstant)
  expect(await adjustWallet(w, { ...funds, id, amount: usdt(1_000_000n) })).toBe('committed')
  return captures(w, tenantId, instants)
}

/** Prepares a commit. The returned function runs it, and expects that its answer is the stored instant. */
async function committing(
  w: World<Needed>,
  builders: DepositBuilders,
  { kind, instant }: Settlement,
): Promise<() => Promise<void>> {
  const { tenantId } = builders
  if (kind === 'credit' || kind === 'review') {
    const write =
      kind === 'review'
        ? await creditDepositCommit(w, await builders.inReview(), instant)
        : await crediting(w, builders, instant)
    return async () => {
      const { deposit } = write.step
      const committed = await w.deposits.commit(write)
      if (committed !== 'committed' && typeof committed === 'string') throw new Error(committed)
      expect(await w.deposits.get(tenantId, deposit.id)).toEqual(depositAsCommitted(deposit, committed))
    }
  }
  const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }))
  const answer = kind === 'capture' ? paidAnswer(payout) : ({ type: 'no_liquidity' } as const)
  const write = w.settleCommit(payout, answer, { at: instant })
  return async () => {
    const committed = await w.payouts.commit(write)
    const endedAt = typeof committed === 'object' ? committed.redatedTo : write.step.payout.endedAt
    const stored = await w.payouts.get(tenantId, payout.id)
    expect(stored).toEqual({ ...write.step.payout, endedAt })
  }
}

async function crediting(w: World<Needed>, { due, claimOne }: DepositBuilders, instant: Date) {
  await due()
  return settleDepositCommit(w, await claimOne(), {}, instant)
}

/** Expects that payout, deposit and event have the instant of their row, and that rows never go back in time. */
async function expectOneInstant(w: World<Needed>, tenantId: string): Promise<void> {
  const { items: rows } = await w.wallets.transactions(tenantId, { limit: 10_000 })
  for (const [n, row] of rows.entries()) {
    const { createdAt, payoutId, depositId } = row
    expect(createdAt.getTime()).toBeGreaterThanOrEqual(rows[n + 1]?.createdAt.getTime() ?? 0)
    const among = await w.wallets.transactions(tenantId, { limit: 10_000, from: createdAt, to: createdAt })
    expect(among.items).toContainEqual(row)
    if (payoutId === null && depositId === null) continue
    expect(await settledAt(w, tenantId, row)).toEqual(createdAt)
    const events = await eventsAbout(w, tenantId, payoutId ?? depositId ?? '')
    expectDated(
      events.filter(({ type }) => type === 'payout.completed' || type === 'deposit.credited'),
      createdAt,
    )
  }
}

async function settledAt(
  w: World<Needed>,
  tenantId: string,
  { payoutId, depositId }: WalletTransaction,
): Promise<Date | undefined> {
  if (payoutId !== null) {
    const payout = await w.payouts.get(tenantId, payoutId)
    return payout?.status === 'completed' ? payout.endedAt : undefined
  }
  const deposit = await w.deposits.get(tenantId, depositId ?? '')
  return deposit?.status === 'credited' ? deposit.creditedAt : undefined
}

/** Expects exactly one event, with this instant in its members and in its bytes. */
function expectDated(events: readonly EventRecord[], instant: Date): void {
  expect(events).toHaveLength(1)
  for (const { id, type, occurredAt, recordedAt, body } of events) {
    const settled = instant.toISOString()
    expect(occurredAt).toEqual(instant)
    expect(recordedAt).toEqual(instant)
    expect(parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(recordedAt.getTime())
    expect(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))).toMatchObject({
      id,
      occurred_at: instant.toISOString(),
      recorded_at: recordedAt.toISOString(),
      data:
        type === 'payout.completed'
          ? { completed_at: settled, qr: { merchant: { name: 'Salteñas Doña Elvira' } } }
          : { credited_at: settled },
    })
  }
}
