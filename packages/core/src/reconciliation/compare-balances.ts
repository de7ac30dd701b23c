import type { RaiseAlert } from '../alert.ts'
import type { BalanceReader, Chain, ChainReader } from '../chain/chain.ts'
import type { ScanStore } from '../deposit/ports.ts'
import type { DifferenceStore } from '../difference/ports.ts'
import { toDecimal, usdt } from '../money.ts'
import type { SweepStore, SweptAmounts } from '../sweep/ports.ts'
import type { Clock, Timer } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import { frozenAdvice } from '../top-up-address/top-up-address.ts'
import type { AddressFunds, ReconciliationStore } from './ports.ts'
import type { NewDifference, RecordDifferencesPorts } from './record-differences.ts'
import type { ReconciledSlice } from './run.ts'

/** The ports of `compareBalances`. */
export type CompareBalancesPorts = RecordDifferencesPorts & {
  readonly chain: BalanceReader
  readonly reader: Pick<ChainReader, 'isBlocked'>
  readonly reconciliations: Pick<ReconciliationStore, 'addressFunds'>
  readonly sweeps: Pick<SweepStore, 'sweptOf'>
  readonly differences: Pick<DifferenceStore, 'list'>
  readonly scans: Pick<ScanStore, 'at'>
  readonly now: Clock
  readonly timer: Timer
  readonly raiseAlert: RaiseAlert
}

/** The addresses of one slice. At two requests a second it takes 25 s, so that a stop does not interrupt it. */
const addressesPerSlice = 50
/** An address that never received anything is compared once in this number of days. */
const unfundedDays = 30

const dayMs = 86_400_000
const scanPollMs = 3_000
/** The balances are of blocks up to a minute ahead of the scan. */
const scanPollsMax = 40

/**
 * Compares the next top-up addresses with the chain: an address must have what solid blocks have shown as sent to
 * it, less what sweeps have sent from it. A daily run compares every address that has received something, and a
 * thirtieth of the others. Each address that has tokens is asked whether the token's issuer has frozen it.
 *
 * A balance is that of a block within a range, so it may lie between the sums of the first and of the last. One
 * that does not is read again once the solid scan has passed the range, and is compared once it has passed the
 * second range: what one replica of a node had not seen yet is no difference.
 *
 * @param from  the index of the first address
 * @param startedAt  when the run began, which decides the addresses of its day
 * @throws Unavailable when the node or the database cannot be read, or the solid scan has stopped; repeat the slice
 */
export const compareBalances =
  (ports: CompareBalancesPorts, chain: Chain) =>
  async (from: number, startedAt: Date): Promise<ReconciledSlice> => {
    const { reconciliations, differences, ids, now } = ports
    const at = now()
    const all = await reconciliations.addressFunds(chain, from, addressesPerSlice, 0)
    const open = await openSubjects(ports)
    const isDue = ({ index, received, address }: AddressFunds): boolean =>
      received > 0n || open.has(address) || isOfDay(index, startedAt)
    const due = all.filter(isDue)
    const position = (all.at(-1)?.index ?? from) + 1
    const isLast = all.length < addressesPerSlice
    if (due.length === 0) return { position, isLast, compared: 0, differences: 0 }

    const { off, unread } = await findOff(ports, chain, from, due)
    const recorded = [...off.map(differenceOf), ...unread.map(unreadDifference)].map((each) => ({
      ...each,
      id: ids.next('dif', at),
      check: 'chain' as const,
      scope: each.subject,
    }))
    if (recorded.length > 0) await differences.record(recorded, at)
    const read = due.filter(({ account }) => !unread.some((each) => each.account === account))
    for (const { address } of read)
      if (open.has(address)) await differences.resolveUnseen({ check: 'chain', scope: address }, at)
    return { position, isLast, compared: read.length, differences: recorded.length }
  }

/** Neighbours are of one day, as each slice has requests of its own. */
const isOfDay = (index: number, at: Date): boolean =>
  Math.floor(index / addressesPerSlice) % unfundedDays === Math.floor(at.getTime() / dayMs) % unfundedDays

type Off = {
  readonly kind: 'short' | 'surplus'
  readonly funds: AddressFunds
  readonly expected: bigint
  readonly balance: bigint
}

