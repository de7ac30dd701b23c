import { toDecimal } from '@quipu/core'
import type { SweepPlan, SweepTransfer } from '@quipu/core/operator'
import { z } from 'zod'
import { idText, time } from '../json/answer.ts'
import { instantToJson } from '../json/instant.ts'
import { usdtAmount } from '../json/money.ts'

const unsignedTransfer = z
  .object({
    id: idText('swp'),
    address: z.string(),
    derivation_index: z.int(),
    derivation_path: z.string().meta({ examples: ["m/44'/195'/0'/0/7"] }),
    amount: usdtAmount,
    tx_id: z.string().regex(/^[0-9a-f]{64}$/),
    raw_data_hex: z.string().meta({ description: 'The bytes whose SHA-256, `tx_id`, is signed.' }),
    expiration: z.int().meta({ description: 'Milliseconds since 1970.' }),
    transaction: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The same bytes decoded, as Tron’s tools read them.' }),
  })
  .meta({ id: 'UnsignedSweep' })

/** The file for the offline signer. */
export const sweepFile = z
  .object({
    format: z.literal('quipu-sweep-v1'),
    batch_id: idText('swb'),
    treasury: z
      .string()
      .meta({ description: 'The signer compares it with its own copy, and signs nothing if they differ.' }),
    token_contract: z.string(),
    expires_at: time,
    transfers: z.array(unsignedTransfer),
  })
  .meta({ id: 'SweepFile' })
export type SweepFileJson = z.output<typeof sweepFile>

/** The facts of the file beside the batch. */
export type SweepFileFacts = {
  readonly tokenContract: string
  /** The derivation path of an index. */
  readonly pathOf: (index: number) => string
}

/** The file of a batch: the transfers that are not signed. */
export const sweepFileToJson = ({ batch, transfers }: SweepPlan, facts: SweepFileFacts): SweepFileJson => ({
  format: 'quipu-sweep-v1',
  batch_id: batch.id,
  treasury: batch.treasury.address,
  token_contract: facts.tokenContract,
  expires_at: instantToJson(batch.expiresAt),
  transfers: transfers.filter(({ status }) => status === 'planned').map((transfer) => transferToJson(transfer, facts)),
})

const transferToJson = (transfer: SweepTransfer, { pathOf }: SweepFileFacts): z.output<typeof unsignedTransfer> => ({
  id: transfer.id,
  address: transfer.address,
  derivation_index: transfer.index,
  derivation_path: pathOf(transfer.index),
  amount: toDecimal(transfer.amount),
  tx_id: transfer.txHash,
  raw_data_hex: transfer.rawHex,
  expiration: transfer.expiresAt.getTime(),
  transaction: JSON.parse(transfer.transaction) as Record<string, unknown>,
})
