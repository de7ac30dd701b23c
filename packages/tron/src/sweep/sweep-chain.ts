import { hash } from 'node:crypto'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import type { ChainAccount, SignedTransfer } from '@quipu/core/adapter'
import type { SweepChain, UnsignedTransfer } from '@quipu/core/operator'
import { accountOf, readAddress, toHexAddress } from '../address/address.ts'
import { tronBalanceReader, type TronBalanceReaderOptions } from '../block/balance-reader.ts'
import { buildTransfer } from '../transfer/build-transfer.ts'
import { feeLimitMaxDefault, transferCost } from '../transfer/fee-limit.ts'

/** The node, the token contract and the bounds of a sweep; fees are in sun. */
export type TronSweepChainOptions = TronBalanceReaderOptions & {
  /** Maximum fee limit of a transfer, in sun; 100 TRX by default. */
  readonly feeLimitMax?: bigint
}

/** The chain of sweeps: balances, costs, and transfers without a key. */
export function tronSweepChain(options: TronSweepChainOptions): SweepChain {
  const { node, tokenContract, feeLimitMax = feeLimitMaxDefault } = options
  const token = readAddress(tokenContract)
  return {
    ...tronBalanceReader(options),
    cost: async (from, to, { minor }) => {
      const cost = await transferCost(node, { token, from, to, minor, feeLimitMax })
      return cost.type === 'moves' ? cost.quote : undefined
    },
    build: async (from, order) => {
      const built = buildTransfer(toHexAddress(token), toHexAddress(from), order)
      const rawHex = built.raw_data_hex
      const { expiresAt } = order
      const txHash = digestOf(rawHex).toString('hex')
      return { txHash, rawHex, transaction: JSON.stringify(built), expiresAt }
    },
    join: joinSignature,
  }
}

const digestOf = (rawHex: string): Buffer => hash('sha256', Buffer.from(rawHex, 'hex'), 'buffer')

/** The transfer as nodes read it; undefined when the signature is not that of the account's key. */
function joinSignature(
  { txHash, rawHex, transaction, expiresAt }: UnsignedTransfer,
  account: ChainAccount,
  signature: string,
): SignedTransfer | undefined {
  const digest = digestOf(rawHex)
  const [, rs = '', last = ''] = /^([0-9a-f]{128})(00|01|1b|1c)$/.exec(signature) ?? []
  if (rs === '' || digest.toString('hex') !== txHash) return undefined
  const recovery = parseInt(last, 16) % 27
  if (signerOf(digest, rs, recovery) !== account) return undefined
  const unsigned = JSON.parse(transaction) as object
  const signed = { ...unsigned, signature: [rs + (27 + recovery).toString(16)] }
  return { txHash, expiresAt, bytes: Buffer.from(JSON.stringify(signed)) }
}

/** Undefined when no key makes this signature. */
function signerOf(digest: Uint8Array, rs: string, recovery: number): ChainAccount | undefined {
  try {
    const signature = secp256k1.Signature.fromBytes(Buffer.from(rs, 'hex'), 'compact')
    const key = signature.addRecoveryBit(recovery).recoverPublicKey(digest)
    return accountOf(key.toBytes(false))
  } catch {
    return undefined
  }
}
