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
import type { SweepPlan } from '@quipu/core/operator'
import { beforeAll, expect, test } from 'vitest'
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

test('an address and index of another account are not planned', async () => {
  const [one, other] = [await newSweepAddress(harness.world), await newSweepAddress(harness.world)]
  const plan = sweepPlan(harness.world, [one])
  const mixed = sweepTransfer(harness.world, plan.batch, { ...one, account: other.account })
  const insert = harness.stores.sweeps.insert({ ...plan, transfers: [mixed] }, credentialOf('ada'))
  await expect(insert).rejects.toThrow('is not the transfer of its address')
})
