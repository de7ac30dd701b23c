import { toDecimal, type Usdt, usdt } from '@quipu/core'
import {
  type SignedSweep,
  skipReasons,
  type SkippedAddress,
  type SweepAddress,
  type SweepBatchCounts,
  sweepImportResults,
  type SweepImportResult,
  type SweepPlan,
  sweepProblems,
  type SweepRequest,
  sweepStatuses,
  sweepTotals,
  type SweepTransfer,
} from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { integer, matching, members, ruleMessage, text } from '../json/fields.ts'
import { id } from '../json/identifier.ts'
import { rowToJson } from '../json/row-to-json.ts'
import { positiveUsdt, readUsdt, usdtAmount } from '../json/money.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import { pageOf } from '../list/list.ts'

/** How many transfers a batch has at most: the signatures of all of them fit into one request. */
export const sweepTransfersMax = 200

export const sweepRequest = members({
  threshold: positiveUsdt.meta({
    description: 'Addresses with a lower solid balance are left alone.',
    examples: ['10.00'],
  }),
  limit: integer(1, sweepTransfersMax).default(100).meta({ description: 'How many transfers to plan at most.' }),
  addresses: z
    .array(text(1, 64))
    .min(1)
    .max(sweepTransfersMax)
    .meta({
      description: 'Only these top-up addresses, those with open reviews too. Without it, all that have none.',
      examples: [['TJRabPrwbZy45sbavfcjinPJC18kjpRTv8']],
    })
    .optional(),
}).meta({ id: 'SweepRequest' })

/** Reads the body of `POST /operator/v1/sweep/batches`. */
export const parseSweepRequest = (body: unknown): Parsed<SweepRequest> =>
  mapParsed(parse(sweepRequest, body), ({ threshold, limit, addresses }) => ({
    threshold: readUsdt(threshold),
    limit,
    ...(addresses && { addresses }),
  }))

const txId = z.string().regex(/^[0-9a-f]{64}$/)
/** TRX in an answer, six fraction digits. */
const trxAmount = z
  .string()
  .regex(/^(?:0|[1-9][0-9]*)\.[0-9]{6}$/)
  .meta({ examples: ['16.937050'] })
/** A TRX has a million sun, as a USDT a million micro-USDT. */
const trxToJson = (sun: bigint): string => toDecimal(usdt(sun))

export const sweepAddress = z
  .object({
    address: z.string(),
    derivation_index: z.int(),
    tenant_id: idText('ten'),
    balance: usdtAmount.meta({ description: 'At the newest solid block.' }),
    expected: usdtAmount.meta({
      description:
        'Confirmed deposits less solid sweeps and deposits that were sent back. It differs while a sweep is live.',
    }),
    has_open_review: z
      .boolean()
      .meta({ description: 'A deposit at it is in review; a plan leaves it out unless it names it.' }),
    live_transfer_id: z
      .string()
      .nullable()
      .meta({ description: 'A sweep that has not ended; the address gets no other one.' }),
    created_at: time,
  })
  .meta({ id: 'SweepAddress' })
export type SweepAddressJson = z.output<typeof sweepAddress>
export const sweepAddressPage = pageOf(sweepAddress, 'SweepAddressPage')

/** @param balance  in micro-USDT */
export const sweepAddressToJson = (address: SweepAddress, balance: bigint): SweepAddressJson =>
  rowToJson(sweepAddress, address, {
    derivation_index: address.index,
    balance: toDecimal(usdt(balance)),
    expected: toDecimal(expectedOf(address)),
  })

const expectedOf = ({ received, swept }: SweepAddress): Usdt => {
  const left = received.minor - swept.minor
  return usdt(left > 0n ? left : 0n)
}

const sweepTransfer = z
  .object({
    id: idText('swp'),
    address: z.string(),
    derivation_index: z.int(),
    amount: usdtAmount,
    tx_id: txId,
    status: z.enum(sweepStatuses),
    problem: z
      .enum(sweepProblems)
      .nullable()
      .meta({ description: 'Why the last attempt did not send it; workers continue until it expires.' }),
    energy: z.int(),
    fee_limit_trx: trxAmount,
    trx_needed: trxAmount.meta({ description: 'What the address pays at most.' }),
    trx_missing: trxAmount.meta({ description: 'What it lacked when it was planned.' }),
    sent_at: time.nullable(),
    ended_at: time.nullable(),
  })
  .meta({ id: 'SweepTransfer' })

