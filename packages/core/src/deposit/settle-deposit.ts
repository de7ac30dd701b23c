import type { RecordEventPorts } from '../event/record-event.ts'
import { Unavailable } from '../unavailable.ts'
import type { ChainAccount, ChainReader } from './chain.ts'
import { depositAsCommitted } from './credit-deposit.ts'
import { compareSources, type CompareSourcesPorts } from './compare-sources.ts'
import type { Deposit } from './deposit.ts'
import { type DepositFacts, decideDeposit } from './decide-deposit.ts'
import type { ClaimedDeposit, DepositRules, DepositStore, TopUpAddressStore } from './ports.ts'
import { recordDepositStep } from './record-deposit-step.ts'

export type SettleDepositPorts = RecordEventPorts &
  CompareSourcesPorts & {
    readonly deposits: Pick<DepositStore, 'commit' | 'yieldClaim' | 'get'>
    readonly addresses: Pick<TopUpAddressStore, 'match'>
    readonly reader: Pick<ChainReader, 'isBlocked' | 'tokenState'>
  }

export type SettleDepositSettings = {
  readonly rules: DepositRules
  /** Accounts that the service sends from. What comes from them is not a tenant's own. */
  readonly serviceAccounts: readonly ChainAccount[]
}

/** @returns the deposit as it now stands: ended, or still pending and due again later */
export type SettleDeposit = (claimed: ClaimedDeposit) => Promise<Deposit>

/**
 * Settles a deposit that solid blocks have decided: credits it, or leaves it to a person.
 *
 * What only the chain knows is asked before anything is written, the transfer itself included. While it
 * cannot be asked, and while a provider does not have the block yet, the deposit waits. What one provider
 * alone may credit is decided by the commit; above it the second provider is asked, or a person decides.
 *
 * @throws Unavailable when the outcome of a write is unknown; the claim then ends by itself
 * @source spec §3 Deposit statuses; how is assumed
 */
export const settleDeposit =
  (ports: SettleDepositPorts, settings: SettleDepositSettings): SettleDeposit =>
  async (claimed) => {
    const { deposits } = ports
    const { claim, deposit } = claimed
    const isLarge = deposit.amount.minor >= settings.rules.verifyFrom.minor
    const first = await attempt(ports, settings, claimed, { asksVerifier: isLarge })
    const ended =
      first === 'above_unverified_limit'
        ? await attempt(ports, settings, claimed, {
            asksVerifier: true,
            isAboveUnverifiedLimit: ports.verifier === undefined,
          })
        : first
    if (ended === 'later') {
      // Safe to ignore: the lease expires, and then the deposit is due.
      await deposits.yieldClaim(claim, depositDelaySeconds(claimed.claimCount)).catch(() => false)
      return deposit
    }
    return typeof ended === 'object'
      ? ended
      : ((await deposits.get(deposit.tenantId, deposit.id)) ?? deposit)
  }

type Attempt = { readonly asksVerifier: boolean; readonly isAboveUnverifiedLimit?: boolean }

/** @returns the deposit as it was committed, or why nothing was written */
async function attempt(
  ports: SettleDepositPorts,
  settings: SettleDepositSettings,
  claimed: ClaimedDeposit,
  { asksVerifier, isAboveUnverifiedLimit = false }: Attempt,
): Promise<Deposit | 'later' | 'stale' | 'above_unverified_limit'> {
  const { claim, deposit } = claimed
  const facts = await factsOf(ports, settings, claimed, asksVerifier)
  if (facts === 'later') return 'later'
  const { rules } = settings
  const step = decideDeposit(deposit, { ...facts, isAboveUnverifiedLimit }, rules, ports.now())
  const isVerified = asksVerifier && ports.verifier !== undefined
  const committed = await ports.deposits.commit({
    kind: 'settle',
    step: recordDepositStep(ports, step),
    claim,
    ...(!isVerified && { unverifiedLimits: rules.unverifiedLimits }),
  })
  return committed === 'committed' || typeof committed === 'object'
    ? depositAsCommitted(step.deposit, committed)
    : committed
}

/**
 * How long a deposit waits that could not be settled, after `claimCount` claims.
 *
 * @returns seconds: 5, 10, 20 and so on, then 300 for ever
 * @source assumed
 */
export const depositDelaySeconds = (claimCount: number): number =>
  Math.min(300, 5 * 2 ** Math.min(claimCount - 1, 10))

async function factsOf(
  ports: SettleDepositPorts,
  settings: SettleDepositSettings,
  claimed: ClaimedDeposit,
  asksVerifier: boolean,
): Promise<Omit<DepositFacts, 'isAboveUnverifiedLimit'> | 'later'> {
  const { solid, sender, topUp, tenantStatus } = claimed
  const known = {
    isGone: solid.type === 'gone',
    tenantStatus,
    isAddressRetired: topUp.retiredAt !== null,
    isSenderBlocked: false,
    isSenderService: settings.serviceAccounts.includes(sender),
    tokenState: 'normal',
    doSourcesDisagree: false,
  } as const
  if (known.isGone) return known
  try {
    const [isSenderBlocked, tokenState, sources, ourSenders] = await Promise.all([
      ports.reader.isBlocked(sender),
      ports.reader.tokenState(),
      compareSources(ports, claimed, asksVerifier),
      ports.addresses.match(topUp.chain, [sender]),
    ])
    if (sources === 'later') return 'later'
    const isSenderService = known.isSenderService || ourSenders.length > 0
    const doSourcesDisagree = sources === 'disagree'
    return { ...known, isSenderBlocked, tokenState, isSenderService, doSourcesDisagree }
  } catch (error) {
    if (error instanceof Unavailable) return 'later'
    throw error
  }
}
