import type { RaiseAlert } from '../alert.ts'
import type { KeyRing } from '../key-ring/key-ring.ts'
import type { EncodeEventOf } from '../event/event.ts'
import type { DepositEvent, TransferRef } from './deposit.ts'
import { type Ids } from '../ids.ts'
import type { Clock } from '../time.ts'
import type {
  AddressFormat,
  AddressSource,
  BlockRef,
  ChainBlock,
  ChainReader,
  UnmatchedTransfer,
} from '../chain/chain.ts'
import type { ObservedTransfer, ScanAdvance, ScanClaim, ScanStore } from './ports.ts'
import type { TopUpAddressStore } from '../top-up-address/ports.ts'
import { readAhead } from './read-ahead.ts'
import type { SettingsShape } from '../check-settings.ts'

/** The ports of `scanHead` and `scanSolid`. */
export type ScanPorts = {
  readonly scans: ScanStore
  readonly addresses: Pick<TopUpAddressStore, 'match' | 'keyUse' | 'sample'>
  readonly reader: Pick<ChainReader, 'chain' | 'head' | 'block' | 'ref' | 'blockOf'>
  readonly addressSource: AddressSource
  readonly format: Pick<AddressFormat, 'format'>
  /** The key of the top-up addresses' MACs, as in `ensureTopUpAddress`. */
  readonly addressMacKeys: KeyRing
  readonly encodeEvent: EncodeEventOf<DepositEvent>
  readonly ids: Ids
  readonly now: Clock
  readonly raiseAlert: RaiseAlert
}

/** How a scan reads and writes blocks. */
export type ScanSettings = {
  /** When a scan is due again after its process has died. */
  readonly leaseSeconds: number
  /** How many blocks are read concurrently, and at most written together. */
  readonly readAhead: number
  /** How many blocks a poll scans at most. */
  readonly blocksPerPoll: number
  /** The first block of a new scan of solid blocks; the newest one by default. */
  readonly firstBlock?: number
}

/** The required members of `ScanSettings`. */
export const scanSettingsShape: SettingsShape<ScanSettings> = {
  leaseSeconds: 'positive',
  readAhead: 'number',
  blocksPerPoll: 'positive',
}

/** The default settings of a scan. */
export const defaultScanSettings: ScanSettings = { leaseSeconds: 30, readAhead: 4, blocksPerPoll: 2_000 }

/** The result of one poll. */
export type ScanPoll = {
  /**
   * `more`: the next poll has work at once. `idle`: nothing to do until the next block. `leased`:
   * another worker holds the scan. `contradicted`: solid blocks do not link, so the scan is halted until
   * they do. `keys_missing`: this process cannot check the top-up addresses, so it does not scan.
   */
  readonly state: 'more' | 'idle' | 'leased' | 'contradicted' | 'keys_missing'
  /** Blocks that were scanned. */
  readonly blocks: number
  /** Transfers to top-up addresses in them, known ones included. */
  readonly transfers: number
  /** Transfers of zero to top-up addresses. They open no deposit. */
  readonly zeroValue: number
  /** Transfers of other tokens to top-up addresses. They open no deposit. */
  readonly unknownTokenTransfers: number
  /** The transfers of the last two, one by one, up to `unmatchedMax` a batch of blocks. */
  readonly unmatched: readonly UnmatchedTransfer[]
  /** The distance to the newest block that may be scanned; undefined when it was not read. */
  readonly lagBlocks: number | undefined
}

/** Runs one poll of a scan. @throws Unavailable when the store or the chain cannot be reached */
export type Scan = () => Promise<ScanPoll>

export type ScanCounts = Pick<ScanPoll, 'transfers' | 'zeroValue' | 'unknownTokenTransfers' | 'unmatched'>
type Totals = ScanCounts & Pick<ScanPoll, 'blocks'>
/** The totals of a poll that scanned nothing. */
export const nothingScanned: Totals = { blocks: 0, transfers: 0, zeroValue: 0, unknownTokenTransfers: 0, unmatched: [] }

