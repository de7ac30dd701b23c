import { type Broadcaster, settleFaucetSend } from '@quipu/core'
import type { FaucetStore } from '@quipu/core/adapter'
import type { PollingLoop } from '@quipu/runtime'
import { claimLoop } from '../loop/claim-loop.ts'
import { logFailures } from '../loop/log-failures.ts'
import { systemTiming } from '../loop/system-timing.ts'
import type { WorkerContext } from '../ports.ts'
import type { TronWorkerSettings } from '../settings/settings.ts'

/** Broadcasts the sandbox faucet's sends until each is confirmed or has failed. */
export function faucetLoop(
  { settings, log, now }: WorkerContext<TronWorkerSettings>,
  faucet: FaucetStore,
  broadcaster: Broadcaster,
): PollingLoop {
  const work = settleFaucetSend({ faucet, broadcaster, now })
  const report = logFailures(log, {
    claim: 'claiming faucet sends failed; retrying',
    work: 'settling a faucet send failed; retrying when its lease ends',
  })
  const { WORKER_CONCURRENCY: concurrency, WORKER_IDLE_MS: idleMs } = settings
  const leaseSeconds = settings.DEPOSIT_LEASE_SECONDS
  return claimLoop(
    { claimDue: faucet.claimDue, work, report, ...systemTiming },
    { concurrency, idleMs, leaseSeconds },
  )
}
