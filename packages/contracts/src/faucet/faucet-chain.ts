import type {
  Account,
  BlockRef,
  Broadcaster,
  ChainReader,
  SignedTransfer,
  TransferOrder,
  TransferSigner,
  View,
} from '@quipu/core'
import { accountOf, hashOf } from '../funding/addresses.ts'
import { someInstant } from '../given.ts'

/** A chain whose blocks come by the clock, as far as the faucet sees it. */
export type FaucetChain = {
  readonly reader: Pick<ChainReader, 'chain' | 'head'>
  readonly signer: TransferSigner
  readonly broadcaster: Broadcaster
  /** All that was ever signed. */
  readonly orders: TransferOrder[]
  /** All that was ever broadcast, as often as it was. */
  readonly broadcasts: SignedTransfer[]
  /** What the faucet may burn for a transfer; undefined when it is out of tokens or energy. */
  feeLimit: bigint | undefined
  /** Whether a transfer that enters a block moves nothing. */
  reverts: boolean
  /** Runs instead of taking what is broadcast. */
  take: (transfer: SignedTransfer) => Promise<'accepted' | 'stopped'>
  /** Puts a transfer into the next block, if it is in none and has not expired. */
  enter(transfer: SignedTransfer): void
  /** A fork takes the block back in which this transfer was. */
  drop(txHash: string): void
  head(view: View): BlockRef
  /** What an account has received, in micro-USDT. */
  received(account: Account): bigint
}

export const blockSeconds = 3
/** How far solid blocks are behind. */
export const solidLagBlocks = 18
const firstBlock = 1_000

/** @param now  the time, in milliseconds, by which blocks come */
export function faucetChain(now: () => number): FaucetChain {
  const signed = new Map<string, TransferOrder>()
  const included = new Map<string, { readonly block: number; readonly moves: boolean }>()
  const numberOf = (view: View): number =>
    firstBlock +
    Math.floor((now() - someInstant.getTime()) / (blockSeconds * 1_000)) -
    (view === 'solid' ? solidLagBlocks : 0)
  const head = (view: View): BlockRef => {
    const number = numberOf(view)
    const at = new Date(someInstant.getTime() + (number - firstBlock) * blockSeconds * 1_000)
    return { number, id: hashOf(`block ${number}`), at }
  }
  const chain: FaucetChain = {
    reader: { chain: 'tron', head: async (view) => head(view) },
    signer: {
      account: accountOf('the faucet'),
      sign: async (order) => {
        const { to, amount, feeLimit, reference, at, expiresAt } = order
        const times = `${at.getTime()} ${expiresAt.getTime()}`
        const text = `${to} ${amount.minor} ${feeLimit} ${reference.id} ${times}`
        const txHash = hashOf(text)
        chain.orders.push(order)
        signed.set(txHash, order)
        return { txHash, bytes: new TextEncoder().encode(text), expiresAt }
      },
    },
    broadcaster: {
      prepare: async () => chain.feeLimit,
      broadcast: async (transfer) => {
        chain.broadcasts.push(transfer)
        return chain.take(transfer)
      },
      outcome: async (txHash) => {
        const found = included.get(txHash)
        const through = head('solid')
        if (!found || found.block > through.number) return { type: 'absent', through }
        return { type: found.moves ? 'confirmed' : 'failed' }
      },
    },
    orders: [],
    broadcasts: [],
    feeLimit: 27_000_000n,
    reverts: false,
    take: async (transfer) => {
      chain.enter(transfer)
      return 'accepted'
    },
    enter: ({ txHash, expiresAt }) => {
      if (included.has(txHash) || head('head').at >= expiresAt) return
      included.set(txHash, { block: numberOf('head') + 1, moves: !chain.reverts })
    },
    drop: (txHash) => {
      if ((included.get(txHash)?.block ?? Infinity) <= numberOf('solid'))
        throw new Error('what is solid is final')
      included.delete(txHash)
    },
    head,
    received: (account) =>
      Array.from(included, ([txHash, { moves }]) => ({ order: signed.get(txHash), moves }))
        .filter(({ order, moves }) => moves && order?.to === account)
        .reduce((sum, { order }) => sum + (order?.amount.minor ?? 0n), 0n),
  }
  return chain
}