type BlockRange = {
  readonly claim: ScanClaim
  /** The parent of the first block; undefined when any block may be the first. */
  readonly after: BlockRef | undefined
  /** The scan's stored position; undefined before the first write. */
  readonly from: BlockRef | undefined
  readonly first: number
  readonly last: number
}

/** The result of scanning a range. */
export type ScannedRange = {
  readonly totals: Totals
  /** The scan's stored position. */
  readonly at: BlockRef | undefined
  /**
   * `end`: at the last block of the range or of the view. `unlinked`: the next block has another parent.
   * `lost`: another worker has claimed the scan.
   */
  readonly stopped: 'end' | 'unlinked' | 'lost'
}

/**
 * Scans the blocks of a range in order, each linked to its parent, and writes them in batches.
 *
 * @param observe finds what a batch of blocks adds
 */
export async function scanRange(
  { scans, reader, raiseAlert }: Pick<ScanPorts, 'scans' | 'reader' | 'raiseAlert'>,
  { leaseSeconds, readAhead: width }: ScanSettings,
  { claim, after, from, first, last }: BlockRange,
  observe: (blocks: readonly ChainBlock[]) => Promise<ScanCounts & Pick<ScanAdvance, 'observedTransfers' | 'gone'>>,
): Promise<ScannedRange> {
  let totals = nothingScanned
  let at = from
  let parent = after
  const read = (number: number): Promise<ChainBlock | undefined> => reader.block(claim.view, number)
  for await (const blocks of readAhead(read, first, last, width)) {
    const linked = linkedPart(parent, blocks)
    if (linked.length > 0) {
      const { observedTransfers, gone, ...counts } = await observe(linked)
      const write = { from: at, blocks: linked.map(refOf), observedTransfers, gone }
      const result = await scans.advance(claim, write)
      if (result.type === 'stale') return { totals, at, stopped: 'lost' }
      for (const ref of result.contradicted) raiseContradicted(raiseAlert, ref, observedTransfers)
      at = parent = write.blocks.at(-1)
      totals = sum(totals, { blocks: linked.length, ...counts })
      if (!(await scans.renew(claim, leaseSeconds))) return { totals, at, stopped: 'lost' }
    }
    if (linked.length < blocks.length) return { totals, at, stopped: 'unlinked' }
  }
  return { totals, at, stopped: 'end' }
}

function linkedPart(after: BlockRef | undefined, blocks: readonly ChainBlock[]): readonly ChainBlock[] {
  const end = blocks.findIndex((block, n) => {
    const parent = n === 0 ? after : blocks[n - 1]
    return parent && (block.parentId !== parent.id || block.number !== parent.number + 1)
  })
  return end < 0 ? blocks : blocks.slice(0, end)
}

function raiseContradicted(
  raiseAlert: RaiseAlert,
  ref: TransferRef,
  observedTransfers: readonly ObservedTransfer[],
): void {
  const { txHash, transferIndex } = ref
  const subject = `${txHash}:${transferIndex}`
  const isSame = ({ step: { deposit } }: ObservedTransfer): boolean =>
    deposit.txHash === txHash && deposit.transferIndex === transferIndex
  const tenantId = observedTransfers.find(isSame)?.step.deposit.tenantId ?? null
  const detail = 'solid blocks show a transfer that they had ruled out, or confirmed at another address'
  raiseAlert({ code: 'CHAIN_CONTRADICTS', tenantId, subject, detail })
}

const refOf = ({ number, id, at }: BlockRef): BlockRef => ({ number, id, at })

const sum = (a: Totals, b: Totals): Totals => ({
  blocks: a.blocks + b.blocks,
  transfers: a.transfers + b.transfers,
  zeroValue: a.zeroValue + b.zeroValue,
  unknownTokenTransfers: a.unknownTokenTransfers + b.unknownTokenTransfers,
  unmatched: [...a.unmatched, ...b.unmatched],
})
