import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { type SweepPlan, sweepTotals } from '@quipu/core/operator'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { firstOf } from '../../fixtures/sweep/sweeps.ts'
import { treasuryAccount } from '../../fixtures/sweep/sweep-chain.ts'
import {
  type SweepHarness,
  sweepHarness,
  type SweepHarnessStores as Needed,
  signOffline,
} from '../../fixtures/sweep/sweep-harness.ts'

/** Proves sweeps on a set of stores, with a scripted chain: no address is swept twice, and none is forgotten. */
export function sweepContract(name: string, open: OpenHarness<Needed>): void {
  describe(`sweeps on ${name}`, () => {
    planTests(open)
    importTests(open)
    settleTests(open)
    endTests(open)
  })
}

const statuses = async ({ sweeps }: SweepHarness, { batch }: SweepPlan) =>
  (await sweeps.find(batch.id))?.transfers.map(({ status }) => status)

function planTests(open: OpenHarness<Needed>): void {
  describe('a plan', () => {
    const w = useWorld(open, 'each')

    test('has the whole balance of each address at or above the threshold, with its cost', async () => {
      const h = await sweepHarness(w)
      const rich = await h.funded(7_000_000n)
      const poor = await h.funded(1_000_000n, true)
      const little = await h.funded(999_999n)
      const answer = await h.plan()
      if (answer.type === 'refused') throw new Error(answer.code)
      const { batch, transfers } = answer.plan
      expect(transfers).toMatchObject([
        { address: rich.address, amount: usdt(7_000_000n), trxMissing: 0n, status: 'planned' },
        { address: poor.address, amount: usdt(1_000_000n), trxMissing: 30_000_000n },
      ])
      expect(transfers.map(({ address }) => address)).not.toContain(little.address)
      expect(sweepTotals(transfers)).toEqual({
        count: 2,
        amount: 8000000n,
        trxNeeded: 60000000n,
        trxMissing: 30000000n,
      })
      expect(batch).toMatchObject({ createdBy: 'ada', treasury: { account: treasuryAccount } })
      expect(await h.sweeps.find(batch.id)).toEqual(answer.plan)
      expect(h.chain.broadcasts).toEqual([])
    })

    test('has at most as many transfers as asked for, and is refused without any', async () => {
      const h = await sweepHarness(w)
      for (let n = 0; n < 3; n++) await h.funded(5_000_000n)
      expect(await h.plan(usdt(1n), 2)).toMatchObject({ plan: { transfers: { length: 2 } } })
      expect(await h.plan()).toMatchObject({ plan: { transfers: { length: 1 } } })
      expect(await h.plan()).toEqual({ type: 'refused', code: 'nothing_to_sweep', skipped: [] })
    })

    test('is refused when the token’s issuer blocks the treasury', async () => {
      const h = await sweepHarness(w)
      await h.funded(5_000_000n)
      h.chain.blocked.add(treasuryAccount)
      expect(await h.plan()).toMatchObject({ type: 'refused', code: 'treasury_blocked' })
    })
  })
}

function importTests(open: OpenHarness<Needed>): void {
  describe('an import', () => {
    const w = useWorld(open, 'each')

    test('accepts half of a batch, the other half later, and each signature once', async () => {
      const h = await sweepHarness(w)
      for (let n = 0; n < 4; n++) await h.funded(5_000_000n)
      const plan = await h.planned()
      const signed = plan.transfers.map(signOffline)
      expect(await h.importSigned(plan, signed.slice(0, 2))).toEqual(['signed', 'signed'])
      expect(await statuses(h, plan)).toEqual(['signed', 'signed', 'planned', 'planned'])
      expect(await h.importSigned(plan, [...signed, ...signed])).toEqual([
        'already_signed',
        'already_signed',
        'signed',
        'signed',
        'already_signed',
        'already_signed',
        'already_signed',
        'already_signed',
      ])
      const actions = (await auditEntries(w.audit, { subject: plan.batch.id, limit: 9 })).map(
        ({ action, actor }) => `${action} by ${actor}`,
      )
      expect(actions).toEqual(['sweep.sign by luis', 'sweep.sign by luis', 'sweep.plan by ada'])
    })
  })
}

/** A harness with one signed transfer. */
async function withSigned(h: SweepHarness, isPoor = false) {
  const address = await h.funded(5_000_000n, isPoor)
  const plan = await h.planned()
  await h.importSigned(plan, plan.transfers.map(signOffline))
  return { address, plan }
}

