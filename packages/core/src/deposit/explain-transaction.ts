import type { TopUpAddressStore } from '../top-up-address/ports.ts'
import type { ChainAccount, ChainReader } from '../chain/chain.ts'
import type { Deposit } from './deposit.ts'
import type { DepositStore, ScanStore } from './ports.ts'
import { solidBlockOf, unsolidBlockOf } from './solid-block.ts'

/** The ports of `explainTransaction`. */
export type ExplainTransactionPorts = {
  /** Left out: no chain is configured. */
  readonly reader?: Pick<ChainReader, 'chain' | 'block' | 'blockOf' | 'head'> | undefined
  readonly addresses: Pick<TopUpAddressStore, 'match'>
  readonly deposits: Pick<DepositStore, 'listAll'>
  readonly scans: Pick<ScanStore, 'at'>
}

/** The outcomes of a transfer to a top-up address, in this order of precedence. */
export const explainedOutcomes = ['deposit', 'unknown_token', 'zero_value', 'not_scanned', 'not_recorded'] as const
/** `not_recorded`: a scanned block has it, and there is no deposit. */
export type ExplainedOutcome = (typeof explainedOutcomes)[number]

/** A transfer to a top-up address. */
export type ExplainedTransfer = {
  readonly tenantId: string
  readonly address: string
  /** Since when the address is retired; null for the tenant's current one. */
  readonly retiredAt: Date | null
  /** In the token's smallest unit; null for another token. */
  readonly value: bigint | null
  /** The contract of another token, in the format of the chain's logs; null for the configured one. */
  readonly contract: ChainAccount | null
  readonly depositId: string | null
  readonly outcome: ExplainedOutcome
}

/** A transaction, as chain and database have it. */
export type ExplainedTransaction = {
  readonly txHash: string
  /** `not_yet_solid`: a newer block has it, which a fork may revert. `unknown`: no block of the node has it. */
  readonly state: 'solid' | 'not_yet_solid' | 'unknown' | 'no_chain'
  readonly block: number | null
  /** The first ones; the others have the same outcomes. */
  readonly transfers: readonly ExplainedTransfer[]
  /** Transfers to addresses that are no top-up addresses. With none and no `transfers` it moved no tokens. */
  readonly otherTransfers: number
  /** Its deposits, also those that solid blocks do not confirm. */
  readonly deposits: readonly Deposit[]
}

/**
 * Explains why a transaction made deposits, or none.
 *
 * @param txHash  64 lowercase hex digits
 * @throws Unavailable when node or store do not answer
 */
export type ExplainTransaction = (txHash: string) => Promise<ExplainedTransaction>

/** Anyone decides how many transfers a transaction has. */
const shownMax = 50

/**
 * Explains a transaction from the node's blocks and the database.
 *
 * @example
 * ```ts
 * const explain = explainTransaction(ports)
 * const { state } = await explain('00'.repeat(32))
 * console.log(state) // unknown
 * ```
 */
export function explainTransaction(ports: ExplainTransactionPorts): ExplainTransaction {
  const { reader, addresses, deposits, scans } = ports
  return async (txHash) => {
    const { items: known } = await deposits.listAll({ txHash, limit: shownMax })
    const nothing = { txHash, block: null, transfers: [], otherTransfers: 0, deposits: known }
    if (!reader) return { ...nothing, state: 'no_chain' }
    const solid = await solidBlockOf(reader, txHash)
    const block = solid ?? (await unsolidBlockOf(reader, txHash))
    if (!block) return { ...nothing, state: 'unknown' }
    const own = block.transfers.filter((each) => each.txHash === txHash)
    const foreign = block.unknownTokenTransfers.filter((each) => each.txHash === txHash)
    const accounts = new Set([...own, ...foreign].map(({ to }) => to))
    const matched = await addresses.match(reader.chain, [...accounts])
    const topUps = new Map(matched.map((topUp) => [topUp.account, topUp]))
    const scanned = await scans.at(reader.chain, 'solid')
    const isScanned = solid !== undefined && scanned !== undefined && scanned.number >= block.number

    const explained: ExplainedTransfer[] = []
    for (const { to, index, value } of own) {
      const topUp = topUps.get(to)
      if (!topUp) continue
      const deposit = known.find(({ transferIndex, address }) => transferIndex === index && address === topUp.address)
      const outcome = deposit ? 'deposit' : value === 0n ? 'zero_value' : isScanned ? 'not_recorded' : 'not_scanned'
      const { tenantId, address, retiredAt } = topUp
      explained.push({ tenantId, address, retiredAt, value, contract: null, depositId: deposit?.id ?? null, outcome })
    }
    for (const { to, contract } of foreign) {
      const topUp = topUps.get(to)
      if (!topUp) continue
      const { tenantId, address, retiredAt } = topUp
      explained.push({ tenantId, address, retiredAt, value: null, contract, depositId: null, outcome: 'unknown_token' })
    }
    const otherTransfers = own.length + foreign.length - explained.length
    const transfers = explained.slice(0, shownMax)
    return {
      txHash,
      state: solid ? 'solid' : 'not_yet_solid',
      block: block.number,
      transfers,
      otherTransfers,
      deposits: known,
    }
  }
}
