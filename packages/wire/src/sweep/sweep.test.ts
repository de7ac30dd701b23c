import { type Usdt, usdt } from '@quipu/core'
import { type SweepPlan, sweepTotals } from '@quipu/core/operator'
import { anyMinor } from '@quipu/contracts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anySweepAddress, anySweepPlan } from './sweep.fixture.ts'
import {
  parseSignedSweeps,
  parseSweepRequest,
  plannedSweep,
  plannedSweepToJson,
  sweepAddressPage,
  sweepAddressToJson,
  sweepBatch,
  sweepBatchPage,
  sweepBatchSummaryToJson,
  sweepBatchToJson,
  sweepImport,
  sweepImportToJson,
} from './sweep.ts'

/** The text of an amount with six fraction digits. */
const text = (minor: bigint): string => `${minor / 1_000_000n}.${(minor % 1_000_000n).toString().padStart(6, '0')}`
const ofUsdt = ({ minor }: Usdt): string => text(minor)

function refusal(read: (body: unknown) => ReturnType<typeof parseSweepRequest>, body: unknown) {
  const parsed = read(body)
  return parsed.ok ? [] : parsed.issues.map(({ field, message }) => `${field} ${message}`)
}

test('a plan has a threshold above zero, and 1 to 200 transfers, 100 unless it says another number', () => {
  const threshold = usdt(10_500_000n)
  expect(parseSweepRequest({ threshold: '10.5' })).toEqual({ ok: true, value: { threshold, limit: 100 } })
  for (const limit of [1, 200])
    expect(parseSweepRequest({ threshold: '10.5', limit })).toEqual({ ok: true, value: { threshold, limit } })
  for (const limit of [0, 201, 1.5, '100'])
    expect(refusal(parseSweepRequest, { threshold: '10.5', limit })).toEqual([
      'limit must be a whole number from 1 to 200',
    ])
  for (const refused of ['0', '-1', 10, undefined])
    expect(refusal(parseSweepRequest, { threshold: refused })).toHaveLength(1)
  expect(refusal(parseSweepRequest, { threshold: '1', treasury: 'T' })).toEqual([
    'treasury is not allowed here; allowed are threshold, limit, addresses',
  ])
  const addresses = ['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8']
  expect(parseSweepRequest({ threshold: '10.5', addresses })).toEqual({
    ok: true,
    value: { threshold, limit: 100, addresses },
  })
  expect(refusal(parseSweepRequest, { threshold: '1', addresses: [] })).toHaveLength(1)
})

test('an address shows its solid balance, and what the deposits say that it should be', () => {
  fc.assert(
    fc.property(anySweepAddress, anyMinor, (address, balance) => {
      const json = sweepAddressToJson(address, balance)
      const page = { data: [json], next_cursor: null }
      expect(sweepAddressPage.parse(page)).toEqual(page)
      expect(json).toEqual({
        address: address.address,
        derivation_index: address.index,
        tenant_id: address.tenantId,
        balance: text(balance),
        expected: text(address.received.minor - address.swept.minor),
        has_open_review: address.hasOpenReview,
        live_transfer_id: address.liveTransferId,
        created_at: address.createdAt.toISOString(),
      })
    }),
  )
})

test('of an address whose sweeps took more than its deposits brought, nothing is expected', () => {
  fc.assert(
    fc.property(anySweepAddress, ({ received, swept, ...address }) => {
      const over = { ...address, received: swept, swept: usdt(received.minor + 1n) }
      expect(sweepAddressToJson(over, 0n).expected).toBe('0.000000')
    }),
  )
})

test('a batch shows its transfers, and the sums of tokens and TRX', () => {
  fc.assert(
    fc.property(anySweepPlan, (plan) => {
      const json = sweepBatchToJson(plan)
      expect(sweepBatch.parse(json)).toEqual(json)
      const sums = sweepTotals(plan.transfers)
      expect(json).toEqual({
        ...membersOf(plan),
        amount: text(sums.amount),
        trx_needed: text(sums.trxNeeded),
        trx_missing: text(sums.trxMissing),
        transfers: plan.transfers.map((each) => ({
          id: each.id,
          address: each.address,
          derivation_index: each.index,
          amount: ofUsdt(each.amount),
          tx_id: each.txHash,
          status: each.status,
          problem: each.problem,
          energy: Number(each.energy),
          fee_limit_trx: text(each.feeLimit),
          trx_needed: text(each.trxNeeded),
          trx_missing: text(each.trxMissing),
          sent_at: each.sentAt?.toISOString() ?? null,
          ended_at: each.endedAt?.toISOString() ?? null,
        })),
      })
    }),
  )
})

