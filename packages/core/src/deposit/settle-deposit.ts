import type { RaiseAlert } from '../alert.ts'
import type { KeyRing } from '../key-ring/key-ring.ts'
import type { EncodeEvent } from '../event/event.ts'
import type { Redated } from '../event/redate-event.ts'
import { type Ids, idsShape } from '../ids.ts'
import type { Clock } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { AddressFormat, AddressSource, ChainAccount, ChainReader } from './chain.ts'
import { compareSources } from './compare-sources.ts'
import { depositAsCommitted } from './credit-deposit.ts'
import { decideDeposit, type DepositFacts } from './decide-deposit.ts'
import type { Deposit } from './deposit.ts'
import type {
  ClaimedDeposit,
  DepositCommitResult,
  DepositRules,
  DepositStore,
  TopUpAddressStore,
} from './ports.ts'
import { recordDepositStep } from './record-deposit-step.ts'
import { checkPorts, checkSettings, type Shape } from '../shape.ts'
import { usdtShape } from '../money.ts'

/** The ports of `settleDeposit`. */
export type SettleDepositPorts = {
  readonly deposits: Pick<DepositStore, 'commit' | 'yieldClaim' | 'get'>
  readonly addresses: Pick<TopUpAddressStore, 'match'>
  readonly reader: Pick<ChainReader, 'block' | 'isBlocked' | 'tokenState'>
  /** A second provider, which must confirm large deposits and those above the limits of one provider. */
  readonly verifier?: Pick<ChainReader, 'block'>
  readonly source: AddressSource
  readonly format: Pick<AddressFormat, 'format'>
  /** The key of the top-up addresses' MACs, as in `ensureTopUpAddress`. */
  readonly addressMacKeys: KeyRing
  readonly encodeEvent: EncodeEvent
  readonly ids: Ids
  readonly now: Clock
  readonly raiseAlert: RaiseAlert
}

const settleDepositPortsShape: Shape<SettleDepositPorts> = {
  deposits: { commit: 'function', yieldClaim: 'function', get: 'function' },
  addresses: { match: 'function' },
  reader: { block: 'function', isBlocked: 'function', tokenState: 'function' },
  source: { derive: 'function' },
  format: { format: 'function' },
  addressMacKeys: 'array',
  encodeEvent: 'function',
  ids: idsShape,
  now: 'function',
  raiseAlert: 'function',
}

/** Which deposits are credited without an operator. */
export type SettleDepositSettings = {
  readonly rules: DepositRules
  /** Accounts that the service sends from: a transfer from one of them is not a tenant's deposit. */
  readonly serviceAccounts: readonly ChainAccount[]
}

const settleDepositSettingsShape: Shape<SettleDepositSettings> = {
  rules: {
    minimum: usdtShape,
    autoLimit: usdtShape,
    verifyFrom: usdtShape,
    unverifiedLimits: { perTenant: usdtShape, inAll: usdtShape },
  },
  serviceAccounts: 'array',
}

/** Settles one claimed deposit. @returns the deposit as it now stands: settled, or still pending and due later */
export type SettleDeposit = (claimed: ClaimedDeposit) => Promise<Deposit>

/**
 * Settles a deposit that solid blocks have decided: credits it, or sends it to review.
 *
 * Reads the chain before it writes, and the transfer itself again. The deposit stays pending while a
 * provider is unavailable or does not have the block yet. The commit limits what only one provider has
 * confirmed; above the limits the second provider is read, or an operator decides.
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
 *   const deposit = await settle(claimed)
 *   console.log(deposit.status, toDecimal(deposit.amount)) // credited 25.000000
 * }
 * ```
 */
export function settleDeposit(
  ports: SettleDepositPorts,
  settings: SettleDepositSettings,
): SettleDeposit {
  checkPorts('settleDeposit', ports, settleDepositPortsShape)
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
    if (settled === 'later') {
      // Safe to ignore: the lease expires, and then the deposit is due.
      await deposits.yieldClaim(claim, depositDelaySeconds(claimed.claimCount)).catch(() => false)
      return deposit
    }
    return typeof settled === 'object'
      ? settled
      : ((await deposits.get(deposit.tenantId, deposit.id)) ?? deposit)
  }
}

type Verification = { readonly asksVerifier: boolean; readonly isAboveUnverifiedLimit?: boolean }

/** @returns the deposit as it was committed, or why nothing was written */
async function trySettle(
  ports: SettleDepositPorts,
  settings: SettleDepositSettings,
  claimed: ClaimedDeposit,
  { asksVerifier, isAboveUnverifiedLimit = false }: Verification,
): Promise<Deposit | 'later' | Exclude<DepositCommitResult, 'committed' | Redated>> {
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
 * How long to wait before the next claim of a deposit that could not be settled, after `claimCount` claims.
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
  const stored = {
    isGone: solid.type === 'gone',
    tenantStatus,
    isAddressRetired: topUp.retiredAt !== null,
    isSenderBlocked: false,
    isSenderService: settings.serviceAccounts.includes(sender),
    tokenState: 'normal',
    doSourcesDisagree: false,
  } as const
  if (stored.isGone) return stored
  try {
    const [isSenderBlocked, tokenState, sources, topUpsOfSender] = await Promise.all([
      ports.reader.isBlocked(sender),
      ports.reader.tokenState(),
      compareSources(ports, claimed, asksVerifier),
      ports.addresses.match(topUp.chain, [sender]),
    ])
    if (sources === 'later') return 'later'
    const isSenderService = stored.isSenderService || topUpsOfSender.length > 0
    const doSourcesDisagree = sources === 'disagree'
    return { ...stored, isSenderBlocked, tokenState, isSenderService, doSourcesDisagree }
  } catch (error) {
    if (error instanceof Unavailable) return 'later'
    throw error
  }
}
