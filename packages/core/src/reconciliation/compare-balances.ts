import type { BalanceReader, Chain } from '../deposit/chain.ts'
import type { ScanStore } from '../deposit/ports.ts'
import type { DifferenceStore } from '../difference/ports.ts'
import { toDecimal, usdt } from '../money.ts'
import type { Clock, Timer } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { AddressFunds, ReconciliationStore } from './ports.ts'
import type { NewDifference, RecordDifferencesPorts } from './record-differences.ts'
import type { ReconciledSlice } from './run.ts'

/** The ports of `compareBalances`. */
export type CompareBalancesPorts = RecordDifferencesPorts & {
  readonly chain: Chain
  readonly balances: BalanceReader
  readonly reconciliations: Pick<ReconciliationStore, 'addressFunds'>
  readonly differences: Pick<DifferenceStore, 'list'>
  readonly scans: Pick<ScanStore, 'at'>
  readonly now: Clock
  readonly timer: Timer
}

/** The addresses of one slice. At two requests a second it takes 25 s, so that a stop does not interrupt it. */
const addressesPerSlice = 50
/** An address that never received anything is compared once in this number of days. @source assumed */
const unfundedDays = 30

const dayMs = 86_400_000
const scanPollMs = 3_000
/** The balances are of blocks up to a minute ahead of the scan. */
const scanPollsMax = 60

/**
 * Compares the next top-up addresses with the chain: an address must have what solid blocks have shown as
 * sent to it. A daily run compares every address that has received something, and a
 * thirtieth of the others.
 *
 * A balance is that of a block within a range. So it may lie between the sums up to the first and the last of
 * these blocks, and a surplus is one only once the solid scan has reached the last.
 *
 * @param from  the index of the first address
 * @param startedAt  when the run began, which decides the addresses of its day
 * @throws Unavailable when the node or the database cannot be read, or the solid scan stands; repeat the slice
 */
export const compareBalances =
  (ports: CompareBalancesPorts) =>
  async (from: number, startedAt: Date): Promise<ReconciledSlice> => {
    const { chain, reconciliations, balances: reader, differences, now } = ports
    const at = now()
    const fundsThrough = (block: number) =>
      reconciliations.addressFunds(chain, from, addressesPerSlice, block)
    const all = await fundsThrough(Number.MAX_SAFE_INTEGER)
    const open = await openSubjects(ports)
    const isDue = ({ index, received, address }: AddressFunds): boolean =>
      received > 0n || open.has(address) || isOfDay(index, startedAt)
    const due = all.filter(isDue)
    const position = (all.at(-1)?.index ?? from) + 1
    const isLast = all.length < addressesPerSlice
    if (due.length === 0) return { position, isLast, compared: 0, differences: 0 }

    const read = await reader.tokenBalances(due.map(({ account }) => account))
    const offOnes = async (): Promise<readonly Off[]> => {
      const isRead = new Set(due.map(({ index }) => index))
      const funds = (await fundsThrough(read.from)).filter(({ index }) => isRead.has(index))
      return funds.flatMap((each) => offBy(each, read.balances.get(each.account) ?? 0n) ?? [])
    }
    let off = await offOnes()
    if (off.some(({ kind }) => kind === 'surplus')) {
      await untilScanned(ports, read.through)
      off = await offOnes()
    }
    const found = off.map((each) => ({ ...differenceOf(each), id: ports.ids.next('dif', at) }))
    const recorded = found.map((each) => ({
      ...each,
      check: 'chain' as const,
      scope: each.subject,
    }))
    if (recorded.length > 0) await differences.record(recorded, at)
    for (const { address } of due)
      if (open.has(address)) await differences.resolveUnseen({ check: 'chain', scope: address }, at)
    return { position, isLast, compared: due.length, differences: off.length }
  }

/** Neighbours are of one day, as each slice has requests of its own. */
const isOfDay = (index: number, at: Date): boolean =>
  Math.floor(index / addressesPerSlice) % unfundedDays ===
  Math.floor(at.getTime() / dayMs) % unfundedDays

type Off = {
  readonly kind: 'short' | 'surplus'
  readonly funds: AddressFunds
  readonly expected: bigint
  readonly balance: bigint
}

function offBy(funds: AddressFunds, balance: bigint): Off | null {
  const { received, receivedThrough } = funds
  if (balance < receivedThrough) return { kind: 'short', funds, expected: receivedThrough, balance }
  return balance > received ? { kind: 'surplus', funds, expected: received, balance } : null
}

function differenceOf({ kind, funds, expected, balance }: Off): NewDifference {
  const { tenantId, address, index } = funds
  const [due, has] = [usdt(expected), usdt(balance)]
  const how =
    kind === 'short' ? 'tokens left it that no sweep has sent' : 'a transfer that no scan has seen'
  const detail = `top-up address ${index} has ${toDecimal(has)} USDT in solid blocks instead of ${toDecimal(due)}: ${how}`
  return { kind, tenantId, subject: address, detail, expected: due, found: has }
}

/** The addresses with an open difference. */
async function openSubjects({ differences }: CompareBalancesPorts): Promise<ReadonlySet<string>> {
  const subjects = new Set<string>()
  let after = {}
  for (;;) {
    const query = { check: 'chain', status: 'open', limit: 200, ...after } as const
    const { items, next } = await differences.list(query)
    for (const { subject } of items) subjects.add(subject)
    if (next === null) return subjects
    after = { after: next }
  }
}

/** @throws Unavailable when the solid scan does not reach the block within three minutes */
async function untilScanned(
  { scans, chain, timer }: CompareBalancesPorts,
  block: number,
): Promise<void> {
  for (let poll = 0; poll < scanPollsMax; poll++) {
    const at = await scans.at(chain, 'solid')
    if (at !== undefined && at.number >= block) return
    await timer(scanPollMs).done
  }
  throw new Unavailable('chain', `the solid scan has not reached block ${block}`)
}
