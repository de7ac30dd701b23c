import {
  auditEntries,
  newSweepAddress,
  newSweepPlan,
  signatureOf,
  someOperator,
  sweepPlan,
  sweepTransfer,
  credentialOf,
  presentedBy,
} from '@quipu/contracts'
import type { SweepPlan, SweepTransfer } from '@quipu/core/operator'
import { beforeAll, describe, expect, test } from 'vitest'
import { openTransaction, doesWait } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness({ clockOverride: () => now })
const now = new Date('2026-04-01T00:00:00.000Z')
beforeAll(async () => {
  // The first calls of a session take longest.
  await newSweepPlan(harness.world)
})

const signaturesOf = ({ transfers }: SweepPlan) =>
  transfers.map(({ id, account, txHash }) => ({ transferId: id, signature: signatureOf(account, txHash) }))
const sign = (plan: SweepPlan) => harness.stores.sweeps.sign(plan.batch.id, signaturesOf(plan), someOperator)

/** A plan whose transfers are signed, so that they are due. */
async function signedPlan(size: number): Promise<SweepPlan> {
  const plan = await newSweepPlan(harness.world, size)
  expect(await sign(plan)).toHaveLength(size)
  return plan
}

describe('a claim', () => {
  test('is yielded and settled for its own transfer only', async () => {
    const plan = await signedPlan(2)
    const { sweeps } = harness.stores
    const claimDue = async () =>
      (await sweeps.claimDue(100, 100)).filter(({ transfer }) => transfer.batchId === plan.batch.id)
    const [one, other] = await claimDue()
    if (!one || !other) throw new Error('two are due')
    expect(one.claim.fencingToken).toBe(other.claim.fencingToken)
    const stored = async () => new Map((await sweeps.find(plan.batch.id))?.transfers.map((each) => [each.id, each]))
    const yielded = { sentAt: null, problem: 'TRX_MISSING' } as const
    expect(await sweeps.yieldClaim(one.claim, 0, yielded)).toBe(true)
    expect((await stored()).get(other.transfer.id)).toEqual(other.transfer)
    expect(await sweeps.settle(other.claim, 'solid', now)).toBe('committed')
    expect((await stored()).get(one.transfer.id)).toEqual({ ...one.transfer, ...yielded })
    expect(await claimDue()).toMatchObject([{ transfer: { id: one.transfer.id } }])
  })
})

test('a signature that waits for another of the same transfer is not stored, nor audited', async () => {
  const plan = await newSweepPlan(harness.world)
  const signing = await openTransaction(harness.stores.url)
  const signatures = signaturesOf(plan)
  const values = [
    plan.batch.id,
    signatures.map(({ transferId }) => transferId),
    signatures.map(({ signature }) => Buffer.from(signature, 'hex')),
    presentedBy('ana'),
    now,
    now,
  ]
  const signed = await signing.sql('select quipu.sign_sweep($1, $2, $3, $4, $5, $6)', values)
  expect(signed).toHaveLength(1)
  const second = sign(plan)
  await doesWait(harness.sql, second)
  await signing.commit()
  expect(await second).toEqual([])
  const audit = await auditEntries(harness.stores.audit, { subject: plan.batch.id, limit: 10 })
  expect(audit.map(({ action }) => action)).toEqual(['sweep.sign', 'sweep.plan'])
})

describe('plan_sweep', () => {
  const insert = (plan: SweepPlan, transfer: SweepTransfer) =>
    harness.stores.sweeps.insert({ ...plan, transfers: [transfer] }, credentialOf('ada'))

  test('refuses an address and index of another account', async () => {
    const [one, other] = [await newSweepAddress(harness.world), await newSweepAddress(harness.world)]
    const plan = sweepPlan(harness.world, [one])
    const mixed = sweepTransfer(harness.world, plan.batch, { ...one, account: other.account })
    await expect(insert(plan, mixed)).rejects.toThrow('is not the transfer of its address')
  })
})
