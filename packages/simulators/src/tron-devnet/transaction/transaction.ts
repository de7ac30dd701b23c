import type { Address } from '../account/address.ts'
import { sha256 } from '../account/digest.ts'
import { bytesOf, decodeMessage, encodeMessage, numberOf } from './protobuf.ts'
import type { Script } from './script.ts'

/** A call of a contract. Bytes are lower-case hex, TRX is in sun (a millionth). */
export type TriggerCall = {
  readonly type: 'TriggerSmartContract'
  readonly owner: Address
  readonly contract: Address
  readonly callValueSun: number
  readonly data: string
}

/** Only the genesis block transfers TRX. */
export type ContractCall =
  | TriggerCall
  | { readonly type: 'TransferContract'; readonly owner: Address; readonly to: Address; readonly amountSun: number }

/** The signed part of a transaction. Times are in ms. */
export type RawData = {
  readonly refBlockBytes: string
  readonly refBlockHash: string
  readonly expiration: number
  readonly timestamp: number
  readonly feeLimitSun: number
  readonly memo: string
  readonly permissionId: number
  readonly call: ContractCall
}

/** The id is the hash of the signed part, so another signature makes no other transaction. */
export type Transaction = {
  readonly txid: string
  readonly raw: RawData
  /** The signed bytes. A string, because small buffers would retain their shared slab. */
  readonly hex: string
  /** Empty for transactions of the devnet's controls, which need no key. */
  readonly signatures: readonly string[]
  /** Effect in place of the call. */
  readonly script: Script | null
}

const contractTypes = { TransferContract: 1, TriggerSmartContract: 31 } as const

export function transactionOf(
  raw: RawData,
  signatures: readonly string[] = [],
  script: Script | null = null,
): Transaction {
  return transactionFrom(encodeRaw(raw), raw, signatures, script)
}

const transactionFrom = (
  bytes: Uint8Array,
  raw: RawData,
  signatures: readonly string[],
  script: Script | null,
): Transaction => ({ txid: sha256(bytes).toString('hex'), raw, hex: hex(bytes), signatures, script })

/** Size on the chain in bytes, with signatures and result. */
export const sizeOf = ({ hex, signatures }: Transaction): number =>
  hex.length / 2 + 3 + Math.max(1, signatures.length) * 67 + 64

/** Decodes the signed part. @throws RangeError if the bytes are invalid */
export const decodeSigned = (
  bytes: Uint8Array,
  signatures: readonly string[],
  script: Script | null = null,
): Transaction => transactionFrom(bytes, decodeRaw(bytes), signatures, script)

const unhex = (text: string): Buffer => Buffer.from(text, 'hex')
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

function encodeRaw(raw: RawData): Buffer {
  const { call } = raw
  const parameter = encodeMessage([
    [1, Buffer.from(`type.googleapis.com/protocol.${call.type}`)],
    [2, encodeCall(call)],
  ])
  const contract = encodeMessage([
    [1, contractTypes[call.type]],
    [2, parameter],
    [5, raw.permissionId],
  ])
  return encodeMessage([
    [1, unhex(raw.refBlockBytes)],
    [4, unhex(raw.refBlockHash)],
    [8, raw.expiration],
    [10, unhex(raw.memo)],
    [11, contract],
    [14, raw.timestamp],
    [18, raw.feeLimitSun],
  ])
}

const encodeCall = (call: ContractCall): Buffer =>
  call.type === 'TransferContract'
    ? encodeMessage([
        [1, unhex(call.owner)],
        [2, unhex(call.to)],
        [3, call.amountSun],
      ])
    : encodeMessage([
        [1, unhex(call.owner)],
        [2, unhex(call.contract)],
        [3, call.callValueSun],
        [4, unhex(call.data)],
      ])

function decodeRaw(bytes: Uint8Array): RawData {
  const fields = decodeMessage(bytes)
  const contracts = fields.filter(([number]) => number === 11)
  if (contracts.length !== 1) throw new RangeError('A transaction holds one contract.')
  const contract = decodeMessage(bytesOf(fields, 11))
  return {
    refBlockBytes: hex(bytesOf(fields, 1)),
    refBlockHash: hex(bytesOf(fields, 4)),
    expiration: numberOf(fields, 8),
    timestamp: numberOf(fields, 14),
    feeLimitSun: numberOf(fields, 18),
    memo: hex(bytesOf(fields, 10)),
    permissionId: numberOf(contract, 5),
    call: decodeCall(numberOf(contract, 1), bytesOf(decodeMessage(bytesOf(contract, 2)), 2)),
  }
}

function decodeCall(type: number, bytes: Uint8Array): TriggerCall {
  if (type !== contractTypes.TriggerSmartContract) throw new RangeError(`The devnet has no contract type ${type}.`)
  const fields = decodeMessage(bytes)
  return {
    type: 'TriggerSmartContract',
    owner: hex(bytesOf(fields, 1)),
    contract: hex(bytesOf(fields, 2)),
    callValueSun: numberOf(fields, 3),
    data: hex(bytesOf(fields, 4)),
  }
}
