import type { RaiseAlert } from '../alert.ts'
import type { KeyRing } from '../key-ring/key-ring.ts'
import type { EncodeEventOf } from '../event/event.ts'
import { type Deposit, type DepositEvent, isUndecided } from './deposit.ts'
import type { Redated } from '../event/redated.ts'
import { type Ids } from '../ids.ts'
import type { Clock } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { AddressFormat, AddressSource, ChainAccount, ChainReader } from '../chain/chain.ts'
import { compareSources, type Undecided } from './compare-sources.ts'
import { frozenAdvice } from '../top-up-address/top-up-address.ts'
import { depositAsCommitted } from './credit-deposit.ts'
import { decideDeposit, type DepositFacts, isDust } from './decide-deposit.ts'
import type { ClaimedDeposit, DepositCommitResult, DepositRules, DepositStore } from './ports.ts'
import type { TopUpAddressStore } from '../top-up-address/ports.ts'
import { recordDepositStep } from './record-deposit-step.ts'
import type { Screen, Screened } from '../screening/screen.ts'
import { senderSubject } from '../screening/screening.ts'
import { checkSettings, type SettingsShape } from '../check-settings.ts'
import { usdtShape } from '../money.ts'

/** The ports of `settleDeposit`. */
export type SettleDepositPorts = {
  readonly deposits: Pick<DepositStore, 'commit' | 'yieldClaim' | 'get'>
  readonly addresses: Pick<TopUpAddressStore, 'match' | 'keyUse' | 'sample'>
  readonly reader: Pick<ChainReader, 'block' | 'isBlocked' | 'tokenState'>
  /** A second provider, which must confirm large deposits and those above the limits of one provider. */
  readonly verifier?: Pick<ChainReader, 'block'>
  readonly addressSource: AddressSource
  readonly format: Pick<AddressFormat, 'format'>
  /** The key of the top-up addresses' MACs, as in `ensureTopUpAddress`. */
  readonly addressMacKeys: KeyRing
  /** Screens senders; nobody does when it is left out. */
  readonly screen?: Screen
  readonly encodeEvent: EncodeEventOf<DepositEvent>
  readonly ids: Ids
  readonly now: Clock
  readonly raiseAlert: RaiseAlert
}

/** Which deposits are credited without an operator. */
export type SettleDepositSettings = {
  readonly rules: DepositRules
  /** Accounts that the service sends from: a transfer from one of them is not a tenant's deposit. */
  readonly serviceAccounts: readonly ChainAccount[]
}

const settleDepositSettingsShape: SettingsShape<SettleDepositSettings> = {
  rules: {
    minimum: usdtShape,
    dust: usdtShape,
    autoLimit: usdtShape,
    verifyFrom: usdtShape,
    unverifiedLimits: { perTenant: usdtShape, inAll: usdtShape },
  },
  serviceAccounts: 'array',
}

/** The outcome of one claimed deposit. */
export type SettledDeposit = {
  /** As it now stands: settled, or still undecided and due later. */
  readonly deposit: Deposit
  /** Why it could not be decided; null when it was. */
  readonly problem: string | null
}

/** Settles one claimed deposit. */
export type SettleDeposit = (claimed: ClaimedDeposit) => Promise<SettledDeposit>

/**
 * Settles a deposit that solid blocks have decided: credits it, or sends it to review.
 *
 * Reads the chain before it writes, and the transfer itself again. The deposit stays pending while a
 * provider is unavailable or does not have the block yet; the store keeps the reason. The commit limits what only
 * one provider has confirmed; above the limits the second provider is read, or an operator decides.
 *
 * @throws Unavailable when the outcome of a write is unknown; the claim's lease then expires
 * @source spec §3 Deposit statuses; how is assumed
 * @example
 * ```ts
 * const scan = scanSolid(ports, defaultScanSettings)
 * await scan()
 * const topUp = await ensureTopUpAddress(ports, 'tron')(tenant.id)
 * chain.transfer(topUp.account, usdt(25_000_000n))
 * await scan()
 * const settle = settleDeposit(ports, { rules: defaultDepositRules, serviceAccounts: [] })
 * const leaseSeconds = 60
 * for (const claimed of await ports.deposits.claimDue(10, leaseSeconds)) {
 *   const { deposit } = await settle(claimed)
 *   console.log(deposit.status, toDecimal(deposit.amount)) // credited 25.000000
 * }
 * ```
 */
export function settleDeposit(ports: SettleDepositPorts, settings: SettleDepositSettings): SettleDeposit {
  checkSettings('settleDeposit', settings, settleDepositSettingsShape)
  return async (claimed) => {
    const { deposits } = ports
    const { claim, deposit } = claimed
    const isLarge = deposit.amount.minor >= settings.rules.verifyFrom.minor
    const first = await trySettle(ports, settings, claimed, { asksVerifier: isLarge })
    const settled =
      first === 'above_unverified_limit'
        ? await trySettle(ports, settings, claimed, {
            asksVerifier: true,
            isAboveUnverifiedLimit: ports.verifier === undefined,
          })
        : first
    if (typeof settled === 'object' && 'problem' in settled) {
      const delay = depositDelaySeconds(claimed.claimCount)
      // Safe to ignore: the lease expires, and then the deposit is due.
      await deposits.yieldClaim(claim, delay, settled.problem).catch(() => false)
      return { deposit, problem: settled.problem }
    }
    const now = typeof settled === 'object' ? settled : ((await deposits.get(deposit.tenantId, deposit.id)) ?? deposit)
    return { deposit: now, problem: null }
  }
}

