import type { QrNetwork } from '@quipu/core'
import {
  checkLiquidity,
  reconcileChain,
  reconcileNetwork,
  type ReconcileSlice,
  type ReconciliationCheck,
  scheduleReconciliation,
} from '@quipu/core/operator'
import type { PostgresStores } from '@quipu/postgres'
import { type PollingLoop, systemIds } from '@quipu/runtime'
import { systemTiming } from '../loop/system-timing.ts'
import type { Chain, WorkerContext } from '../ports.ts'
import { liquidityLoop } from './liquidity-loop.ts'
import { pauseAfterFailureMs, reconciliationLoop } from './reconciliation-loop.ts'

type ReconciliationStores = Pick<
  PostgresStores,
  'reconciliations' | 'differences' | 'scans' | 'sweeps'
>

/** Compares payouts with the network's statement, and the network's liquidity with its floor. */
export function networkLoops(
  context: WorkerContext,
  stores: ReconciliationStores,
  network: Pick<QrNetwork, 'statement' | 'liquidity'>,
): readonly PollingLoop[] {
  const { settings, log, now } = context
  const { NETWORK_LIQUIDITY_FLOOR_BOB: floor, NETWORK_LIQUIDITY_SECONDS: everySeconds } = settings
  const ports = { ...stores, network, ids: systemIds, now }
  const statement = reconcileNetwork(ports, sliceSettings(context))
  return [
    loopOf(context, stores, 'network', statement),
    ...(floor === undefined
      ? []
      : [
          liquidityLoop(
            { check: checkLiquidity(ports, floor), log, timer: systemTiming.timer },
            { everySeconds },
          ),
        ]),
  ]
}

/** Compares the balances of top-up addresses with the transfers to them. */
export function balanceLoop(
  context: WorkerContext,
  stores: ReconciliationStores,
  { balances, checked }: Pick<Chain, 'balances' | 'checked'>,
): PollingLoop {
  const { timer } = systemTiming
  const ports = { ...stores, chain: balances, ids: systemIds, now: context.now, timer }
  const reconcile = reconcileChain(ports, 'tron', sliceSettings(context))
  return loopOf(context, stores, 'chain', () => checked().then(reconcile))
}

function loopOf(
  { settings, log, now }: WorkerContext,
  { reconciliations }: ReconciliationStores,
  check: ReconciliationCheck,
  reconcileSlice: ReconcileSlice,
): PollingLoop {
  const timing = { settleSeconds: settings.RECONCILIATION_SETTLE_SECONDS }
  const schedule = scheduleReconciliation({ reconciliations, ids: systemIds, now }, timing)
  return reconciliationLoop({
    schedule: () => schedule([check]),
    ...{ reconcileSlice, log, ...systemTiming },
  })
}

const sliceSettings = ({ settings }: WorkerContext) => ({
  leaseSeconds: settings.RECONCILIATION_LEASE_SECONDS,
  retrySeconds: pauseAfterFailureMs / 1_000,
})
