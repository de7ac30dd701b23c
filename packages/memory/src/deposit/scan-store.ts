import type { ScanAdvance, BlockRef, Chain, ScanClaim, ScanStore, ChainView } from '@quipu/core/adapter'
import { type Database, type ScanRow, secondsAfter } from '../table/database.ts'
import { markGone, refOf, recordAtHead, recordSolid, unconfirmedIn } from './observed-transfers.ts'

export const memoryScanStore = (database: Database): ScanStore => ({
  claim: async (chain, view, leaseSeconds) => {
    const row = rowOf(database, chain, view)
    if (database.now() < row.leasedUntil) return undefined
    row.fencingToken++
    row.leasedUntil = secondsAfter(database.now(), leaseSeconds)
    return { claim: { chain, view, fencingToken: row.fencingToken }, at: row.at }
  },
  renew: async (claim, leaseSeconds) => {
    const row = rowFor(database, claim)
    if (row === undefined) return false
    row.leasedUntil = secondsAfter(database.now(), leaseSeconds)
    return true
  },
  yieldClaim: async (claim) => {
    const row = rowFor(database, claim)
    if (row !== undefined) row.leasedUntil = new Date(0)
  },
  at: async (chain, view) => rowOf(database, chain, view).at,
  refsAbove: async (chain, number) =>
    rowOf(database, chain, 'head')
      .refs.filter((ref) => ref.number > number)
      .toReversed(),
  unconfirmed: async (chain, throughBlock) => unconfirmedIn(database, chain, throughBlock),
  advance: async (claim, write) => advance(database, claim, write),
  rewind: async (claim, from, to) => {
    const row = rowFor(database, claim)
    if (row === undefined || !isSame(row.at, from)) return 'stale'
    row.at = to
    row.refs = row.refs.filter(({ number }) => number <= to.number)
    return 'committed'
  },
})

function rowOf({ scans }: Database, chain: Chain, view: ChainView): ScanRow {
  const key = `${chain}:${view}`
  const known = scans.get(key)
  if (known !== undefined) return known
  const row: ScanRow = { at: undefined, fencingToken: 0, leasedUntil: new Date(0), refs: [] }
  scans.set(key, row)
  return row
}

/** Undefined when a newer claim exists. */
function rowFor(database: Database, { chain, view, fencingToken }: ScanClaim): ScanRow | undefined {
  const row = rowOf(database, chain, view)
  return row.fencingToken === fencingToken ? row : undefined
}

const isSame = (a: BlockRef | undefined, b: BlockRef | undefined): boolean => a?.number === b?.number && a?.id === b?.id

function advance(
  database: Database,
  claim: ScanClaim,
  { from, blocks, observedTransfers, gone }: ScanAdvance,
): Awaited<ReturnType<ScanStore['advance']>> {
  const row = rowFor(database, claim)
  if (row === undefined || !isSame(row.at, from)) return { type: 'stale' }
  const first = row.at === undefined ? blocks[0]?.number : row.at.number + 1
  if (blocks.some(({ number }, index) => number !== (first ?? 0) + index))
    throw new Error(`the blocks do not follow block ${row.at?.number}`)
  row.at = blocks.at(-1)
  if (claim.view === 'head') {
    row.refs.push(...blocks)
    for (const observed of observedTransfers) recordAtHead(database, observed)
    return { type: 'committed', contradicted: [] }
  }
  forgetBelow(rowOf(database, claim.chain, 'head'), row.at)
  for (const ref of gone) markGone(database, ref)
  const contradicted = observedTransfers.filter((observed) => recordSolid(database, observed))
  return { type: 'committed', contradicted: contradicted.map(({ step }) => refOf(step.deposit)) }
}

/** Head blocks up to the last solid one are final, so they are no longer compared. */
function forgetBelow(head: ScanRow, solid: BlockRef | undefined): void {
  head.refs = head.refs.filter(({ number }) => number > (solid?.number ?? 0))
}