const membersOf = ({ batch }: Pick<SweepPlan, 'batch'>) => ({
  id: batch.id,
  treasury: batch.treasury.address,
  threshold: ofUsdt(batch.threshold),
  created_by: batch.createdBy,
  created_at: batch.createdAt.toISOString(),
  expires_at: batch.expiresAt.toISOString(),
})

test('the answer of a plan has the batch, and the address and reason of each that was left out', () => {
  fc.assert(
    fc.property(anySweepPlan, (plan) => {
      const skipped = [{ address: 'T1', reason: 'TRANSFER_REVERTS' as const }]
      const json = plannedSweepToJson(plan, skipped)
      expect(plannedSweep.parse(json)).toEqual(json)
      expect(json).toEqual({ batch: sweepBatchToJson(plan), skipped })
    }),
  )
})

test('a batch in the list counts its transfers by state', () => {
  const counts = { planned: 1, signed: 2, solid: 3, failed: 4, expired: 5 }
  fc.assert(
    fc.property(anySweepPlan, ({ batch }) => {
      const json = sweepBatchSummaryToJson({ batch, counts })
      const page = { data: [json], next_cursor: null }
      expect(sweepBatchPage.parse(page)).toEqual(page)
      expect(json).toEqual({ ...membersOf({ batch }), transfers: counts })
    }),
  )
})

test.each([
  ['tx_id', '5e'.repeat(32), [`0${'5e'.repeat(32)}`, '5E'.repeat(32), '5e'.repeat(31)]],
  ['trx_needed', '16.937050', ['x16.937050', '16.9370501', '016.937050', '16.93705', '.937050']],
  ['trx_needed', '0.000000', ['00.000000', '0.abcdef', '0']],
  ['trx_needed', '120.000000', ['1x0.000000', '1.20.000000']],
])('the %s of a transfer may be %s', (member, value, others) => {
  const [plan] = fc.sample(anySweepPlan, { numRuns: 1, seed: 1 })
  if (!plan) throw new Error('no plan was drawn')
  const json = sweepBatchToJson(plan)
  const accepts = (text_: string) => {
    const transfers = json.transfers.map((each) => ({ ...each, [member]: text_ }))
    return sweepBatch.safeParse({ ...json, transfers }).success
  }
  expect(accepts(value)).toBe(true)
  expect(others.filter(accepts)).toEqual([])
})

const id = 'swp_01K6HZ8M00000000000000000A'
const signature = `${'ab'.repeat(64)}1b`
const signed = { id, tx_id: '5e'.repeat(32), signature }

test('an import has the id, the transaction and the signature of one transfer or more', () => {
  expect(parseSignedSweeps({ transfers: [signed, signed] })).toEqual({
    ok: true,
    value: [
      { id, txHash: signed.tx_id, signature },
      { id, txHash: signed.tx_id, signature },
    ],
  })
})

test.each([
  [{}, 'transfers is required and must be a list of at least one transfer'],
  ...[[], {}, { length: 1 }, 'swp', null].map((transfers): [object, string] => [
    { transfers },
    'transfers must be a list of at least one transfer',
  ]),
  [{ transfers: [signed, 1] }, 'transfers.1 must be a JSON object'],
  [{ transfers: [{ ...signed, id: 'swb_1' }] }, 'transfers.0.id must be an id that begins with swp_'],
  ...['5E'.repeat(32), `0${signed.tx_id}`, `${signed.tx_id}0`, 'x'.repeat(64), '5e'].map((tx_id): [object, string] => [
    { transfers: [{ ...signed, tx_id }] },
    'transfers.0.tx_id must be a transaction id: 64 lowercase hexadecimal digits',
  ]),
  ...['AB'.repeat(65), `0${signature}`, `${signature}0`, 'x'.repeat(130), 'ab'].map((text_): [object, string] => [
    { transfers: [{ ...signed, signature: text_ }] },
    'transfers.0.signature must be 65 bytes as lowercase hexadecimal digits',
  ]),
])('an import of %j is refused: %s', (body, issue) => {
  const parsed = parseSignedSweeps(body)
  const issues = parsed.ok ? [] : parsed.issues.map(({ field, message }) => `${field} ${message}`)
  expect(issues).toEqual([issue])
})

test('the answer of an import has the result of each transfer', () => {
  const results = [
    { id, result: 'signed' },
    { id, result: 'already_signed' },
  ] as const
  const json = sweepImportToJson(results)
  expect(json).toEqual({ transfers: results })
  expect(sweepImport.parse(json)).toEqual(json)
})
