import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  depositAsCommitted,
  type EventRecord,
  redateEvent,
  usdt,
  type WalletTransaction,
} from '@quipu/core'
import { eventsAbout, plainEvent } from '../../fixtures/events-about.ts'
import {
  creditDepositCommit,
  type DepositBuilders,
  depositBuilders,
  settleDepositCommit,
} from '../../fixtures/deposit/deposit-builders.ts'
import {
  laterInstant,
  paidAnswer,
  type SettleCommit,
  someInstant,
} from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import type { Runs } from '../../fixtures/runs.ts'

type Needed =
  | 'payouts'
  | 'quotes'
  | 'wallets'
  | 'tenants'
  | 'events'
  | 'audit'
  | 'addresses'
  | 'scans'
  | 'deposits'

/**
 * What every store must do so that a settlement has one instant: in the wallet's row, in the payout or
 * deposit, in its event and in the answer to the caller. The instants of a tenant's log never go back.
 */
export function oneInstantContract(
  name: string,
  open: OpenHarness<Needed>,
  { runs = 15 }: Runs = {},
): void {
  describe(`one instant for one fact in ${name}`, () => {
    const world = useWorld(open, 'each')

    test('a settlement keeps its own instant while the wallet has no later transfer', async () => {
      const w = world()
      const [write] = await captures(w, await w.newWallet(usdt(100n)), [at(5)])
      expect(write && (await w.payouts.commit(write))).toBe('committed')
      await expectOneInstant(w, write?.step.payout.tenantId ?? '')
    })

    test('a settlement with an earlier instant than the wallet’s newest transfer gets that instant', async () => {
      const w = world()
      const tenantId = await w.newWallet(usdt(100n))
      const [later, earlier] = (await captures(w, tenantId, [at(9), at(5)])) as [
        SettleCommit,
        SettleCommit,
      ]
      expect(await w.payouts.commit(later)).toBe('committed')
      expect(await w.payouts.commit(earlier)).toEqual({ redatedTo: at(9) })
      const { payout } = earlier.step
      expect(await w.payouts.get(tenantId, payout.id)).toEqual({ ...payout, endedAt: at(9) })
      const [event] = await eventsAbout(w, tenantId, payout.id)
      expect(event?.id.slice(13)).toBe(earlier.step.event?.id.slice(13))
      expect(event?.body.length).toBe(earlier.step.event?.body.length)
      await expectOneInstant(w, tenantId)
    })

    test('an operator’s credit with an earlier instant is redated in the audit log, too', async () => {
      const w = world()
      const scene = await depositBuilders(w)
      const deposit = await scene.inReview()
      const [capture] = await withFunds(w, scene, [at(9)])
      expect(capture && (await w.payouts.commit(capture))).toBe('committed')
      const write = creditDepositCommit(w, deposit, at(5))
      expect(await w.deposits.commit(write)).toEqual({ redatedTo: at(9) })
      const [entry] = await w.audit.list({ subject: deposit.id, limit: 10 })
      expect(entry?.at).toEqual(at(9))
      await expectOneInstant(w, scene.tenantId)
    })

    test('a release and a refusal with an earlier instant than the newest of the log get that instant', async () => {
      const w = world()
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

    test('a hold is no entry of the log: what is settled after it keeps an earlier instant', async () => {
      const w = world()
      const scene = await depositBuilders(w)
      const early = (ms: number) => new Date(someInstant.getTime() + ms)
      const credit = await crediting(w, scene, early(5))
      expect(await w.deposits.commit(credit)).toBe('committed')
      const [capture] = await captures(w, scene.tenantId, [early(9)])
      expect(capture && (await w.payouts.commit(capture))).toBe('committed')
      await expectOneInstant(w, scene.tenantId)
    })

    test('a transfer that is observed later is recorded no earlier, and occurred when its block was made', async () => {
      const w = world()
      const scene = await depositBuilders(w)
      await scene.credited()
      const [pending] = await scene.pending()
      const [event] = await eventsAbout(w, scene.tenantId, pending?.id ?? '')
      const dated = { occurredAt: someInstant, recordedAt: laterInstant }
      expect(event).toMatchObject({ type: 'deposit.pending', ...dated })
      expect(JSON.parse(new TextDecoder().decode(event?.body))).toMatchObject({
        id: event?.id,
        occurred_at: someInstant.toISOString(),
        recorded_at: laterInstant.toISOString(),
      })
    })

    test('a review is redated like a credit, and stays as it was decided', async () => {
      const w = world()
      const scene = await depositBuilders(w)
      await scene.due()
      const claimed = await scene.claimOne()
      const [capture] = await withFunds(w, scene, [at(9)])
      expect(capture && (await w.payouts.commit(capture))).toBe('committed')
      const write = settleDepositCommit(w, claimed, { isSenderBlocked: true }, at(5))
      expect(await w.deposits.commit(write)).toBe('committed')
      const { id } = write.step.deposit
      expect(await w.deposits.get(scene.tenantId, id)).toEqual(write.step.deposit)
      const events = await eventsAbout(w, scene.tenantId, id)
      const wanted = plainEvent(redateEvent(write.step.event, at(9)))
      expect(events.slice(1).map(plainEvent)).toEqual([wanted])
    })

    test('whatever instants settlements and credits have, at once and in any order', async () => {
      const w = world()
      const scene = await depositBuilders(w)
      const { tenantId } = scene
      await withFunds(w, scene, [])
      const anySettlement = fc.record({
        kind: fc.constantFrom('capture', 'capture', 'release', 'credit', 'review'),
        // Around the store's clock and ahead of it, some equal.
        instant: fc.oneof(
          fc.nat(9).map(at),
          fc.nat(9).map((n) => new Date(someInstant.getTime() + n)),
        ),
      })
      const anyHistory = fc.array(anySettlement, { minLength: 1, maxLength: 12 })
      await fc.assert(
        fc.asyncProperty(anyHistory, fc.boolean(), async (history, isConcurrent) => {
          const commits: (() => Promise<void>)[] = []
          for (const each of history) commits.push(await committing(w, scene, each))
          if (isConcurrent) await Promise.all(commits.map((commit) => commit()))
          else for (const commit of commits) await commit()
          await expectOneInstant(w, tenantId)
        }),
        { numRuns: runs },
      )
    })
  })
}

type Settlement = {
  readonly kind: 'capture' | 'release' | 'credit' | 'review'
  readonly instant: Date
}

const at = (ms: number): Date => new Date(laterInstant.getTime() + ms)

/** Writes that capture, each at its own instant. */
const captures = (
  w: World<Needed>,
  tenantId: string,
  instants: readonly Date[],
): Promise<SettleCommit[]> =>
  Promise.all(
    instants.map(async (instant) => {
      const payout = await w.newPayout(await w.newQuote(tenantId, { source: usdt(1n) }))
      return w.settleCommit(payout, paidAnswer(payout), { at: instant })
    }),
  )

async function withFunds(
  w: World<Needed>,
  { tenantId }: DepositBuilders,
  instants: readonly Date[],
) {
  const funds = { tenantId, direction: 'in', reason: 'funds', actor: 'test' } as const
  const id = w.ids.uuid(someInstant)
  expect(await w.wallets.adjust({ ...funds, id, amount: usdt(1_000_000n) })).toBe('committed')
  return captures(w, tenantId, instants)
}

/** Prepares a write. Its commit answers with the instant that is stored. */
async function committing(
  w: World<Needed>,
  scene: DepositBuilders,
  { kind, instant }: Settlement,
): Promise<() => Promise<void>> {
  const { tenantId } = scene
  if (kind === 'credit' || kind === 'review') {
    const write =
      kind === 'review'
        ? creditDepositCommit(w, await scene.inReview(), instant)
        : await crediting(w, scene, instant)
    return async () => {
      const { deposit } = write.step
      const committed = await w.deposits.commit(write)
      if (committed !== 'committed' && typeof committed === 'string') throw new Error(committed)
      expect(await w.deposits.get(tenantId, deposit.id)).toEqual(
        depositAsCommitted(deposit, committed),
      )
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

/** Expects of each row that everything has its instant, and that no row is before an older one. */
async function expectOneInstant(w: World<Needed>, tenantId: string): Promise<void> {
  const { items: rows } = await w.wallets.transactions(tenantId, { limit: 10_000 })
  for (const [n, row] of rows.entries()) {
    const { createdAt, payoutId, depositId } = row
    expect(createdAt.getTime()).toBeGreaterThanOrEqual(rows[n + 1]?.createdAt.getTime() ?? 0)
    const among = await w.wallets.transactions(tenantId, {
      limit: 10_000,
      from: createdAt,
      to: createdAt,
    })
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

/** Expects one event of this instant, in its members and in its bytes. */
function expectDated(events: readonly EventRecord[], instant: Date): void {
  expect(events).toHaveLength(1)
  for (const { id, occurredAt, recordedAt, body } of events) {
    expect(occurredAt).toEqual(instant)
    expect(recordedAt).toEqual(instant)
    expect(parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(recordedAt.getTime())
    expect(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))).toMatchObject({
      id,
      occurred_at: instant.toISOString(),
      recorded_at: recordedAt.toISOString(),
      settled_at: instant.toISOString(),
      note: 'ñ 💸 é',
    })
  }
}
