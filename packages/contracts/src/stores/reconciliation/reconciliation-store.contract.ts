import { describe, expect, test } from 'vitest'
import { type NewReconciliationRun, reconciliationRequested } from '@quipu/core/operator'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { comparedRecordsTests } from './compared-records.contract.ts'
import { credentialOf, originOf } from '../../fixtures/proposal/operators.ts'

type Needed = 'reconciliations' | 'audit'

const hourMs = 3_600_000
const from = new Date('2026-03-03T00:00:00.000Z')
const after = (hours: number): Date => new Date(from.getTime() + hours * hourMs)

/** The contract of a `ReconciliationStore`. */
export function reconciliationStoreContract(
  name: string,
  open: OpenHarness<
    Needed | 'payouts' | 'quotes' | 'wallets' | 'proposals' | 'tenants' | 'addresses' | 'scans' | 'deposits'
  >,
): void {
  describe(`reconciliation store in ${name}`, () => {
    describe('runs', () => {
      runTests(open)
    })
    comparedRecordsTests(open)
  })
}

function runTests(open: OpenHarness<Needed>): void {
  const w = useWorld(open, 'each')

  test('a requested run is stored as it is, with its audit entry', async () => {
    const runs = [requestedRun(w), { ...requestedRun(w), check: 'chain', period: null, position: 0 } as const]
    for (const run of runs) {
      expect(await w.reconciliations.open(run, credentialOf('ana'))).toBe('opened')
      expect(await w.reconciliations.find(run.id)).toEqual({ ...run, ...nothingYet })
      expect(await auditEntries(w.audit, { subject: run.id, limit: 10 })).toEqual([
        reconciliationRequested(run, originOf('ana')),
      ])
    }
    expect(await w.reconciliations.find('rcn_00000000000000000000000000')).toBeUndefined()
  })

  test('a day has one scheduled run of each check, without an audit entry', async () => {
    const run = scheduled(w, '2026-03-03')
    const opened = await Promise.all(Array.from({ length: 8 }, () => w.reconciliations.open({ ...run, id: newId(w) })))
    expect(opened.filter((result) => result === 'opened')).toHaveLength(1)
    const chain = { ...run, id: newId(w), check: 'chain', period: null, position: 0 } as const
    expect(await w.reconciliations.open(chain)).toBe('opened')
    expect(await w.reconciliations.open(scheduled(w, '2026-03-02'))).toBe('opened')
    expect(await w.reconciliations.open(requestedRun(w), credentialOf('ana'))).toBe('opened')
    expect(await w.reconciliations.lastScheduled('network', 9)).toMatchObject([
      { scheduledFor: '2026-03-03', requestedBy: null },
      { scheduledFor: '2026-03-02' },
    ])
    expect(await w.reconciliations.lastScheduled('network', 1)).toHaveLength(1)
    expect(await w.reconciliations.lastScheduled('chain', 9)).toEqual([{ ...chain, ...nothingYet }])
    expect(await auditEntries(w.audit, { subject: chain.id, limit: 10 })).toEqual([])
  })

  test('without the token of an operator no run is requested; no day is scheduled before it begins', async () => {
    const run = requestedRun(w)
    expect(await w.reconciliations.open(run)).toBe('unauthorized')
    expect(await w.reconciliations.open(run, credentialOf('vic'))).toBe('unauthorized')
    expect(await w.reconciliations.find(run.id)).toBeUndefined()
    const tomorrow = scheduled(w, '2999-01-01')
    await expect(w.reconciliations.open(tomorrow)).rejects.toThrow('has not begun')
    expect(await w.reconciliations.find(tomorrow.id)).toBeUndefined()
  })

  test('a run replaces the newest one of its day once, and only if it is of that day and check', async () => {
    const [first, other] = [scheduled(w, '2026-03-03'), scheduled(w, '2026-03-02')]
    for (const run of [first, other]) await w.reconciliations.open(run)
    const replacing = (of: string) => w.reconciliations.open(scheduled(w, '2026-03-03'), undefined, of)
    expect(await replacing(other.id)).toBe('exists')
    const results = await Promise.all([replacing(first.id), replacing(first.id)])
    expect(results.toSorted()).toEqual(['exists', 'opened'])
    const [newest, ...older] = await w.reconciliations.lastScheduled('network', 9)
    expect(newest).toMatchObject({ scheduledFor: '2026-03-03' })
    expect(newest?.id).not.toBe(first.id)
    expect(older).toMatchObject([{ id: other.id }])
    expect(await replacing(first.id)).toBe('exists')
    expect(await replacing(newest?.id ?? '')).toBe('opened')
  })

  test('no check has a last scheduled run before its first', async () => {
    expect(await w.reconciliations.lastScheduled('network', 9)).toEqual([])
  })

  test('claims the oldest run of the checks, once until its lease ends', async () => {
    const newer = { ...requestedRun(w), createdAt: after(2) }
    const older = { ...requestedRun(w), createdAt: after(1) }
    await w.reconciliations.open(newer, credentialOf('ana'))
    await w.reconciliations.open(older, credentialOf('ana'))
    expect(await w.reconciliations.claimDue(['chain'], 60)).toBeUndefined()
    const claims = await Promise.all(
      Array.from({ length: 6 }, () => w.reconciliations.claimDue(['network', 'chain'], 60)),
    )
    const ids = claims.flatMap((claimed) => claimed?.run.id ?? [])
    expect(ids.toSorted()).toEqual([newer.id, older.id].toSorted())
    await w.advance(61)
    const again = await w.reconciliations.claimDue(['network'], 60)
    expect(again).toEqual({ claim: { id: older.id, fencingToken: 2 }, run: { ...older, ...nothingYet } })
  })

  test('a slice is recorded by the newest claim alone, and the next claim continues after it', async () => {
    const run = requestedRun(w)
    await w.reconciliations.open(run, credentialOf('ana'))
    const lost = await claimed(w)
    await w.advance(61)
    const { claim } = await claimed(w)
    const first = { position: after(1).getTime(), compared: 2 ** 40, differences: 3, isLast: false }
    expect(await w.reconciliations.advance(lost.claim, first, someInstant)).toBe(false)
    expect(await w.reconciliations.yieldClaim(lost.claim, 'gone', 0)).toBe(false)
    expect(await w.reconciliations.advance(claim, first, someInstant, 'k.1')).toBe(true)
    const next = await claimed(w)
    expect(next.run).toEqual({
      ...run,
      position: first.position,
      slices: 1,
      compared: 2 ** 40,
      differences: 3,
      completedAt: null,
      failure: null,
      mac: 'k.1',
    })
    const last = { position: after(24).getTime(), compared: 1, differences: 0, isLast: true }
    expect(await w.reconciliations.advance(next.claim, last, someInstant)).toBe(true)
    expect(await w.reconciliations.find(run.id)).toMatchObject({
      position: last.position,
      slices: 2,
      compared: 2 ** 40 + 1,
      completedAt: someInstant,
      mac: null,
    })
    expect(await w.reconciliations.claimDue(['network'], 60)).toBeUndefined()
    expect(await w.reconciliations.advance(next.claim, last, someInstant)).toBe(false)
  })

  test('a failed slice is due again after its pause, and its failure is shown until one succeeds', async () => {
    await w.reconciliations.open(requestedRun(w), credentialOf('ana'))
    const { claim, run } = await claimed(w)
    expect(await w.reconciliations.yieldClaim(claim, 'the network is down', 30)).toBe(true)
    expect(await w.reconciliations.find(run.id)).toMatchObject({ failure: 'the network is down' })
    await w.advance(29)
    expect(await w.reconciliations.claimDue(['network'], 60)).toBeUndefined()
    await w.advance(2)
    const again = await claimed(w)
    const slice = { position: run.position + 1, compared: 0, differences: 0, isLast: false }
    await w.reconciliations.advance(again.claim, slice, someInstant)
    expect(await w.reconciliations.find(run.id)).toMatchObject({ failure: null })
  })

  test('lists newest first, by check and state, in pages', async () => {
    const runs = [1, 2, 3].map((hours) => ({ ...requestedRun(w), createdAt: after(hours) }))
    const chain = { ...requestedRun(w), check: 'chain', period: null, position: 0 } as const
    for (const run of [...runs, { ...chain, createdAt: after(4) }])
      await w.reconciliations.open(run, credentialOf('ana'))
    const { claim } = await claimed(w)
    const last = { position: after(24).getTime(), compared: 1, differences: 0, isLast: true }
    await w.reconciliations.advance(claim, last, someInstant)
    const [one, two, three] = runs.map(({ id }) => id)
    const ids = async (filter: object) =>
      (await w.reconciliations.list({ limit: 10, ...filter })).items.map(({ id }) => id)
    expect(await ids({})).toEqual([chain.id, three, two, one])
    expect(await ids({ check: 'network' })).toEqual([three, two, one])
    expect(await ids({ isCompleted: true })).toEqual([one])
    expect(await ids({ check: 'network', isCompleted: false })).toEqual([three, two])
    const first = await w.reconciliations.list({ limit: 3 })
    expect(await ids({ ...(first.next && { after: first.next }) })).toEqual([one])
  })
}

const nothingYet = { slices: 0, compared: 0, differences: 0, completedAt: null, failure: null, mac: null }

const newId = ({ ids }: Pick<World<Needed>, 'ids'>): string => ids.next('rcn', someInstant)

/** A run of the network's statement that an operator asks for. */
export const requestedRun = (w: Pick<World<Needed>, 'ids'>): NewReconciliationRun => ({
  id: newId(w),
  check: 'network',
  period: { from, to: after(24) },
  scheduledFor: null,
  requestedBy: 'ana',
  createdAt: after(25),
  position: from.getTime(),
})

const scheduled = (w: World<Needed>, day: string): NewReconciliationRun => ({
  ...requestedRun(w),
  scheduledFor: day,
  requestedBy: null,
})

async function claimed(w: World<Needed>) {
  const found = await w.reconciliations.claimDue(['network'], 60)
  if (found === undefined) throw new Error('no run is due')
  return found
}