/** The addresses of the slice whose balance is off in both readings, or was not read in one of them. */
async function findOff(
  ports: CompareBalancesPorts,
  chain: Chain,
  from: number,
  due: readonly AddressFunds[],
): Promise<{ readonly off: readonly Off[]; readonly unread: readonly AddressFunds[] }> {
  const { chain: reader, reconciliations, sweeps } = ports
  const accountsOf = (those: readonly AddressFunds[]) => those.map(({ account }) => account)
  const sweptBefore = await sweeps.sweptOf(chain, accountsOf(due))
  const read = async (those: readonly AddressFunds[], isFinal: boolean) => {
    const read = await reader.tokenBalances(accountsOf(those))
    const { from: first, through, balances: found } = read
    const unread = those.filter(({ account }) => read.unread.includes(account))
    if (isFinal) await untilScanned(ports, chain, through)
    else await raiseFrozen(ports, those, found)
    const sweptAfter = await sweeps.sweptOf(chain, accountsOf(those))
    const funds = await reconciliations.addressFunds(chain, from, addressesPerSlice, first)
    const off = funds.flatMap((each) => {
      const balance = found.get(each.account)
      const swept = { before: sweptBefore.get(each.account), after: sweptAfter.get(each.account) }
      return balance === undefined ? [] : (offBy(each, balance, swept) ?? [])
    })
    return { off, through, unread }
  }
  const first = await read(due, false)
  if (first.off.length === 0) return first
  await untilScanned(ports, chain, first.through)
  const offAtFirst = first.off.map(({ funds }) => funds)
  const { off, unread } = await read(offAtFirst, true)
  return { off, unread: [...first.unread, ...unread] }
}

/** Raises an alert for each address with tokens that can never move. */
async function raiseFrozen(
  { reader, raiseAlert }: CompareBalancesPorts,
  addresses: readonly AddressFunds[],
  balances: ReadonlyMap<string, bigint>,
): Promise<void> {
  for (const { account, address: subject, tenantId } of addresses) {
    const balance = balances.get(account) ?? 0n
    if (balance === 0n || !(await reader.isBlocked(account))) continue
    const detail = `it has ${toDecimal(usdt(balance))} USDT; ${frozenAdvice}`
    raiseAlert({ code: 'ADDRESS_FROZEN', tenantId, subject, detail })
  }
}

/**
 * How the balance differs; null when it does not.
 *
 * @param swept  what left the address, by sweeps known before and after the balance was read
 */
function offBy(
  funds: AddressFunds,
  balance: bigint,
  { before, after }: { before: SweptAmounts | undefined; after: SweptAmounts | undefined },
): Off | null {
  const sentAtLeast = before?.solid.minor ?? 0n
  const sentAtMost = (after?.solid.minor ?? 0n) + (after?.live.minor ?? 0n)
  const least = funds.receivedThrough - sentAtMost
  const most = funds.received - sentAtLeast
  if (balance < least) return { kind: 'short', funds, expected: least, balance }
  return balance > most ? { kind: 'surplus', funds, expected: most, balance } : null
}

function differenceOf({ kind, funds, expected, balance }: Off): NewDifference {
  const { tenantId, address, index } = funds
  const [due, has] = [usdt(expected), usdt(balance)]
  const how = kind === 'short' ? 'tokens left it that no sweep has sent' : 'a transfer that no scan has seen'
  const detail = `top-up address ${index} has ${toDecimal(has)} USDT in solid blocks instead of ${toDecimal(due)}: ${how}`
  return { kind, tenantId, subject: address, detail, expected: due, found: has }
}

/** It stays open until the balance is read, and leaves other differences of the address as they are. */
const unreadDifference = ({ tenantId, address, index }: AddressFunds): NewDifference => ({
  kind: 'unread',
  tenantId,
  subject: address,
  expected: null,
  found: null,
  detail: `the node answered no balance of top-up address ${index}, which is therefore not compared`,
})

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

/** @throws Unavailable when the solid scan does not reach the block in time */
async function untilScanned({ scans, timer }: CompareBalancesPorts, chain: Chain, block: number): Promise<void> {
  for (let poll = 0; poll < scanPollsMax; poll++) {
    const at = await scans.at(chain, 'solid')
    if (at !== undefined && at.number >= block) return
    await timer(scanPollMs).done
  }
  throw new Unavailable('chain', `the solid scan has not reached block ${block}`)
}
