import { z } from 'zod'
import { parseAddress, type Address } from '../account/address.ts'
import { transactionOf, type RawData, type Transaction } from '../transaction/transaction.ts'

/** The request is invalid; the node answers 200 with `{"Error"}`. */
export class InvalidRequest extends Error {
  override readonly name = 'Unreadable'
}

/** @throws InvalidRequest if the address is not `41…` in hex */
export function readAddress(text: string): Address {
  const address = text.startsWith('T') ? null : parseAddress(text)
  if (address === null) throw new InvalidRequest(`INVALID address, ${text}`)
  return address
}

/** Omits zeros, empty bytes and undefined members, as proto3 does. */
export function sparse<T extends Record<string, unknown>>(value: T): Partial<T> {
  const kept = Object.entries(value).filter(
    ([, field]) => field !== 0 && field !== '' && field !== undefined && field !== false,
  )
  return Object.fromEntries(kept) as Partial<T>
}

export function rawJson(raw: RawData): unknown {
  const { call } = raw
  const value =
    call.type === 'TransferContract'
      ? sparse({ amount: call.amountSun, owner_address: call.owner, to_address: call.to })
      : sparse({
          data: call.data,
          owner_address: call.owner,
          contract_address: call.contract,
          call_value: call.callValueSun,
        })
  return sparse({
    data: raw.memo,
    contract: [
      sparse({
        parameter: { value, type_url: `type.googleapis.com/protocol.${call.type}` },
        type: call.type,
        Permission_id: raw.permissionId,
      }),
    ],
    ref_block_bytes: raw.refBlockBytes,
    ref_block_hash: raw.refBlockHash,
    expiration: raw.expiration,
    fee_limit: raw.feeLimitSun,
    timestamp: raw.timestamp,
  })
}

/** The signature of unsigned transactions; no address recovers from it. */
const noSignature = '00'.repeat(65)

/** A transaction as in blocks. */
export const signedJson = (tx: Transaction): Record<string, unknown> => ({
  signature: tx.signatures.length > 0 ? tx.signatures : [noSignature],
  ...unsignedJson(tx),
})

/** A transaction as built by a node. */
export const unsignedJson = (tx: Transaction): Record<string, unknown> => ({
  txID: tx.txid,
  raw_data: rawJson(tx.raw),
  raw_data_hex: tx.hex,
})

const Hex = z
  .string()
  .regex(/^([0-9a-fA-F]{2})*$/)
  .transform((text) => text.toLowerCase())
const Int = z.int().min(0)

const TriggerValue = z.object({
  owner_address: z.string(),
  contract_address: z.string(),
  data: Hex.default(''),
  call_value: Int.default(0),
})
const Contract = z.object({
  type: z.literal('TriggerSmartContract'),
  Permission_id: Int.default(0),
  parameter: z.object({ value: TriggerValue }),
})
const SignedJson = z.object({
  signature: z.array(Hex).default([]),
  raw_data: z.object({
    contract: z.tuple([Contract]),
    ref_block_bytes: Hex.default(''),
    ref_block_hash: Hex.default(''),
    expiration: Int.default(0),
    timestamp: Int.default(0),
    fee_limit: Int.default(0),
    data: Hex.default(''),
  }),
})

/**
 * Parses the transaction of `broadcasttransaction`. Its id is computed from `raw_data`, because nodes
 * ignore `txID` and `raw_data_hex`.
 *
 * @throws InvalidRequest, ZodError
 */
export function readSigned(body: unknown): Transaction {
  const { signature, raw_data } = SignedJson.parse(body)
  const [{ type, Permission_id, parameter }] = raw_data.contract
  const { owner_address, contract_address, data, call_value } = parameter.value
  return transactionOf(
    {
      refBlockBytes: raw_data.ref_block_bytes,
      refBlockHash: raw_data.ref_block_hash,
      expiration: raw_data.expiration,
      timestamp: raw_data.timestamp,
      feeLimitSun: raw_data.fee_limit,
      memo: raw_data.data,
      permissionId: Permission_id,
      call: {
        type,
        owner: readAddress(owner_address),
        contract: readAddress(contract_address),
        callValueSun: call_value,
        data,
      },
    },
    signature,
  )
}