function settleTests(open: OpenHarness<Needed>): void {
  describe('a signed transfer', () => {
    const w = useWorld(open, 'each')

    test('is sent, and solid once a solid block has it', async () => {
      const h = await sweepHarness(w)
      const { address, plan } = await withSigned(h)
      expect(await h.runWorker()).toEqual(['signed'])
      const [sent] = (await h.sweeps.find(plan.batch.id))?.transfers ?? []
      expect(sent?.sentAt).toBeInstanceOf(Date)
      expect(sent?.problem).toBeNull()
      await h.step(61)
      expect(await h.runWorker()).toEqual(['solid'])
      expect(h.chain.received(treasuryAccount)).toBe(5_000_000n)
      expect(await h.sweeps.sweptOf('tron', [address.account])).toMatchObject(
        new Map([[address.account, { solid: usdt(5_000_000n) }]]),
      )
      expect(await h.plan()).toMatchObject({ code: 'nothing_to_sweep' })
      expect(h.alerts).toEqual([])
    })

    test('is sent again with the same bytes after a fork, and while no node answers', async () => {
      const h = await sweepHarness(w)
      const { plan } = await withSigned(h)
      h.chain.isReachable = false
      await h.runWorker()
      h.chain.isReachable = true
      await h.step(61)
      await h.runWorker()
      await h.step(9)
      expect(h.chain.fork()).toEqual([firstOf(plan).txHash])
      await h.runUntilEnded()
      expect(await statuses(h, plan)).toEqual(['solid'])
      expect(h.chain.broadcasts.length).toBeGreaterThanOrEqual(3)
      const bytes = h.chain.broadcasts.map((each) => new TextDecoder().decode(each.bytes))
      expect(new Set(bytes).size).toBe(1)
    })

    test.each(['before', 'after'] as const)(
      'is sent once by another worker after a crash %s the broadcast',
      async (when) => {
        const h = await sweepHarness(w)
        const { plan } = await withSigned(h)
        const { broadcast } = h.chain.broadcaster
        h.chain.broadcaster.broadcast = async (transfer) => {
          if (when === 'after') await broadcast(transfer)
          throw new Error('killed')
        }
        await expect(h.runWorker()).rejects.toThrow('killed')
        h.chain.broadcaster.broadcast = broadcast
        expect(await h.runWorker()).toEqual([])
        await h.runUntilEnded()
        expect(await statuses(h, plan)).toEqual(['solid'])
        expect(h.chain.included()).toEqual([{ txHash: firstOf(plan).txHash, moves: true }])
      },
    )
  })
}

function endTests(open: OpenHarness<Needed>): void {
  describe('the end of a transfer', () => {
    const w = useWorld(open, 'each')

    test.each(['planned', 'signed'] as const)(
      'one that is %s expires only past its expiry in solid blocks; the address is planned anew',
      async (status) => {
        const h = await sweepHarness(w)
        await h.funded(5_000_000n)
        const plan = await h.planned()
        h.chain.isReachable = false
        if (status === 'signed') await h.importSigned(plan, plan.transfers.map(signOffline))
        await h.step(43_200)
        expect(await h.runWorker()).toEqual([status])
        expect(await h.plan()).toMatchObject({ type: 'refused' })
        await h.step(660)
        expect(await h.runWorker()).toEqual(['expired'])
        expect(h.alerts).toMatchObject([{ code: 'SWEEP_EXPIRED', subject: firstOf(plan).id }])
        h.chain.isReachable = true
        const next = await h.planned()
        await h.importSigned(next, next.transfers.map(signOffline))
        await h.runUntilEnded()
        expect(h.chain.included()).toEqual([{ txHash: firstOf(next).txHash, moves: true }])
      },
    )

    test('an exported transfer that was signed and sent elsewhere is found', async () => {
      const h = await sweepHarness(w)
      await h.funded(5_000_000n)
      const plan = await h.planned()
      const { txHash, expiresAt } = firstOf(plan)
      h.chain.include({ txHash, expiresAt, bytes: new Uint8Array() })
      await h.runUntilEnded()
      expect(await statuses(h, plan)).toEqual(['solid'])
      expect(h.chain.broadcasts).toEqual([])
    })
  })
}
