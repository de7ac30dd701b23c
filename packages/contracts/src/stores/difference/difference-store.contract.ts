import { bob, type Page, usdt } from '@quipu/core'
import {
  type Adjustment,
  auditDifference,
  type Difference,
  differenceChecks,
  type DifferenceClosure,
  type FoundDifference,
  foundKinds,
  isSameDifference,
} from '@quipu/core/operator'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { addressDifference, foundDifference } from '../../fixtures/difference/found-difference.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { adjustWallet, approveAdjustment } from '../../fixtures/proposal/approve-action.ts'
import { depositBuilders } from '../../fixtures/deposit/deposit-builders.ts'
import { credentialOf, originOf } from '../../fixtures/proposal/operators.ts'

type Needed =
  | 'differences'
  | 'proposals'
  | 'wallets'
  | 'tenants'
  | 'audit'
  | 'addresses'
  | 'scans'
  | 'deposits'
  | 'quotes'
  | 'payouts'

const start = new Date('2026-03-04T05:06:07.089Z')
const after = (seconds: number): Date => new Date(start.getTime() + seconds * 1_000)

const closure = (over: Partial<DifferenceClosure> = {}): DifferenceClosure => ({
  by: 'ana',
  at: after(50),
  reason: 'La red lo corrigió.',
  proposalId: null,
  ...over,
})

const off = (minor: bigint): Partial<FoundDifference> => ({
  expected: bob(100_00n),
  found: bob(100_00n + minor),
  detail: `${minor} off`,
})

/** The one difference of the liquidity. */
const lowLiquidity = { check: 'liquidity', kind: 'below_floor', subject: 'network' } as const

const correction = { direction: 'in', amount: usdt(5n), reason: 'corrección', actor: 'ana' } as const

/** Only open differences have changed since then. */
const farOff = new Date('2999-01-01T00:00:00.000Z')
const ana = credentialOf('ana')

