import type { RaiseAlert } from '../alert.ts'
import type { AddressSource, ChainAccount, ChainReader, TransferOrder } from '../chain/chain.ts'
import type { TopUpAddressStore } from '../top-up-address/ports.ts'
import { type Ids } from '../ids.ts'
import { type Usdt, usdt } from '../money.ts'
import { authorized, type Operator } from '../access/operator.ts'
import type { Clock } from '../time.ts'
import type { SweepAddress, SweepChain, SweepStore } from './ports.ts'
import type { SweepBatch, SweepPlan, SweepTransfer } from './sweep.ts'
import { Unavailable } from '../unavailable.ts'
import { checkSettings, type SettingsShape } from '../check-settings.ts'

/** The ports of `planSweep`. */
export type PlanSweepPorts = {
  readonly sweeps: Pick<SweepStore, 'addresses' | 'insert'>
  readonly addresses: Pick<TopUpAddressStore, 'match'>
  readonly chain: Pick<SweepChain, 'tokenBalances' | 'cost' | 'build'>
  readonly reader: Pick<ChainReader, 'chain' | 'head' | 'isBlocked'>
  readonly addressSource: AddressSource
  readonly ids: Ids
  readonly now: Clock
  readonly raiseAlert: RaiseAlert
}

/** Where sweeps go, and how long an offline signer has. */
export type SweepSettings = {
  readonly treasury: SweepBatch['treasury']
  /** From the newest block to the expiry of the transfers: less than 24 hours, which nodes allow at most. */
  readonly expiresAfterSeconds: number
}

const sweepSettingsShape: SettingsShape<SweepSettings> = {
  treasury: { account: 'string', address: 'string' },
  expiresAfterSeconds: 'positive',
}

/** A signer that works once a day needs a longer time than the default. */
export const sweepExpirySeconds: { readonly default: number; readonly max: number } = {
  default: 12 * 3_600,
  max: 23 * 3_600,
}

/** The scope of a sweep. */
export type SweepRequest = {
  /** Addresses with a lower solid balance are left alone; at least one micro-USDT. */
  readonly threshold: Usdt
  /** How many transfers to plan at most; at least 1. */
  readonly limit: number
  /** Only these addresses, those with open reviews too; without it all that have none. */
  readonly addresses?: readonly string[]
}

/** Why an address that has enough tokens by the database is not part of a plan. */
export const skipReasons = [
  /** Its solid balance is below the threshold. */
  'BALANCE_BELOW_THRESHOLD',
  /** The transfer would revert: the token is paused, or its issuer has blocked the address. */
  'TRANSFER_REVERTS',
  /** Its energy costs more than the maximum fee limit. */
  'FEE_TOO_HIGH',
  /** Its index derives another address: the row was changed. */
  'ADDRESS_MISMATCH',
  /** A deposit at it is in review: name the address to sweep it all the same. */
  'OPEN_REVIEW',
  /** Another plan was made at the same time. */
  'LIVE_TRANSFER',
  /** The node did not answer its balance or the transfer's cost, and answers others. */
  'NOT_READ',
] as const

/** An address that has enough tokens by the database and is not part of the plan. */
export type SkippedAddress = { readonly address: string; readonly reason: (typeof skipReasons)[number] }

/** The stored plan, or why nothing was written. */
export type SweepPlanAnswer =
  | { readonly type: 'planned'; readonly plan: SweepPlan; readonly skipped: readonly SkippedAddress[] }
  | {
      readonly type: 'refused'
      readonly code: 'treasury_is_top_up_address' | 'treasury_blocked' | 'nothing_to_sweep'
      readonly skipped: readonly SkippedAddress[]
    }

/** Plans one batch of sweeps. */
export type PlanSweep = (operator: Operator, request: SweepRequest) => Promise<SweepPlanAnswer>

/**
 * Plans transfers of the whole solid balance of top-up addresses to the treasury, and stores them unsigned.
 *
 * An address has at most one transfer that may still move tokens: addresses with a `planned` or `signed` one are
 * left out until solid blocks have it, or are past its expiry without it. One with an open review is left out unless the
 * request names it.
 *
 * @throws Unavailable when nothing was written or the outcome is unknown; another plan is always safe
 * @throws Unauthorized without the active token of an admin
 * @example
 * ```ts
 * const account = 'c'.repeat(40)
 * const treasury = { account, address: ports.format.format(account) }
 * const plan = planSweep(ports, { treasury, expiresAfterSeconds: sweepExpirySeconds.default })
 * const answer = await plan(ana, { threshold: usdt(1_000_000n), limit: 100 })
 * console.log(answer.type === 'refused' && answer.code) // nothing_to_sweep
 * ```
 */
