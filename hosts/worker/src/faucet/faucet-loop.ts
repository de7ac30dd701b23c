import { type Broadcaster, settleFaucetSend } from '@quipu/core'
import type { ClaimedSend, FaucetStore } from '@quipu/core/adapter'
import type { PollingLoop } from '@quipu/runtime'
import { inWorkSpan, type SpanFacts } from '@quipu/tracing'
import { claimLoop, type WorkedOn } from '../loop/claim-loop.ts'
import { recordFailures } from '../loop/log-failures.ts'
import { workSpan } from '../loop/work-span.ts'
import type { WorkerContext } from '../ports.ts'
import type { TronWorkerSettings } from '../settings/settings.ts'

type Ended = WorkedOn<ClaimedSend> & { readonly result: ClaimedSend['send'] }

/** Broadcasts the sandbox faucet's sends until each is confirmed or has failed. */
export function faucetLoop(
  context: WorkerContext<TronWorkerSettings>,
  faucet: FaucetStore,
  broadcaster: Broadcaster,
): PollingLoop {
  const { settings, now, record, timing } = context
  const settle = settleFaucetSend({ faucet, broadcaster, now })
  const work = (claimed: ClaimedSend) => inWorkSpan(spanOf(claimed), undefined, () => settle(claimed))
  const about = ({ claim }: ClaimedSend) => ({ tenant_id: claim.tenantId, faucet_send_id: claim.sendId })
  const report = recordFailures(context, {
    unit: 'faucet_send',
    claim: 'claiming faucet sends failed; retrying',
    work: 'settling a faucet send failed; retrying when its lease ends',
    about,
  })
  const onEnd = ({ claimed, startedAt, result: send }: Ended): void =>
    record({
      unit: 'faucet_send',
      result: send.status,
      startedAt,
      level: 'info',
      about: { ...about(claimed), tx_hash: send.transfer.txHash },
      message:
        send.status === 'submitted'
          ? 'a faucet send is in no solid block; looking again when it is due'
          : 'a faucet send has ended',
    })
  const { WORKER_CONCURRENCY: concurrency, WORKER_IDLE_MS: idleMs } = settings
  const leaseSeconds = settings.CHAIN_WORK_LEASE_SECONDS
  return claimLoop({ claimDue: faucet.claimDue, work, onEnd, report, ...timing }, { concurrency, idleMs, leaseSeconds })
}

const spanOf = ({ claim }: ClaimedSend): SpanFacts =>
  workSpan('settle faucet send', { 'quipu.faucet_send.id': claim.sendId, 'quipu.tenant.id': claim.tenantId })
