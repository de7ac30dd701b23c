import { expect } from 'vitest'
import {
  type Account,
  type Advance,
  type BlockRef,
  type ObservedTransfer,
  type ScanClaim,
  seeTransfer,
  type TopUpAddress,
  type TransferRef,
  type View,
} from '@quipu/core'
import { eventAbout, someInstant } from '../given.ts'
import type { World } from '../harness.ts'
import { accountOf, hashOf, testAddresses } from './addresses.ts'

/** A block of this number, one of each on every branch; three seconds lie between them. */
export const blockRef = (number: number, branch = 'main'): BlockRef => ({
  number,
  id: hashOf(`block ${number} of ${branch}`),
  at: new Date(someInstant.getTime() + number * 3_000),
})

export type TransferWish = {
  readonly txHash?: string
  readonly index?: number
  readonly value?: bigint
  readonly from?: Account
  readonly block?: number
  readonly expiresAt?: Date
  readonly createdAt?: Date
}

/** A transfer to this address, as it is first seen: of 25 USDT in a transaction of its own. */
export function observedTransferOf(
  { ids }: World,
  topUp: TopUpAddress,
  wish: TransferWish = {},
): ObservedTransfer {
  const at = wish.createdAt ?? someInstant
  const id = ids.next('dep', at)
  const from = wish.from ?? accountOf('somebody')
  const expiresAt = wish.expiresAt ?? blockRef((wish.block ?? 101) + 20).at
  const transfer = {
    txHash: wish.txHash ?? hashOf(id),
    index: wish.index ?? 0,
    from,
    to: topUp.account,
    value: wish.value ?? 25_000_000n,
    expiresAt,
  }
  const step = seeTransfer(transfer, topUp, { id, fromAddress: testAddresses.format(from), at })
  const event = eventAbout(step.deposit, 'deposit.pending', ids)
  return { step, event, sender: from, block: wish.block ?? 101, expiresAt }
}

/** The name of the transfer that was seen. */
export const refOf = ({ step }: Pick<ObservedTransfer, 'step'>): TransferRef => {
  const { chain, txHash, transferIndex } = step.deposit
  return { chain, txHash, transferIndex }
}

/** Scans one view of a made-up chain, holding the scan for as long as the test lasts. */
export type Scanner = {
  readonly claim: ScanClaim
  /** The write that adds the next block, or one of these. */
  writing(over?: Partial<Advance>): Advance
  /** Adds the next block. @returns what it contradicts */
  scan(over?: Partial<Advance>): Promise<readonly TransferRef[]>
}

/** @param first the number of the first block that is scanned */
export async function scanner({ scans }: World, view: View, first = 100): Promise<Scanner> {
  const claimed = await scans.claim('tron', view, 1_000_000)
  if (claimed === undefined) throw new Error(`the ${view} scan is held already`)
  const { claim } = claimed
  let { at } = claimed
  const writing: Scanner['writing'] = (over = {}) => ({
    from: at,
    blocks: [blockRef(at === undefined ? first : at.number + 1)],
    observedTransfers: [],
    gone: [],
    ...over,
  })
  return {
    claim,
    writing,
    scan: async (over) => {
      const write = writing(over)
      const result = await scans.advance(claim, write)
      if (result.type === 'stale') throw new Error('the scan is held by another')
      at = write.blocks.at(-1)
      expect(await scans.at('tron', view)).toEqual(at)
      return result.contradicted
    },
  }
}
