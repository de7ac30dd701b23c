import {
  firstOf,
  newSweepAddress,
  newSweepPlan,
  sweepPlan,
  type SweepWorld,
  useWorld,
  credentialOf,
} from '@quipu/contracts'
import { usdt } from '@quipu/core'
import type { SweepTransfer } from '@quipu/core/operator'
import { afterAll, describe, expect, test } from 'vitest'
import { reusedStores } from '../test/reused-stores.fixture.ts'
import { openStoreHarness } from '../test/stores.fixture.ts'

const { open, drop } = reusedStores()
afterAll(drop)

describe('plan_sweep refuses what is not the transfer of its address to the treasury', () => {
  const w: SweepWorld = useWorld(open, 'each')
  const withOther = async (over: (transfer: SweepTransfer) => Partial<SweepTransfer>) => {
    const plan = sweepPlan(w, [await newSweepAddress(w)])
    const transfer = firstOf(plan)
    return w.sweeps.insert({ ...plan, transfers: [{ ...transfer, ...over(transfer) }] }, credentialOf('ada'))
  }
  const swapped = (transfer: SweepTransfer, from: string, to: string) => {
    const rawHex = transfer.rawHex.replace(from, to)
    const transaction = transfer.transaction.replace(transfer.rawHex, rawHex)
    return { rawHex, transaction }
  }

  test.each<[string, (transfer: SweepTransfer) => Partial<SweepTransfer>]>([
    ['another amount than its bytes', () => ({ amount: usdt(24_999_999n) })],
    ['another recipient', (t) => swapped(t, 'a9059cbb'.padEnd(32, '0'), 'a9059cbb'.padEnd(32, '1'))],
    ['another sender', (t) => swapped(t, `41${t.account}`, `41${'c'.repeat(40)}`)],
    ['another index', ({ index }) => ({ index: index + 1 })],
    ['another address', () => ({ address: `T${'d'.repeat(40)}` })],
    ['a transaction of other bytes', (t) => ({ transaction: t.transaction.replace(t.rawHex, '00') })],
  ])('%s', async (_, over) => {
    await expect(withOther(over)).rejects.toThrow('is not the transfer of its address')
  })

  test('an id that is not the digest of its bytes', async () => {
    const change = withOther(() => ({ txHash: 'ab'.repeat(32) }))
    await expect(change).rejects.toThrow('sweep_transfer_hash')
  })
})

describe('the tables refuse, of the owner too', () => {
  test.each([
    ['other bytes', `raw = '\\x00'`, 'can change only in'],
    ['another amount', 'amount = 1', 'can change only in'],
    ['another recipient of a batch', '', 'append-only'],
    ['another signature', `signature = decode(repeat('cd', 65), 'hex')`, 'signature_is_final'],
    ['a way back to planned', `status = 'planned', signature = null`, 'signature_is_final'],
    ['an end without an instant', `status = 'solid', due_at = null`, 'sweep_transfer_of_its_status'],
  ])('%s', async (_, change, error) => {
    const harness = await openStoreHarness()
    try {
      const { batch, transfers } = await newSweepPlan({ ...harness.stores, ...harness, advance: async () => undefined })
      const signatures = transfers.map(({ id }) => ({ transferId: id, signature: 'ab'.repeat(65) }))
      await harness.stores.sweeps.sign(batch.id, signatures, { ...credentialOf('ana'), at: new Date() })
      const sql = change
        ? `update quipu.sweep_transfer set ${change}`
        : `update quipu.sweep_batch set treasury_account = 'x'`
      await expect(harness.sql(sql)).rejects.toThrow(error)
    } finally {
      await harness.close()
    }
  })
})
