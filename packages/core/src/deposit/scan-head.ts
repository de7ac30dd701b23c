import type { BlockRef, ChainBlock } from '../chain/chain.ts'
import { observeTransfers } from './observe-transfers.ts'
import type { ScanClaim } from './ports.ts'
import { scanBy, withReports } from './scan-claim.ts'
import {
  type Scan,
  type ScannedRange,
  type ScanPoll,
  type ScanPorts,
  scanRange,
  type ScanSettings,
  scanSettingsShape,
} from './scan.ts'
import { checkSettings } from '../check-settings.ts'

/**
 * Scans the head of the chain for transfers, up to one block before the newest, since most forks are not
 * deeper. A transfer found here opens a pending deposit and credits nothing.
 *
 * Follows the scan of solid blocks: starts at its position, never reads below it, and jumps to it after
 * falling behind. When a fork has reverted scanned blocks, rewinds to the newest block that the head
 * still has.
 *
 * @source spec §3 Deposit statuses; how is assumed
 * @example
 * ```ts
 * await scanSolid(ports, defaultScanSettings)() // the head follows the solid scan
 * const topUp = await ensureTopUpAddress(ports, 'tron')(tenant.id)
 * chain.transfer(topUp.account, usdt(25_000_000n))
 * const poll = await scanHead(ports, defaultScanSettings)()
 * console.log(poll.state, poll.transfers) // idle 1
 * ```
 */
export function scanHead(given: ScanPorts, settings: ScanSettings): Scan {
  checkSettings('scanHead', settings, scanSettingsShape)
  const ports = withReports(given, 'head')
  return scanBy(ports, 'head', settings, async ({ claim, at }): ReturnType<typeof pollHead> => {
    const { scans, reader } = ports
    const solid = await scans.at(reader.chain, 'solid')
    if (!solid) return { state: 'idle' }
    const isBehind = at !== undefined && at.number <= solid.number && at.id !== solid.id
    if (isBehind && (await scans.rewind(claim, at, solid)) === 'stale') return { state: 'leased' }
    return pollHead(ports, settings, claim, isBehind ? solid : at, solid)
  })
}

async function pollHead(
  ports: ScanPorts,
  settings: ScanSettings,
  claim: ScanClaim,
  from: BlockRef | undefined,
  solid: BlockRef,
): Promise<Partial<ScanPoll> & Pick<ScanPoll, 'state'>> {
  const after = from ?? solid
  const newest = (await ports.reader.head('head')).number - 1
  const last = Math.min(newest, after.number + settings.blocksPerPoll)
  const range = { claim, after, from, first: after.number + 1, last }
  const observe = async (blocks: readonly ChainBlock[]) => ({ ...(await observeTransfers(ports, blocks)), gone: [] })
  const scanned = await scanRange(ports, settings, range, observe)
  const lagBlocks = Math.max(0, newest - (scanned.at ?? after).number)
  const state = await stateAfter(ports, claim, scanned, solid, last < newest)
  return { ...scanned.totals, lagBlocks, state }
}

async function stateAfter(
  ports: ScanPorts,
  claim: ScanClaim,
  { at, stopped }: ScannedRange,
  solid: BlockRef,
  hasMore: boolean,
): Promise<ScanPoll['state']> {
  switch (stopped) {
    case 'lost':
      return 'leased'
    case 'unlinked':
      return at !== undefined && (await rewindFork(ports, claim, at, solid)) ? 'more' : 'idle'
    case 'end':
      return hasMore ? 'more' : 'idle'
  }
}

/**
 * Rewinds to the newest scanned block that the head still has, or to the solid scan's position.
 *
 * A node that lacks such a block is behind, and one that has the newest contradicts its own previous
 * answer: neither proves a fork, so the scan stays.
 *
 * @returns whether the scan was rewound
 */
async function rewindFork(
  { scans, reader }: ScanPorts,
  claim: ScanClaim,
  at: BlockRef,
  solid: BlockRef,
): Promise<boolean> {
  let to = solid
  for (const ref of await scans.refsAbove(reader.chain, solid.number)) {
    const current = await reader.ref('head', ref.number)
    if (!current) return false
    if (current.id !== ref.id) continue
    to = ref
    break
  }
  if (to.id === at.id) return false
  return (await scans.rewind(claim, at, to)) === 'committed'
}
