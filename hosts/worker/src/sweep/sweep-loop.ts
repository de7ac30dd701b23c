import { type ClaimedSweep, settleSweep, type SweepStore, type SweepTransfer } from '@quipu/core/operator'
import { type PollingLoop } from '@quipu/runtime'
import { inWorkSpan, type SpanFacts } from '@quipu/tracing'
import { claimLoop, type WorkedOn } from '../loop/claim-loop.ts'
import { recordFailures } from '../loop/log-failures.ts'
import { workSpan } from '../loop/work-span.ts'
import type { Chain, WorkerContext } from '../ports.ts'
import type { TronWorkerSettings } from '../settings/settings.ts'

/** Few at a time: each claim takes up to nine requests of the limit that the scans share. */
const concurrency = 4

type Ended = WorkedOn<ClaimedSweep> & { readonly result: SweepTransfer['status'] | 'stale' }

/** Sends signed sweeps until solid blocks have them, or are past their expiry. */
export function sweepLoop(
  context: WorkerContext<TronWorkerSettings>,
  sweeps: SweepStore,
  { broadcaster, sweepChain }: Chain,
): PollingLoop {
  const { settings, raiseAlert, now, record, timing } = context
  const settle = settleSweep({ sweeps, broadcaster, chain: sweepChain, now, raiseAlert })
  const about = ({ transfer }: ClaimedSweep) => ({
    sweep_id: transfer.id,
    batch_id: transfer.batchId,
    tx_hash: transfer.txHash,
  })
  const report = recordFailures(context, {
    unit: 'sweep',
    claim: 'claiming sweeps failed; retrying',
    work: 'settling a sweep failed; retrying when its lease ends',
    about,
  })
  const onEnd = ({ claimed, startedAt, result }: Ended): void => {
    const isLive = result === 'planned' || result === 'signed'
    record({
      unit: 'sweep',
      result,
      startedAt,
      level: isLive ? 'debug' : 'info',
      about: about(claimed),
      message: isLive ? 'a sweep is in no solid block; looking again when it is due' : 'a sweep has ended',
    })
  }
  const { WORKER_IDLE_MS: idleMs, CHAIN_WORK_LEASE_SECONDS: leaseSeconds } = settings
  return claimLoop(
    {
      claimDue: sweeps.claimDue,
      work: (claimed) => inWorkSpan(spanOf(claimed), undefined, () => settle(claimed)),
      onEnd,
      report,
      ...timing,
    },
    { concurrency, idleMs, leaseSeconds },
  )
}

const spanOf = ({ transfer }: ClaimedSweep): SpanFacts =>
  workSpan('settle sweep', { 'quipu.sweep.id': transfer.id, 'quipu.sweep.batch.id': transfer.batchId })
