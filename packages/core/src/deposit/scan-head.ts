import type { BlockRef } from './chain.ts'
import { observeTransfers } from './observe-transfers.ts'
import type { ScanClaim } from './ports.ts'
import {
  type CaughtUp,
  catchUp,
  holding,
  type Scan,
  type ScanPorts,
  type ScanPoll,
  type ScanSettings,
} from './scan.ts'

type Ended = Partial<ScanPoll> & Pick<ScanPoll, 'state'>

/**
 * Looks for transfers at the head of the chain, up to one block before the newest: most forks are
 * not deeper. What it finds is pending and nothing more.
 *
 * Follows the scan of solid blocks: it begins where that one is, never looks below it, and leaps to
 * it when it has fallen behind. When a fork has taken back blocks that were scanned, it goes back to
 * the last one that still stands.
 *
 * @source spec §3 Deposit statuses; how is assumed
 */
export const scanHead =
  (ports: ScanPorts, settings: ScanSettings): Scan =>
  () =>
    holding(ports, 'head', settings, async ({ claim, at }): Promise<Ended> => {
      const { scans, reader } = ports
      const solid = await scans.at(reader.chain, 'solid')
      if (!solid) return { state: 'idle' }
      const isBehind = at !== undefined && at.number <= solid.number && at.id !== solid.id
      if (isBehind && (await scans.rewind(claim, at, solid)) === 'stale') return { state: 'held' }
      const from = isBehind ? solid : at
      const after = from ?? solid
      const newest = (await reader.head('head')).number - 1
      const last = Math.min(newest, after.number + settings.blocksPerPoll)
      const stretch = { claim, after, from, first: after.number + 1, last }
      const look = async (run: Parameters<typeof observeTransfers>[1]) => ({
        ...(await observeTransfers(ports, run)),
        gone: [],
      })
      const done = await catchUp(ports, settings, stretch, look)
      const lagBlocks = Math.max(0, newest - (done.at ?? after).number)
      return {
        ...countsOf(done),
        lagBlocks,
        state: await stateAfter(ports, claim, done, solid, last < newest),
      }
    })

const countsOf = ({ blocks, transfers, zeroValue, unknownTokenTransfers }: CaughtUp) => ({
  blocks,
  transfers,
  zeroValue,
  unknownTokenTransfers,
})

async function stateAfter(
  ports: ScanPorts,
  claim: ScanClaim,
  { at, stopped }: CaughtUp,
  solid: BlockRef,
  isMore: boolean,
): Promise<ScanPoll['state']> {
  switch (stopped) {
    case 'lost':
      return 'held'
    case 'unlinked':
      return at !== undefined && (await walkBack(ports, claim, at, solid)) ? 'more' : 'idle'
    case 'end':
      return isMore ? 'more' : 'idle'
  }
}

/**
 * Goes back to the newest scanned block that the head still has, or to the solid scan's.
 *
 * A node that lacks such a block is behind, and one that has the newest contradicts what was read
 * just before: neither proves anything, so the scan stays where it is.
 *
 * @returns whether it went back
 */
async function walkBack(
  { scans, reader }: ScanPorts,
  claim: ScanClaim,
  at: BlockRef,
  solid: BlockRef,
): Promise<boolean> {
  let to = solid
  for (const ref of await scans.refsAbove(reader.chain, solid.number)) {
    const theirs = await reader.ref('head', ref.number)
    if (!theirs) return false
    if (theirs.id !== ref.id) continue
    to = ref
    break
  }
  if (to.id === at.id) return false
  return (await scans.rewind(claim, at, to)) === 'committed'
}