type Verification = { readonly asksVerifier: boolean; readonly isAboveUnverifiedLimit?: boolean }

/** @returns the deposit as it was committed, or why nothing was written */
async function trySettle(
  ports: SettleDepositPorts,
  settings: SettleDepositSettings,
  claimed: ClaimedDeposit,
  { asksVerifier, isAboveUnverifiedLimit = false }: Verification,
): Promise<Deposit | Undecided | Exclude<DepositCommitResult, 'committed' | Redated>> {
  const { claim, deposit } = claimed
  const { rules } = settings
  const facts = await factsOf(ports, settings, claimed, asksVerifier)
  if ('problem' in facts) return facts
  const step = decideDeposit(deposit, { ...facts, isAboveUnverifiedLimit }, rules, ports.now())
  if (deposit.status === 'in_review' && isUndecided(step.deposit))
    return facts.screening === 'unanswered' ? notScreened : atUnverifiedAddress
  const isConfirmedByVerifier = asksVerifier && ports.verifier !== undefined
  const committed = await ports.deposits.commit({
    kind: 'settle',
    step: recordDepositStep(ports, step),
    claim,
    ...(facts.screened !== undefined && { screenedBy: facts.screened }),
    ...(!isConfirmedByVerifier && { unverifiedLimits: rules.unverifiedLimits }),
  })
  return committed === 'committed' || typeof committed === 'object'
    ? depositAsCommitted(step.deposit, committed)
    : committed
}

const notScreened: Undecided = { problem: 'screening gives no answer about its sender' }
const atUnverifiedAddress: Undecided = { problem: 'its top-up address fails its integrity check' }

/** Seconds to wait before the next claim of a deposit that could not be settled, after `claimCount` claims. */
export const depositDelaySeconds = (claimCount: number): number => Math.min(300, 5 * 2 ** Math.min(claimCount - 1, 10))

type FoundFacts = Omit<DepositFacts, 'isAboveUnverifiedLimit'> & { readonly screened?: string | undefined }

/** Nothing is read of the chain for a transfer that will never happen, nor for dust, of which any sender decides the number. */
async function factsOf(
  ports: SettleDepositPorts,
  settings: SettleDepositSettings,
  claimed: ClaimedDeposit,
  asksVerifier: boolean,
): Promise<FoundFacts | Undecided> {
  const { solid, sender, topUp, tenantStatus, deposit } = claimed
  const stored = {
    isGone: solid.type === 'gone',
    tenantStatus,
    isAddressRetired: topUp.retiredAt !== null,
    screening: 'clear',
    isSenderBlocked: false,
    isAddressFrozen: false,
    isSenderService: settings.serviceAccounts.includes(sender),
    isAddressVerified: true,
    tokenState: 'normal',
    doSourcesDisagree: false,
  } as const
  if (stored.isGone || isDust(deposit, settings.rules)) return stored
  try {
    const reads = [
      ports.reader.isBlocked(sender),
      ports.reader.isBlocked(topUp.account),
      ports.reader.tokenState(),
      compareSources(ports, claimed, asksVerifier),
      ports.addresses.match(topUp.chain, [sender]),
      screenSender(ports, deposit),
    ] as const
    await Promise.allSettled(reads) // No read outlives the claim when another fails.
    const [isSenderBlocked, isAddressFrozen, tokenState, sources, topUpsOfSender, screened] = await Promise.all(reads)
    if (typeof sources === 'object') return sources
    if (isAddressFrozen) raiseFrozen(ports, claimed)
    return {
      ...stored,
      screening: screened?.outcome ?? 'clear',
      screened: screened && pinOf(screened),
      isSenderBlocked,
      isAddressFrozen,
      tokenState,
      isSenderService: stored.isSenderService || topUpsOfSender.length > 0,
      isAddressVerified: sources !== 'not_verified',
      doSourcesDisagree: sources === 'disagree',
    }
  } catch (error) {
    if (error instanceof Unavailable) return { problem: error.message }
    throw error
  }
}

const screenSender = async (
  { screen }: SettleDepositPorts,
  { tenantId, id, fromAddress }: Deposit,
): Promise<Screened | undefined> => screen?.(senderSubject(fromAddress), { tenantId, reference: id })

/** Which answer the settlement rests on, for the record. */
const pinOf = (screened: Screened): string => {
  if (screened.outcome === 'clear') return `clear: ${screened.list} ${screened.version}`
  return screened.outcome === 'listed' ? `listed: ${screened.caseId}` : `unanswered: ${screened.problem}`
}

function raiseFrozen({ raiseAlert }: SettleDepositPorts, { deposit, topUp }: ClaimedDeposit): void {
  const { tenantId, id } = deposit
  const detail = `deposit ${id} arrived at it; ${frozenAdvice}`
  raiseAlert({ code: 'ADDRESS_FROZEN', tenantId, subject: topUp.address, detail })
}