/** The contract of a `DifferenceStore`. */
export function differenceStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`difference store in ${name}`, () => {
    const w = useWorld(open, 'each')

    test('stores a difference of each check as it was found', async () => {
      const { id: tenantId } = await w.newTenant()
      const deposit = await (await depositBuilders(w)).credited()
      const credit = { check: 'ledger', kind: 'credit', tenantId: deposit.tenantId, subject: deposit.id } as const
      const all = [
        foundDifference(w.ids, { detail: 'débito ñ 💸', scope: '2026-03-04' }),
        await addressDifference(w, tenantId, { expected: usdt(2n ** 200n), found: null }),
        foundDifference(w.ids, { ...lowLiquidity, expected: null, found: null }),
        foundDifference(w.ids, { ...credit, expected: null, found: usdt(-1n) }),
      ]
      await w.differences.record(all, start)
      await w.differences.record([], start)
      for (const found of all) {
        const stored = await w.differences.find(found.id)
        expect(stored).toEqual({
          ...found,
          foundAt: start,
          lastSeenAt: start,
          goneAt: null,
          closure: null,
          status: 'open',
          change: stored?.change,
        })
      }
      expect(await w.differences.find('dif_00000000000000000000000000')).toBeUndefined()
    })

    test('each kind that a process finds is recorded, about a row of its tenant alone', async () => {
      const deposits = await depositBuilders(w)
      const { id: deposit, tenantId } = await deposits.credited()
      const { address: chain } = (await w.addresses.list(tenantId))[0] ?? {}
      await adjustWallet(w, { ...correction, id: w.ids.next('prp', start), tenantId })
      const network = (await w.newPayout(await w.newQuote(tenantId, { source: usdt(5n) }))).id
      const { id: otherTenant } = await w.newTenant()
      const subjects = {
        ledger: deposit,
        audit: '',
        network,
        chain: chain ?? '',
        liquidity: 'network',
        report: '2026-03-04',
      }
      for (const check of differenceChecks)
        for (const kind of foundKinds[check]) {
          const isOfNone = kind === 'unknown_here' || check === 'liquidity' || check === 'report'
          const right = { check, kind, subject: subjects[check], tenantId: isOfNone ? null : tenantId }
          await w.differences.record([foundDifference(w.ids, right)], start)
          const wrong: readonly Partial<FoundDifference>[] = [
            { tenantId: isOfNone ? tenantId : null },
            { tenantId: otherTenant },
            ...(kind === 'unknown_here' ? [] : [{ subject: 'po_none' }]),
            { kind: 'available' },
            { kind: '' },
          ]
          for (const over of wrong) {
            const found = [foundDifference(w.ids, { subject: 'new' }), foundDifference(w.ids, { ...right, ...over })]
            await expect(w.differences.record(found, start), `${kind} ${JSON.stringify(over)}`).rejects.toThrow(
              /^no process finds a difference of/,
            )
          }
        }
      const all = (await w.differences.list({ limit: 99 })).items
      expect(all.map(({ check, kind }) => `${check} ${kind}`).toSorted()).toEqual(
        differenceChecks.flatMap((check) => foundKinds[check].map((kind) => `${check} ${kind}`)).toSorted(),
      )
    })

    test('the count of those that were not recorded has its scope and kind as subject', async () => {
      const counted = { scope: '2026-03-04', kind: 'paid_twice', subject: '2026-03-04 paid_twice' }
      await w.differences.record([foundDifference(w.ids, counted)], start)
      for (const over of [{ scope: '' }, { kind: 'other_time' }, { subject: '2026-03-04' }]) {
        const found = foundDifference(w.ids, { ...counted, ...over })
        await expect(w.differences.record([found], start)).rejects.toThrow(/^no process finds/)
      }
    })

    test('what only the store finds is refused, with the whole call', async () => {
      for (const over of [{ check: 'ledger', kind: 'available' }, { check: 'audit' }] as const) {
        const found = [foundDifference(w.ids), foundDifference(w.ids, over)]
        await expect(w.differences.record(found, start)).rejects.toThrow(/^no process finds/)
      }
      expect(await idsOf(w.differences.list({ limit: 9 }))).toEqual([])
    })

    test('seen again it is one difference with the newest detail; a changed amount is a change', async () => {
      const first = foundDifference(w.ids, off(-5n))
      await w.differences.record([first], start)
      const [opened] = await w.differences.listChanged(0n, farOff, 9)
      // Both amounts moved, and they are as far apart as before.
      const moved = { ...off(-5n), expected: bob(7n), found: bob(2n), detail: 'moved' }
      await w.differences.record([foundDifference(w.ids, moved)], after(10))
      expect(await w.differences.list({ limit: 9 })).toEqual({
        items: [{ ...opened, ...moved, lastSeenAt: after(10) }],
        next: null,
      })
      expect(await w.differences.listChanged(opened?.change ?? 0n, farOff, 9)).toEqual([])
      await w.differences.record([foundDifference(w.ids, off(-6n))], after(5))
      const [changed] = await w.differences.listChanged(opened?.change ?? 0n, farOff, 9)
      expect(changed).toMatchObject({ id: first.id, ...off(-6n), lastSeenAt: after(10) })
    })

    test('a difference of another check, kind or subject is another one', async () => {
      const { id: tenantId } = await w.newTenant()
      const all = [
        foundDifference(w.ids),
        foundDifference(w.ids, { subject: 'po_2' }),
        await addressDifference(w, tenantId),
        await addressDifference(w, tenantId, { kind: 'surplus' }),
      ]
      for (const each of [all, all]) await w.differences.record(each, start)
      expect((await idsOf(w.differences.list({ limit: 9 }))).toSorted()).toEqual(all.map(({ id }) => id).toSorted())
    })

    test('what a completed run of the same scope has not seen is gone, and can be found again', async () => {
      const day = { scope: '2026-03-04' }
      const seen = foundDifference(w.ids, { ...day, subject: 'seen' })
      const unseen = foundDifference(w.ids, { ...day, subject: 'unseen' })
      const otherDay = foundDifference(w.ids, { scope: '2026-03-05', subject: 'other day' })
      const otherCheck = foundDifference(w.ids, { ...day, ...lowLiquidity })
      await w.differences.record([seen, unseen, otherDay, otherCheck], start)
      await w.differences.record([seen], after(60))
      const run = { check: 'network', ...day } as const
      expect(await w.differences.resolveUnseen(run, after(60))).toBe(1)
      expect(await w.differences.resolveUnseen(run, after(60))).toBe(0)
      expect(await w.differences.find(unseen.id)).toMatchObject({
        status: 'gone',
        goneAt: after(60),
        lastSeenAt: start,
      })
      expect(await idsOf(w.differences.list({ limit: 9, status: 'gone' }))).toEqual([unseen.id])
      expect(await w.differences.close(unseen.id, closure(), ana)).toBe('stale')
      const again = foundDifference(w.ids, { ...day, subject: 'unseen' })
      await w.differences.record([again], after(120))
      expect(await w.differences.find(again.id)).toMatchObject({ foundAt: after(120) })
      expect((await w.differences.find(unseen.id))?.status).toBe('gone')
    })

    test('an operator closes an open difference once, with an audit entry', async () => {
      const { id: tenantId } = await w.newTenant()
      const found = await addressDifference(w, tenantId)
      await w.differences.record([found], start)
      const [stored] = await w.differences.listChanged(0n, farOff, 9)
      const results = await Promise.all(
        ['ana', 'eva', 'luz'].map((by) => w.differences.close(found.id, closure({ by }), credentialOf(by))),
      )
      expect(results.toSorted()).toEqual(['committed', 'stale', 'stale'])
      const closed = await w.differences.find(found.id)
      const by = ['ana', 'eva', 'luz'][results.indexOf('committed')] ?? ''
      expect(closed).toEqual({ ...stored, status: 'closed', closure: closure({ by }) })
      if (closed)
        expect(await auditEntries(w.audit, { subject: found.id, limit: 9 })).toEqual([
          auditDifference(closed, closure({ by }), originOf(by)),
        ])
      expect(await w.differences.listChanged(0n, farOff, 9)).toEqual([])
      const unknown = 'dif_00000000000000000000000000'
      expect(await w.differences.close(unknown, closure(), ana)).toBe('stale')
    })

    test('one that is closed or gone by now has changed all the same, once', async () => {
      const [closed, gone] = [foundDifference(w.ids), foundDifference(w.ids, { subject: 'gone' })]
      await w.differences.record([closed], start)
      await w.differences.record([gone], start)
      await w.differences.close(closed.id, closure(), ana)
      const { check, scope } = gone
      if (check !== 'network') throw new Error('another check')
      await w.differences.resolveUnseen({ check, scope }, after(60))
      const changed = await w.differences.listChanged(0n, new Date(0), 9)
      expect(changed.map(({ id }) => id)).toEqual([closed.id, gone.id])
      const [first] = changed
      expect(await w.differences.listChanged(first?.change ?? 0n, new Date(0), 9)).toEqual(changed.slice(1))
      expect(await w.differences.listChanged(0n, farOff, 9)).toEqual([])
    })

    test('a closed one stays closed while it is seen unchanged; otherwise it is gone and a new one is open', async () => {
      const first = foundDifference(w.ids, off(-5n))
      await w.differences.record([first], start)
      await w.differences.close(first.id, closure(), ana)
      await w.differences.record([foundDifference(w.ids, off(-5n))], after(60))
      expect(await w.differences.list({ limit: 9 })).toMatchObject({
        items: [{ id: first.id, status: 'closed', lastSeenAt: after(60), detail: first.detail }],
      })
      const second = foundDifference(w.ids, off(-6n))
      await w.differences.record([second], after(120))
      expect(await w.differences.find(first.id)).toMatchObject({
        status: 'closed',
        goneAt: after(120),
        lastSeenAt: after(60),
      })
      expect((await w.differences.listChanged(0n, farOff, 9)).map(({ id }) => id)).toEqual([second.id])
    })

    test('a proposal that closes it is an executed one of its tenant', async () => {
      const [tenantId, otherId] = [await w.newWallet(usdt(9n)), await w.newWallet(usdt(9n))]
      const found = await addressDifference(w, tenantId)
      const ofAll = foundDifference(w.ids, { subject: 'po_2' })
      await w.differences.record([found, ofAll], start)
      const adjustment = (of: string): Adjustment => ({ ...correction, id: w.ids.next('prp', start), tenantId: of })
      const [mine, foreign, unexecuted] = [tenantId, otherId, tenantId].map(adjustment)
      if (!mine || !foreign || !unexecuted) throw new Error('three adjustments')
      for (const each of [mine, foreign]) expect(await adjustWallet(w, each)).toBe('committed')
      await approveAdjustment(w, unexecuted)
      const close = (id: string, proposalId: string) => w.differences.close(id, closure({ proposalId }), ana)
      for (const { id } of [foreign, unexecuted])
        await expect(close(found.id, id)).rejects.toThrow(/not an executed one/)
      await expect(close(ofAll.id, mine.id)).rejects.toThrow(/not an executed one/)
      expect((await w.differences.find(found.id))?.status).toBe('open')
      expect(await close(found.id, mine.id)).toBe('committed')
      const closed = await w.differences.find(found.id)
      expect(closed?.closure?.proposalId).toBe(mine.id)
      if (closed?.closure)
        expect(await auditEntries(w.audit, { subject: found.id, limit: 9 })).toEqual([
          auditDifference(closed, closed.closure, originOf('ana')),
        ])
    })

    test('lists newest first, by state, check, tenant and subject, in pages', async () => {
      const { id: tenantId } = await w.newTenant()
      const all = [
        foundDifference(w.ids, { subject: 'a' }),
        foundDifference(w.ids, lowLiquidity),
        await addressDifference(w, tenantId),
        foundDifference(w.ids, { subject: 'd' }),
      ]
      for (const [n, each] of all.entries()) await w.differences.record([each], after(n))
      const [a, liquidity, ofTenant, d] = all.map(({ id }) => id)
      await w.differences.close(a ?? '', closure(), ana)
      const list = (filter: object) => idsOf(w.differences.list({ limit: 9, ...filter }))
      expect(await list({})).toEqual([d, ofTenant, liquidity, a])
      expect(await list({ status: 'open' })).toEqual([d, ofTenant, liquidity])
      expect(await list({ status: 'closed' })).toEqual([a])
      expect(await list({ check: 'liquidity' })).toEqual([liquidity])
      expect(await list({ check: 'network', status: 'open' })).toEqual([d])
      expect(await list({ tenantId })).toEqual([ofTenant])
      expect(await list({ tenantId, status: 'gone' })).toEqual([])
      expect(await list({ subject: 'a' })).toEqual([a])
      expect(await list({ subject: 'd', check: 'network', status: 'open' })).toEqual([d])
      expect(await list({ subject: 'd', tenantId })).toEqual([])
      expect(await list({ subject: 'a', status: 'open' })).toEqual([])
      const { items, next } = await w.differences.list({ limit: 3 })
      expect(items.map(({ id }) => id)).toEqual([d, ofTenant, liquidity])
      expect(next).toEqual({ createdAt: after(1), id: liquidity })
      if (next) expect(await list({ after: next })).toEqual([a])
    })

    test('changes are listed in the order of their commits, a page at a time', async () => {
      const all = Array.from({ length: 30 }, (_, n) => foundDifference(w.ids, { subject: `po_${n}` }))
      const read: bigint[] = []
      const readPage = async (): Promise<void> => {
        const page = await w.differences.listChanged(read.at(-1) ?? 0n, farOff, 7)
        read.push(...page.map(({ change }) => change))
      }
      const recording = all.map((each) => w.differences.record([each], start))
      for (const recorded of recording) await Promise.all([recorded, readPage()])
      while (read.length < 30) await readPage()
      expect(new Set(read).size).toBe(30)
      expect(read).toEqual(read.toSorted((x, y) => (x < y ? -1 : 1)))
    })

    test('whether it is seen unchanged is what the core says', async () => {
      const amount = fc.option(fc.bigInt({ min: -3n, max: 3n }).map(bob))
      const seen = fc.record({ detail: fc.constantFrom('one', 'other'), expected: amount, found: amount })
      let n = 0
      await fc.assert(
        fc.asyncProperty(fc.boolean(), seen, seen, async (isLow, a, b) => {
          const about = isLow ? lowLiquidity : { subject: `po_${n++}` }
          const first = foundDifference(w.ids, { ...a, ...about })
          const again = foundDifference(w.ids, { ...b, ...about })
          await w.differences.record([first], start)
          const before = await w.differences.find(first.id)
          await w.differences.record([again], after(1))
          const same = (await w.differences.find(first.id))?.change === before?.change
          expect(same).toBe(isSameDifference(first, again))
          await w.differences.resolveUnseen({ check: 'liquidity', scope: '' }, after(2))
        }),
        { numRuns: 40 },
      )
    })
  })
}

const idsOf = async (page: Promise<Page<Difference>>): Promise<readonly string[]> =>
  (await page).items.map(({ id }) => id)
