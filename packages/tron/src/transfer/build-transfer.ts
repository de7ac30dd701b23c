import type { TransferOrder } from '@quipu/core/adapter'
import type { TronWeb, Types } from 'tronweb'
import { toHexAddress } from '../address/address.ts'

export type UnsignedTransfer = Types.Transaction<Types.TriggerSmartContract>

let offline: Promise<TronWeb> | undefined

/** Loaded on first use, because tronweb takes 300 ms to load. */
const tronweb = (): Promise<TronWeb> =>
  (offline ??= import('tronweb').then(
    ({ TronWeb }) => new TronWeb({ fullHost: 'http://offline.invalid' }),
  ))

/**
 * Builds a TRC-20 transfer without requests. Reference block, time and expiration come from the order,
 * because a node would give equal transfers in one block the same id.
 *
 * @param contract  `41…`, as is `from`
 */
export async function buildTransfer(
  contract: string,
  from: string,
  { to, amount, feeLimit, reference, at, expiresAt }: TransferOrder,
): Promise<UnsignedTransfer> {
  const { transactionBuilder } = await tronweb()
  const blockHeader = {
    ref_block_bytes: reference.number.toString(16).padStart(4, '0').slice(-4),
    ref_block_hash: reference.id.slice(16, 32),
    expiration: expiresAt.getTime(),
    timestamp: at.getTime(),
  }
  const { transaction } = await transactionBuilder.triggerSmartContract(
    contract,
    'transfer(address,uint256)',
    { txLocal: true, blockHeader, feeLimit: Number(feeLimit) },
    [
      { type: 'address', value: toHexAddress(to) },
      { type: 'uint256', value: amount.minor.toString() },
    ],
    from,
  )
  return transaction
}
