import type { RecordEventPorts } from '../event/record-event.ts'
import type { RaiseAlert } from '../alert.ts'
import type {
  AddressFormat,
  AddressSource,
  ChainBlock,
  BlockRef,
  ChainReader,
  ChainView,
} from './chain.ts'
import type { TransferRef } from './deposit.ts'
import type {
  ScanAdvance,
  ClaimedScan,
  ScanClaim,
  ScanStore,
  ObservedTransfer,
  TopUpAddressStore,
} from './ports.ts'
import { readAhead } from './read-ahead.ts'

export type ScanPorts = RecordEventPorts & {
  readonly scans: ScanStore
  readonly addresses: Pick<TopUpAddressStore, 'match'>
  readonly reader: Pick<ChainReader, 'chain' | 'head' | 'block' | 'ref'>
  readonly source: AddressSource
  readonly format: Pick<AddressFormat, 'format'>
  /** Seals the rows of top-up addresses. */
  readonly addressMacKey: Uint8Array
  readonly raiseAlert: RaiseAlert
}

export type ScanSettings = {
  /** Who holds a scan and goes silent holds it for so long. */
  readonly leaseSeconds: number
  /** How many blocks are read at a time, and at most written at once. */
  readonly readAhead: number
  /** After so many a round ends, so that its caller hears of it. */
  readonly blocksPerPoll: number
  /** Where a scan of solid blocks begins that never began: at the newest one unless told otherwise. */
  readonly firstBlock?: number
}

/** @source assumed */
export const defaultScanSettings: ScanSettings = {
  leaseSeconds: 60,
  readAhead: 4,
  blocksPerPoll: 2_000,
}

/** What one round did. */
export type ScanPoll = {
  /**
   * `more`: the next round has work at once. `idle`: there is nothing to do for some seconds.
   * `held`: neither has this worker, since another one holds the scan. `contradicted`: solid
   * blocks do not follow each other, and nothing can be scanned until they do.
   */
  readonly state: 'more' | 'idle' | 'held' | 'contradicted'
  /** Blocks that were scanned. */
  readonly blocks: number
  /** Transfers to top-up addresses in them, seen before or not. */
  readonly transfers: number
  /** Transfers of nothing to top-up addresses. They make no deposit. */
  readonly zeroValue: number
  /** What other contracts say to have sent to top-up addresses. It makes no deposit. */
  readonly unknownTokenTransfers: number
  /** How far the scan is behind the newest block that it may scan; undefined when it did not look. */
  readonly lagBlocks: number | undefined
}

/** One round of a scan. @throws Unavailable when the store or the chain cannot be asked */
export type Scan = () => Promise<ScanPoll>

export type Counts = Pick<ScanPoll, 'transfers' | 'zeroValue' | 'unknownTokenTransfers'>
const nothing = {
  blocks: 0,
  transfers: 0,
  zeroValue: 0,
  unknownTokenTransfers: 0,
  lagBlocks: undefined,
}

/** Where a scan of linked blocks came to. */
export type CaughtUp = Omit<ScanPoll, 'state' | 'lagBlocks'> & {
  readonly at: BlockRef | undefined
  /**
   * `end`: at the last block, or the last one that there is. `unlinked`: the next block has another
   * parent. `lost`: another worker has the scan now.
   */
  readonly stopped: 'end' | 'unlinked' | 'lost'
}

/** Runs a round with the scan in hand, and gives it back whatever happens. */
export async function holding(
  { scans, reader }: ScanPorts,
  view: ChainView,
  { leaseSeconds }: ScanSettings,
  round: (claimed: ClaimedScan) => Promise<Partial<ScanPoll> & Pick<ScanPoll, 'state'>>,
): Promise<ScanPoll> {
  const claimed = await scans.claim(reader.chain, view, leaseSeconds)
  if (!claimed) return { ...nothing, state: 'held' }
  try {
    return { ...nothing, ...(await round(claimed)) }
  } finally {
    // Not even this matters if it fails: the lease ends by itself.
    await scans.yieldClaim(claimed.claim).catch(() => undefined)
  }
}

type Stretch = {
  readonly claim: ScanClaim
  /** The block that the first one must follow; undefined when any will do. */
  readonly after: BlockRef | undefined
  /** The scan's own place: undefined at the very first write. */
  readonly from: BlockRef | undefined
  readonly first: number
  readonly last: number
}

/**
 * Scans blocks in order, as many at once as are there, each linked to the one before it.
 *
 * @param look finds what a run of blocks adds
 */
export async function catchUp(
  { scans, reader, raiseAlert }: Pick<ScanPorts, 'scans' | 'reader' | 'raiseAlert'>,
  { leaseSeconds, readAhead: width }: ScanSettings,
  { claim, after, from, first, last }: Stretch,
  look: (
    run: readonly ChainBlock[],
  ) => Promise<Counts & Pick<ScanAdvance, 'observedTransfers' | 'gone'>>,
): Promise<CaughtUp> {
  let done = { blocks: 0, transfers: 0, zeroValue: 0, unknownTokenTransfers: 0 }
  let at = from
  let parent = after
  const read = (number: number): Promise<ChainBlock | undefined> => reader.block(claim.view, number)
  for await (const blocks of readAhead(read, first, last, width)) {
    const run = linkedPart(parent, blocks)
    if (run.length > 0) {
      const { observedTransfers, gone, ...counts } = await look(run)
      const write = { from: at, blocks: run.map(refOf), observedTransfers, gone }
      const result = await scans.advance(claim, write)
      if (result.type === 'stale') return { ...done, at, stopped: 'lost' }
      for (const ref of result.contradicted) tellContradicted(raiseAlert, ref, observedTransfers)
      at = parent = write.blocks.at(-1)
      done = sum(done, { blocks: run.length, ...counts })
      if (!(await scans.renew(claim, leaseSeconds))) return { ...done, at, stopped: 'lost' }
    }
    if (run.length < blocks.length) return { ...done, at, stopped: 'unlinked' }
  }
  return { ...done, at, stopped: 'end' }
}

function linkedPart(
  after: BlockRef | undefined,
  blocks: readonly ChainBlock[],
): readonly ChainBlock[] {
  const end = blocks.findIndex((block, n) => {
    const parent = n === 0 ? after : blocks[n - 1]
    return parent && (block.parentId !== parent.id || block.number !== parent.number + 1)
  })
  return end < 0 ? blocks : blocks.slice(0, end)
}

function tellContradicted(
  raiseAlert: RaiseAlert,
  ref: TransferRef,
  observedTransfers: readonly ObservedTransfer[],
): void {
  const { txHash, transferIndex } = ref
  const subject = `${txHash}:${transferIndex}`
  const isIt = ({ step: { deposit } }: ObservedTransfer): boolean =>
    deposit.txHash === txHash && deposit.transferIndex === transferIndex
  const tenantId = observedTransfers.find(isIt)?.step.deposit.tenantId ?? null
  const detail =
    'solid blocks show a transfer that they had ruled out, or confirmed at another address'
  raiseAlert({ code: 'CHAIN_CONTRADICTS', tenantId, subject, detail })
}

const refOf = ({ number, id, at }: BlockRef): BlockRef => ({ number, id, at })

type Done = Omit<CaughtUp, 'at' | 'stopped'>
const sum = (a: Done, b: Done): Done => ({
  blocks: a.blocks + b.blocks,
  transfers: a.transfers + b.transfers,
  zeroValue: a.zeroValue + b.zeroValue,
  unknownTokenTransfers: a.unknownTokenTransfers + b.unknownTokenTransfers,
})