export function planSweep(ports: PlanSweepPorts, settings: SweepSettings): PlanSweep {
  checkSettings('planSweep', settings, sweepSettingsShape)
  const { treasury, expiresAfterSeconds } = settings
  return async (operator, request) => {
    const fault = await treasuryFault(ports, treasury.account)
    if (fault) return { type: 'refused', code: fault, skipped: [] }
    const found = await funded(ports, request)
    const [reference, head] = await Promise.all([ports.reader.head('solid'), ports.reader.head('head')])
    const createdAt = ports.now()
    const expiresAt = new Date(head.at.getTime() + expiresAfterSeconds * 1_000)
    const batch: SweepBatch = {
      id: ports.ids.next('swb', createdAt),
      chain: ports.reader.chain,
      treasury,
      threshold: request.threshold,
      createdBy: operator.person,
      createdAt,
      expiresAt,
    }
    const times = { reference, at: createdAt, expiresAt }
    const made = await inTurns(found.addresses, (each) => transferOf(ports, batch, times, each))
    const transfers = made.flatMap((each) => ('id' in each ? [each] : [])).toSorted((a, b) => a.index - b.index)
    const skipped = [...found.skipped, ...made.flatMap((each) => ('id' in each ? [] : [each]))]
    const inserted =
      transfers.length > 0 ? authorized(await ports.sweeps.insert({ batch, transfers }, operator)) : transfers
    const left = transfers.filter(({ id }) => !inserted.some((each) => each.id === id))
    const all = [...skipped, ...left.map(({ address }) => ({ address, reason: 'LIVE_TRANSFER' }) as const)]
    return inserted.length === 0
      ? { type: 'refused', code: 'nothing_to_sweep', skipped: all }
      : { type: 'planned', plan: { batch, transfers: inserted }, skipped: all }
  }
}

/** A treasury that is a top-up address would be swept to itself, and credit its tenant. */
async function treasuryFault(
  { addresses, reader }: PlanSweepPorts,
  treasury: ChainAccount,
): Promise<'treasury_is_top_up_address' | 'treasury_blocked' | undefined> {
  const topUps = await addresses.match(reader.chain, [treasury])
  if (topUps.length > 0) return 'treasury_is_top_up_address'
  return (await reader.isBlocked(treasury)) ? 'treasury_blocked' : undefined
}

type Funded = SweepAddress & { readonly balance: bigint }

/** How many addresses one query reads. */
const pageSize = 500

/** The addresses to sweep: enough tokens by the database and in solid blocks, and no live transfer. */
async function funded(
  ports: PlanSweepPorts,
  { threshold, limit, addresses: named }: SweepRequest,
): Promise<{ addresses: readonly Funded[]; skipped: readonly SkippedAddress[] }> {
  const addresses: Funded[] = []
  const skipped: SkippedAddress[] = []
  for (let after: { createdAt: Date; id: string } | undefined; ;) {
    const query = { limit: pageSize, ...(after && { after }) }
    const page = await ports.sweeps.addresses(ports.reader.chain, query)
    const expected = page.items.filter(
      ({ received, swept, liveTransferId }) =>
        liveTransferId === null && received.minor - swept.minor >= threshold.minor,
    )
    const requested = expected.filter(({ address, hasOpenReview }) => {
      if (named !== undefined) return named.includes(address)
      if (hasOpenReview) skipped.push({ address, reason: 'OPEN_REVIEW' })
      return !hasOpenReview
    })
    const known = requested.filter((each) => isDerived(ports, each, skipped))
    const wanted = known.slice(0, limit - addresses.length)
    const { balances } = await ports.chain.tokenBalances(wanted.map(({ account }) => account))
    for (const each of wanted) {
      const balance = balances.get(each.account)
      if (balance === undefined) skipped.push({ address: each.address, reason: 'NOT_READ' })
      else if (balance >= threshold.minor) addresses.push({ ...each, balance })
      else skipped.push({ address: each.address, reason: 'BALANCE_BELOW_THRESHOLD' })
    }
    if (page.next === null || addresses.length >= limit) return { addresses, skipped }
    after = page.next
  }
}

function isDerived(
  { addressSource, raiseAlert }: PlanSweepPorts,
  { index, account, address, tenantId }: SweepAddress,
  skipped: SkippedAddress[],
): boolean {
  const derived = addressSource.derive(index)
  if (derived.account === account && derived.address === address) return true
  const detail = `index ${index} derives ${derived.address}; it is not swept`
  raiseAlert({ code: 'ADDRESS_MAC_MISMATCH', tenantId, subject: address, detail })
  skipped.push({ address, reason: 'ADDRESS_MISMATCH' })
  return false
}

type Times = Pick<TransferOrder, 'reference' | 'at' | 'expiresAt'>

async function transferOf(
  { chain, ids }: PlanSweepPorts,
  batch: SweepBatch,
  times: Times,
  { account, address, index, balance }: Funded,
): Promise<SweepTransfer | SkippedAddress> {
  const to = batch.treasury.account
  const amount = usdt(balance)
  const quote = await chain.cost(account, to, amount).catch(unlessUnavailable)
  if (quote === 'NOT_READ') return { address, reason: quote }
  if (!quote) return { address, reason: 'TRANSFER_REVERTS' }
  const { energyFee, ...cost } = quote
  const { feeLimit } = cost
  if (energyFee > feeLimit) return { address, reason: 'FEE_TOO_HIGH' }
  const unsigned = await chain.build(account, { to, amount, feeLimit, ...times })
  return {
    ...unsigned,
    ...cost,
    id: ids.next('swp', times.at),
    batchId: batch.id,
    account,
    address,
    index,
    amount,
    status: 'planned',
    signature: null,
    sentAt: null,
    problem: null,
    endedAt: null,
  }
}

function unlessUnavailable(error: unknown): 'NOT_READ' {
  if (error instanceof Unavailable) return 'NOT_READ'
  throw error
}

const concurrency = 8

async function inTurns<A, B>(items: readonly A[], work: (item: A) => Promise<B>): Promise<B[]> {
  const done: B[] = []
  for (let from = 0; from < items.length; from += concurrency)
    done.push(...(await Promise.all(items.slice(from, from + concurrency).map(work))))
  return done
}
