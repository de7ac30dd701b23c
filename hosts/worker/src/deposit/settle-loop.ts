import { type Deposit, type DepositRules, type Screen, type SettledDeposit, settleDeposit } from '@quipu/core'
import type { ClaimedDeposit } from '@quipu/core/adapter'
import { type PollingLoop } from '@quipu/runtime'
import { inWorkSpan, type SpanFacts } from '@quipu/tracing'
import { encodeEvent } from '@quipu/wire'
import { claimLoop, type WorkedOn } from '../loop/claim-loop.ts'
import { recordFailures } from '../loop/log-failures.ts'
import { workSpan } from '../loop/work-span.ts'
import type { Chain, WorkerContext, WorkerStores } from '../ports.ts'
import type { TronWorkerSettings } from '../settings/settings.ts'
import { addressPorts } from './address-ports.ts'
import { accountsOf } from './chain.ts'

type Context = WorkerContext<TronWorkerSettings>
type DepositStores = Pick<WorkerStores, 'deposits' | 'addresses'>
type DepositSettings = Pick<
  TronWorkerSettings,
  | 'DEPOSIT_MINIMUM'
  | 'DEPOSIT_DUST'
  | 'DEPOSIT_AUTO_LIMIT'
  | 'DEPOSIT_VERIFY_FROM'
  | 'DEPOSIT_UNVERIFIED_TENANT_LIMIT'
  | 'DEPOSIT_UNVERIFIED_TOTAL_LIMIT'
>
type Ended = WorkedOn<ClaimedDeposit> & { readonly result: SettledDeposit }

const undecidedText = 'a deposit could not be decided; retrying when it is due'
const messages: Readonly<Record<Deposit['status'], string>> = {
  pending: undecidedText,
  credited: 'a deposit was credited; its event is sent to the tenant',
  in_review: 'a deposit is in review; an operator credits or closes it',
}

/** The rules of crediting without an operator. */
const depositRulesOf = (settings: DepositSettings): DepositRules => ({
  minimum: settings.DEPOSIT_MINIMUM,
  dust: settings.DEPOSIT_DUST,
  autoLimit: settings.DEPOSIT_AUTO_LIMIT,
  verifyFrom: settings.DEPOSIT_VERIFY_FROM,
  unverifiedLimits: {
    perTenant: settings.DEPOSIT_UNVERIFIED_TENANT_LIMIT,
    inAll: settings.DEPOSIT_UNVERIFIED_TOTAL_LIMIT,
  },
})

/** Credits deposits that solid blocks have decided, or sends them to review. */
export function settleLoop(
  context: Context,
  { deposits, addresses }: DepositStores,
  { reader, verifier }: Chain,
  screen: Screen | undefined,
): PollingLoop {
  const { settings, raiseAlert, now, record, ids, timing } = context
  const system = { encodeEvent, ids, now, raiseAlert }
  const ports = { deposits, addresses, reader, ...addressPorts(settings), ...system, ...(screen && { screen }) }
  const settle = settleDeposit(verifier ? { ...ports, verifier } : ports, {
    rules: depositRulesOf(settings),
    serviceAccounts: accountsOf(settings.TRON_SERVICE_ADDRESSES),
  })
  const work = (claimed: ClaimedDeposit) => inWorkSpan(spanOf(claimed), undefined, () => settle(claimed))
  const about = ({ deposit, claimCount }: ClaimedDeposit) => ({
    tenant_id: deposit.tenantId,
    deposit_id: deposit.id,
    claim_count: claimCount,
  })
  const report = recordFailures(context, {
    unit: 'deposit',
    claim: 'claiming deposits failed; retrying',
    work: 'settling a deposit failed; retrying when its lease ends',
    about,
  })
  const onEnd = ({ claimed, startedAt, result: { deposit, problem } }: Ended): void =>
    record({
      unit: 'deposit',
      result: deposit.status,
      startedAt,
      level: 'info',
      about: { ...about(claimed), ...(problem !== null && { problem }) },
      message: problem === null ? messages[deposit.status] : undecidedText,
    })
  const { WORKER_CONCURRENCY: concurrency, WORKER_IDLE_MS: idleMs } = settings
  const leaseSeconds = settings.CHAIN_WORK_LEASE_SECONDS
  return claimLoop(
    { claimDue: deposits.claimDue, work, onEnd, report, ...timing },
    { concurrency, idleMs, leaseSeconds },
  )
}

const spanOf = ({ deposit, claimCount }: ClaimedDeposit): SpanFacts =>
  workSpan('settle deposit', {
    'quipu.deposit.id': deposit.id,
    'quipu.tenant.id': deposit.tenantId,
    'quipu.claim.count': claimCount,
  })
