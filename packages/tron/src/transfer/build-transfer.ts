import { hash } from 'node:crypto'
import type { TransferOrder } from '@quipu/core/adapter'
import { toHexAddress } from '../address/address.ts'
import { message } from './protobuf.ts'
import { accountWord, numberWord } from '../token/token-calls.ts'

/** A transaction as nodes read it in JSON. */
export type UnsignedTransfer = {
  readonly visible: false
  readonly txID: string
  /** The bytes to sign. */
  readonly raw_data_hex: string
  readonly raw_data: object
}

const selector = 'a9059cbb' // The first four bytes of keccak256('transfer(address,uint256)').
const typeUrl = 'type.googleapis.com/protocol.TriggerSmartContract'
const triggerSmartContract = 31

/**
 * Builds a TRC-20 transfer without requests. Reference block, time and expiration come from the order,
 * because a node would give equal transfers in one block the same id.
 *
 * @param contract  `41…`, as is `from`
 * @source the messages `Transaction.raw` and `TriggerSmartContract` of Tron's protocol; tronweb builds the same bytes
 */
export function buildTransfer(
  contract: string,
  from: string,
  { to, amount, feeLimit, reference, at, expiresAt }: TransferOrder,
): UnsignedTransfer {
  // A node's JSON has numbers.
  if (feeLimit < 1n || feeLimit > BigInt(Number.MAX_SAFE_INTEGER))
    throw new RangeError(`a fee limit of ${feeLimit} sun cannot be sent`)
  if (amount.minor < 0n) throw new RangeError('an amount below zero cannot be sent')
  const data = selector + accountWord(toHexAddress(to).slice(2)) + numberWord(amount.minor)
  const refBlockBytes = reference.number.toString(16).padStart(4, '0').slice(-4)
  const refBlockHash = reference.id.slice(16, 32)
  const [timestamp, expiration] = [at.getTime(), expiresAt.getTime()]
  const call = { data, owner_address: from, contract_address: contract }
  const value = message([1, fromHex(from)], [2, fromHex(contract)], [4, fromHex(data)])
  const parameter = message([1, Buffer.from(typeUrl)], [2, value])
  const raw = message(
    [1, fromHex(refBlockBytes)],
    [4, fromHex(refBlockHash)],
    [8, BigInt(expiration)],
    [11, message([1, BigInt(triggerSmartContract)], [2, parameter])],
    [14, BigInt(timestamp)],
    [18, feeLimit],
  )
  return {
    visible: false,
    txID: hash('sha256', raw),
    raw_data_hex: raw.toString('hex'),
    raw_data: {
      contract: [{ parameter: { value: call, type_url: typeUrl }, type: 'TriggerSmartContract' }],
      ref_block_bytes: refBlockBytes,
      ref_block_hash: refBlockHash,
      expiration,
      timestamp,
      fee_limit: Number(feeLimit),
    },
  }
}

const fromHex = (hex: string): Buffer => Buffer.from(hex, 'hex')
