import { describe, expect, test } from 'vitest'
import { auditSweepPlan, auditSweepSignatures, plannedLookSeconds } from '@quipu/core/operator'
import { auditEntries } from '../../fixtures/audit-entries.ts'
import { laterInstant, someInstant } from '../../fixtures/instants.ts'
import { someOperator } from '../../fixtures/builders.ts'
import { accountOf, testAddresses } from '../../fixtures/deposit/addresses.ts'
import { type OpenHarness, useWorld } from '../../fixtures/harness.ts'
import { signatureOf } from '../../fixtures/sweep/sweep-chain.ts'
import { firstOf, newSweepAddress, newSweepPlan, sweepPlan } from '../../fixtures/sweep/sweeps.ts'
import { authorOf, credentialOf, originOf } from '../../fixtures/proposal/operators.ts'

type Needed = 'sweeps' | 'tenants' | 'addresses' | 'audit'

const ada = credentialOf('ada')

export function insertSweepTests(open: OpenHarness<Needed>): void {
  describe('plans and signatures', () => {
    const w = useWorld(open, 'each')

    test('a plan is stored as it is, with one audit entry of no tenant', async () => {
      const plan = await newSweepPlan(w, 3)
      expect(await w.sweeps.find(plan.batch.id)).toEqual(plan)
      const entries = await auditEntries(w.audit, { subject: plan.batch.id, limit: 10 })
      expect(entries).toEqual([auditSweepPlan(plan, originOf('ada'))])
      expect(entries[0]?.tenantId).toBeNull()
    })

    test('finds no unknown batch', async () => {
      expect(await w.sweeps.find('swb_00000000000000000000000000')).toBeUndefined()
    })

    test('an address with a live transfer gets no second one', async () => {
      const [one, other] = [await newSweepAddress(w), await newSweepAddress(w)]
      const first = sweepPlan(w, [one])
      expect(await w.sweeps.insert(first, ada)).toEqual(first.transfers)
      const at = new Date(someInstant.getTime() + 1)
      const second = sweepPlan(w, [one, other], at)
      const expected = second.transfers.filter(({ account }) => account === other.account)
      expect(await w.sweeps.insert(second, ada)).toEqual(expected)
      expect(await w.sweeps.find(second.batch.id)).toEqual({ ...second, transfers: expected })
      const again = sweepPlan(w, [one, other], new Date(at.getTime() + 1))
      expect(await w.sweeps.insert(again, ada)).toEqual([])
      expect(await w.sweeps.find(again.batch.id)).toBeUndefined()
      expect(await auditEntries(w.audit, { subject: again.batch.id, limit: 10 })).toEqual([])
    })

    test('of 6 concurrent plans for two addresses each address is in one', async () => {
      const addresses = [await newSweepAddress(w), await newSweepAddress(w)]
      const plans = Array.from({ length: 6 }, (_, n) => sweepPlan(w, addresses, new Date(someInstant.getTime() + n)))
      const inserted = (await Promise.all(plans.map((plan) => w.sweeps.insert(plan, ada)))).flat()
      const accounts = inserted.map((each) => typeof each === 'object' && each.account)
      expect(accounts.toSorted()).toEqual(addresses.map(({ account }) => account).toSorted())
    })

    test('a treasury that is a top-up address, and an unknown address, are refused', async () => {
      const [one, other] = [await newSweepAddress(w), await newSweepAddress(w)]
      const plan = sweepPlan(w, [one])
      const batch = { ...plan.batch, treasury: other }
      await expect(w.sweeps.insert({ ...plan, batch }, ada)).rejects.toThrow('is a top-up address')
      const account = accountOf('nobody')
      const unknown = sweepPlan(w, [{ ...one, account, address: testAddresses.format(account) }])
      await expect(w.sweeps.insert(unknown, ada)).rejects.toThrow()
      expect(await w.sweeps.find(plan.batch.id)).toBeUndefined()
    })

    test('signatures are stored once, with an audit entry that names the transfers', async () => {
      const { batch, transfers } = await newSweepPlan(w, 3)
      const signatures = transfers.map(({ id, account, txHash }) => ({
        transferId: id,
        signature: signatureOf(account, txHash),
      }))
      const half = signatures.slice(0, 2)
      const ids = (of: typeof signatures) => of.map(({ transferId }) => transferId).toSorted()
      const sign = (of: typeof signatures) => w.sweeps.sign(batch.id, of, someOperator)
      expect(new Set(await sign(half))).toEqual(new Set(ids(half)))
      expect(await sign(signatures)).toEqual(ids(signatures.slice(2)))
      expect(await sign(signatures.map((each) => ({ ...each, signature: 'ab'.repeat(65) })))).toEqual([])
      const stored = await w.sweeps.find(batch.id)
      expect(stored?.transfers.map(({ status, signature }) => [status, signature])).toEqual(
        signatures.map(({ signature }) => ['signed', signature]),
      )
      const entries = await auditEntries(w.audit, { subject: batch.id, limit: 10 })
      expect(entries.slice(0, 2)).toEqual([
        auditSweepSignatures(batch.id, ids(signatures.slice(2)), authorOf('ana', someInstant)),
        auditSweepSignatures(batch.id, ids(half), authorOf('ana', someInstant)),
      ])
    })

    test('a transfer of another batch, or one that has ended, is not signed', async () => {
      const [plan, other] = [await newSweepPlan(w), await newSweepPlan(w)]
      const { id: transferId } = firstOf(plan)
      const signature = 'ab'.repeat(65)
      const sign = (batchId: string) => w.sweeps.sign(batchId, [{ transferId, signature }], someOperator)
      expect(await sign(other.batch.id)).toEqual([])
      await w.advance(plannedLookSeconds + 1)
      const claims = await w.sweeps.claimDue(10, 100)
      for (const { claim } of claims) await w.sweeps.settle(claim, 'expired', laterInstant)
      expect(await sign(plan.batch.id)).toEqual([])
      expect(await w.sweeps.find(plan.batch.id)).toMatchObject({ transfers: [{ status: 'expired', signature: null }] })
    })
  })
}
