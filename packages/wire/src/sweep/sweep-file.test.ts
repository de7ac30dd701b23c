import { toDecimal } from '@quipu/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anySweepPlan } from './sweep.fixture.ts'
import { sweepFile, sweepFileToJson } from './sweep-file.ts'

const facts = { tokenContract: 'TR7', pathOf: (index: number) => `m/44'/195'/0'/0/${index}` }

test('the file for the signer has the unsigned transfers of a batch, with bytes, path and expiry', () => {
  fc.assert(
    fc.property(anySweepPlan, (plan) => {
      const json = sweepFileToJson(plan, facts)
      const { batch } = plan
      expect(sweepFile.parse(json)).toEqual(json)
      expect(json).toEqual({
        format: 'quipu-sweep-v1',
        batch_id: batch.id,
        treasury: batch.treasury.address,
        token_contract: 'TR7',
        expires_at: batch.expiresAt.toISOString(),
        transfers: plan.transfers
          .filter(({ status }) => status === 'planned')
          .map((each) => ({
            id: each.id,
            address: each.address,
            derivation_index: each.index,
            derivation_path: `m/44'/195'/0'/0/${each.index}`,
            amount: toDecimal(each.amount),
            tx_id: each.txHash,
            raw_data_hex: each.rawHex,
            expiration: each.expiresAt.getTime(),
            transaction: JSON.parse(each.transaction) as unknown,
          })),
      })
    }),
  )
})

test('the signer reads a file only if its transfers are a list, each with a whole transaction id', () => {
  const [plan] = fc.sample(anySweepPlan, { numRuns: 1, seed: 1 })
  if (!plan) throw new Error('no plan was drawn')
  const transfers = plan.transfers.map((each) => ({ ...each, status: 'planned' as const }))
  const json = sweepFileToJson({ ...plan, transfers }, facts)
  const reads = (changed: object): boolean => sweepFile.safeParse({ ...json, ...changed }).success
  expect(reads({})).toBe(true)
  for (const list of ['', {}, { length: 0 }, null, undefined]) expect(reads({ transfers: list })).toBe(false)
  expect(reads({ format: 'quipu-sweep-v2' })).toBe(false)
  for (const tx_id of ['5E'.repeat(32), `0${'5e'.repeat(32)}`, '5e'.repeat(33), '5e', 'x'.repeat(64)])
    expect(reads({ transfers: json.transfers.map((each) => ({ ...each, tx_id })) })).toBe(false)
})