const transferToJson = (transfer: SweepTransfer): z.output<typeof sweepTransfer> =>
  rowToJson(sweepTransfer, transfer, {
    derivation_index: transfer.index,
    tx_id: transfer.txHash,
    energy: Number(transfer.energy),
    fee_limit_trx: trxToJson(transfer.feeLimit),
    trx_needed: trxToJson(transfer.trxNeeded),
    trx_missing: trxToJson(transfer.trxMissing),
  })

const batchMembers = {
  id: idText('swb'),
  treasury: z.string(),
  threshold: usdtAmount,
  created_by: z.string().meta({ description: 'The name of the operator’s token.' }),
  created_at: time,
  expires_at: time.meta({ description: 'From then on its transfers cannot enter a block.' }),
}

const batchToJson = ({ batch }: Pick<SweepPlan, 'batch'>) =>
  rowToJson(z.object(batchMembers), batch, { treasury: batch.treasury.address })

/** A batch with its transfers. */
export const sweepBatch = z
  .object({
    ...batchMembers,
    amount: usdtAmount,
    trx_needed: trxAmount,
    trx_missing: trxAmount.meta({
      description: 'The sum of what the addresses lacked; send it to them, or delegate energy.',
    }),
    transfers: z.array(sweepTransfer),
  })
  .meta({ id: 'SweepBatch' })
export type SweepBatchJson = z.output<typeof sweepBatch>

export function sweepBatchToJson(plan: SweepPlan): SweepBatchJson {
  const { amount, trxNeeded, trxMissing } = sweepTotals(plan.transfers)
  return {
    ...batchToJson(plan),
    amount: toDecimal(usdt(amount)),
    trx_needed: trxToJson(trxNeeded),
    trx_missing: trxToJson(trxMissing),
    transfers: plan.transfers.map(transferToJson),
  }
}

/** The answer of a plan. */
export const plannedSweep = z
  .object({ batch: sweepBatch, skipped: z.array(z.object({ address: z.string(), reason: z.enum(skipReasons) })) })
  .meta({ id: 'PlannedSweep' })
export type PlannedSweepJson = z.output<typeof plannedSweep>

export const plannedSweepToJson = (plan: SweepPlan, skipped: readonly SkippedAddress[]): PlannedSweepJson => ({
  batch: sweepBatchToJson(plan),
  skipped: skipped.map(({ address, reason }) => ({ address, reason })),
})

const counts = z.object({ planned: z.int(), signed: z.int(), solid: z.int(), failed: z.int(), expired: z.int() })
export const sweepBatchSummary = z.object({ ...batchMembers, transfers: counts }).meta({ id: 'SweepBatchSummary' })
export type SweepBatchSummaryJson = z.output<typeof sweepBatchSummary>
export const sweepBatchPage = pageOf(sweepBatchSummary, 'SweepBatchPage')

export const sweepBatchSummaryToJson = (summary: SweepBatchCounts): SweepBatchSummaryJson => ({
  ...batchToJson(summary),
  transfers: { ...summary.counts },
})

const signedSweep = members({
  id: id('swp'),
  tx_id: matching(/^[0-9a-f]{64}$/, 'must be a transaction id: 64 lowercase hexadecimal digits'),
  signature: matching(/^[0-9a-f]{130}$/, 'must be 65 bytes as lowercase hexadecimal digits'),
})

const transfersRule = ruleMessage('must be a list of at least one transfer')

export const signedSweeps = members({ transfers: z.array(signedSweep, { error: transfersRule }).min(1) }).meta({
  id: 'ImportSweepRequest',
})

/** Reads the body of `POST /operator/v1/sweep/batches/{id}/signed`. */
export const parseSignedSweeps = (body: unknown): Parsed<readonly SignedSweep[]> =>
  mapParsed(parse(signedSweeps, body), ({ transfers }) =>
    transfers.map((each) => ({ id: each.id, txHash: each.tx_id, signature: each.signature })),
  )

/** The answer of an import. */
export const sweepImport = z
  .object({ transfers: z.array(z.object({ id: idText('swp'), result: z.enum(sweepImportResults) })) })
  .meta({ id: 'SweepImport' })
export type SweepImportJson = z.output<typeof sweepImport>

export const sweepImportToJson = (
  results: readonly { readonly id: string; readonly result: SweepImportResult }[],
): SweepImportJson => ({ transfers: results.map((each) => ({ ...each })) })
