import { guardedNetwork, networkGuard, type Payout, type QrNetwork, resumePayout, type Stores } from '@quipu/core'
import type { ClaimedPayout } from '@quipu/core/adapter'
import { type PollingLoop } from '@quipu/runtime'
import { inWorkSpan, type SpanFacts } from '@quipu/tracing'
import { encodeEvent } from '@quipu/wire'
import { claimLoop, type WorkedOn } from '../loop/claim-loop.ts'
import { recordFailures } from '../loop/log-failures.ts'
import type { WorkerContext } from '../ports.ts'

type Ended = WorkedOn<ClaimedPayout> & { readonly result: Payout }

/** Settles payouts whose request has died: queries the network for the outcome, and never pays. */
export function payoutLoop(
  context: WorkerContext,
  stores: Pick<Stores, 'payouts' | 'networkCalls' | 'networks' | 'differences' | 'reconciliations'>,
  adapter: QrNetwork,
): PollingLoop {
  const { settings, raiseAlert, now, record, ids, timing } = context
  const { PAYOUT_LEASE_SECONDS: leaseSeconds, NETWORK_CATCH_UP_PER_SECOND: catchUpPerSecond } = settings
  const { payouts, networkCalls, networks, differences, reconciliations } = stores
  const guard = networkGuard({ networks, network: adapter, ...timing })
  const network = guardedNetwork(adapter, guard)
  /** Claims nothing that this process could not settle: one with the right network claims it. */
  const claimDue: typeof payouts.claimDue = async (limit, seconds) =>
    (await guard()) === 'ours' ? payouts.claimDue(limit, seconds) : []
  const resume = resumePayout(
    {
      payouts,
      networkCalls,
      networks,
      differences,
      reconciliations,
      network,
      encodeEvent,
      ids,
      now,
      ...timing,
      raiseAlert,
    },
    { leaseSeconds, catchUpPerSecond },
  )
  const work = (claimed: ClaimedPayout) => inWorkSpan(spanOf(claimed), claimed.traceparent, () => resume(claimed))
  const about = ({ payout, claimCount }: ClaimedPayout) => ({
    tenant_id: payout.tenantId,
    payout_id: payout.id,
    claim_count: claimCount,
  })
  const report = recordFailures(context, {
    unit: 'payout',
    claim: 'claiming payouts failed; retrying',
    work: 'settling a payout failed; retrying when its lease ends',
    about,
  })
  const onEnd = ({ claimed, startedAt, result: payout }: Ended): void =>
    record({
      unit: 'payout',
      result: payout.status,
      startedAt,
      level: 'info',
      about: about(claimed),
      message:
        payout.status === 'processing'
          ? 'the network has not decided a payout; asking again when it is due'
          : 'a payout has ended; its event is sent to the tenant',
    })
  const { WORKER_CONCURRENCY: concurrency, WORKER_IDLE_MS: idleMs } = settings
  return claimLoop({ claimDue, work, onEnd, report, ...timing }, { concurrency, idleMs, leaseSeconds })
}

const spanOf = ({ payout, claimCount }: ClaimedPayout): SpanFacts => ({
  scope: '@quipu/worker',
  name: 'resume payout',
  kind: 'consumer',
  attributes: { 'quipu.payout.id': payout.id, 'quipu.tenant.id': payout.tenantId, 'quipu.claim.count': claimCount },
})
