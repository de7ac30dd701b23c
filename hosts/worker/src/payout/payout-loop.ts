import { type QrNetwork, resumePayout, type Stores } from '@quipu/core'
import type { ClaimedPayout } from '@quipu/core/adapter'
import { logAlert, type PollingLoop, systemIds } from '@quipu/runtime'
import { inWorkSpan, type SpanFacts } from '@quipu/tracing'
import { encodeEvent } from '@quipu/wire'
import { claimLoop } from '../loop/claim-loop.ts'
import { logFailures } from '../loop/log-failures.ts'
import { systemTiming } from '../loop/system-timing.ts'
import type { WorkerContext } from '../ports.ts'

/** Settles payouts whose request has died: asks the network for the outcome, and never pays. */
export function payoutLoop(
  { settings, log, now }: WorkerContext,
  { payouts, networkCalls }: Pick<Stores, 'payouts' | 'networkCalls'>,
  network: QrNetwork,
): PollingLoop {
  const { LEASE_SECONDS: leaseSeconds, NETWORK_CATCH_UP_PER_SECOND: catchUpPerSecond } = settings
  const resume = resumePayout(
    {
      ...{ payouts, networkCalls, network, encodeEvent, ids: systemIds, now },
      ...systemTiming,
      raiseAlert: logAlert(log),
    },
    { leaseSeconds, catchUpPerSecond },
  )
  const work = (claimed: ClaimedPayout): Promise<unknown> =>
    inWorkSpan(spanOf(claimed), claimed.traceparent, () => resume(claimed))
  const report = logFailures(log, {
    claim: 'claiming payouts failed; retrying',
    work: 'settling a payout failed; retrying when its lease ends',
  })
  const { WORKER_CONCURRENCY: concurrency, WORKER_IDLE_MS: idleMs } = settings
  return claimLoop(
    { claimDue: payouts.claimDue, work, report, ...systemTiming },
    { concurrency, idleMs, leaseSeconds },
  )
}

const spanOf = ({ payout, claimCount }: ClaimedPayout): SpanFacts => ({
  scope: '@quipu/worker',
  name: 'resume payout',
  kind: 'consumer',
  attributes: {
    'quipu.payout.id': payout.id,
    'quipu.tenant.id': payout.tenantId,
    'quipu.claim.count': claimCount,
  },
})
