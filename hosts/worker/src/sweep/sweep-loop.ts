import { settleSweep, type SweepStore } from '@quipu/core/operator'
import { logAlert, type PollingLoop } from '@quipu/runtime'
import { claimLoop } from '../loop/claim-loop.ts'
import { logFailures } from '../loop/log-failures.ts'
import { systemTiming } from '../loop/system-timing.ts'
import type { Chain, WorkerContext } from '../ports.ts'
import type { TronWorkerSettings } from '../settings/settings.ts'

/** Few at a time: each claim takes up to nine requests of the limit that the scans share. */
const concurrency = 4

/** Sends signed sweeps until solid blocks have them, or are past their expiry. */
export function sweepLoop(
  { settings, log, now }: WorkerContext<TronWorkerSettings>,
  sweeps: SweepStore,
  { broadcaster, sweepChain, checked }: Chain,
): PollingLoop {
  const settle = settleSweep({
    ...{ sweeps, broadcaster, chain: sweepChain, now },
    raiseAlert: logAlert(log),
  })
  const report = logFailures(log, {
    claim: 'claiming sweeps failed; retrying',
    work: 'settling a sweep failed; retrying when its lease ends',
  })
  const { WORKER_IDLE_MS: idleMs, DEPOSIT_LEASE_SECONDS: leaseSeconds } = settings
  return claimLoop(
    {
      claimDue: (limit, seconds) => checked().then(() => sweeps.claimDue(limit, seconds)),
      work: settle,
      report,
      ...systemTiming,
    },
    { concurrency, idleMs, leaseSeconds },
  )
}
