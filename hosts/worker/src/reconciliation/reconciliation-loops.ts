import { guardedNetwork, networkGuard, type QrNetwork } from '@quipu/core'
import {
  checkLiquidity,
  checkReports,
  compareNewestPayments,
  namedPeriod,
  reconcileChain,
  reconcileNetwork,
  type ReconcileSlice,
  type ReconciliationCheck,
  scheduleReconciliation,
} from '@quipu/core/operator'
import { type NamedLoop, namedLoop } from '@quipu/runtime'
import { inWorkSpan, recordError } from '@quipu/tracing'
import { workSpan } from '../loop/work-span.ts'
import type { Chain, WorkerContext, WorkerStores } from '../ports.ts'
import { dailyTask } from '../maintenance/daily-task.ts'
import { raiseDifferences } from './difference-alerts.ts'
import { liquidityGauge, liquidityLoop } from './liquidity-loop.ts'
import { newestPaymentsLoop } from './newest-payments-loop.ts'
import { pauseAfterFailureMs, reconciliationLoop } from './reconciliation-loop.ts'

type ReconciliationStores = Pick<
  WorkerStores,
  'dailyTasks' | 'reconciliations' | 'differences' | 'reports' | 'scans' | 'sweeps' | 'networks' | 'restores'
>

/** Compares payouts with the network's statement, and the network's liquidity with its floor; alerts differences of any check. */
export function networkLoops(
  context: WorkerContext,
  stores: ReconciliationStores,
  adapter: QrNetwork,
): readonly NamedLoop[] {
  const { settings, log, now, ids, timing, raiseAlert } = context
  const { timer } = timing
  const { NETWORK_LIQUIDITY_FLOOR_BOB: floor, NETWORK_LIQUIDITY_SECONDS: everySeconds } = settings
  const { networks } = stores
  const network = guardedNetwork(adapter, networkGuard({ networks, network: adapter, ...timing }))
  const ports = { ...stores, network, ids, now }
  const observed = liquidityGauge(context.metrics)
  const statement = reconcileNetwork({ ...ports, runMacKeys: settings.ADDRESS_MAC_KEY }, sliceSettings(context))
  const report = (error: unknown): void => log.error({ err: error }, 'reading differences failed; retrying')
  const { differences } = stores
  return [
    loopOf(context, stores, 'network', statement),
    namedLoop('difference_alerts', raiseDifferences({ differences, raiseAlert, now, timer, report })),
    reportCheck(context, stores, checkReports(ports)),
    namedLoop(
      'newest_payments',
      newestPaymentsLoop({ compare: compareNewestPayments(ports), log, timer: timing.timer }),
    ),
    ...(floor === undefined || floor === 'off'
      ? []
      : [
          namedLoop(
            'network_liquidity',
            liquidityLoop(
              { check: checkLiquidity(ports, floor), observed, log, timer: timing.timer },
              { everySeconds },
            ),
          ),
        ]),
  ]
}

/** A month: the network's statement reaches that far back. */
const missedReportDays = 30

/** Recomputes the reports of each UTC day once it has settled, as the comparison with the statement does. */
function reportCheck(
  context: WorkerContext,
  stores: ReconciliationStores,
  check: ReturnType<typeof checkReports>,
): NamedLoop {
  const run = async (name: string) => {
    const day = namedPeriod(name, 'UTC')
    return { differences: day === undefined ? 0 : await check(day) }
  }
  return dailyTask(context, stores, run, {
    task: 'report_check',
    dueSeconds: 86_400 + context.settings.RECONCILIATION_SETTLE_SECONDS,
    missedDays: missedReportDays,
    done: 'the reports of the day were recomputed',
    failed: 'recomputing the reports of the day failed; retrying',
  })
}

/** Compares the balances of top-up addresses with the transfers to them. */
export function balanceLoop(
  context: WorkerContext,
  stores: ReconciliationStores,
  { balances, checkReader }: Pick<Chain, 'balances' | 'checkReader'>,
): NamedLoop {
  const { settings, ids, now, timing, raiseAlert } = context
  const ports = {
    ...stores,
    ids,
    now,
    timer: timing.timer,
    chain: balances,
    reader: checkReader,
    raiseAlert,
    runMacKeys: settings.ADDRESS_MAC_KEY,
  }
  return loopOf(context, stores, 'chain', reconcileChain(ports, 'tron', sliceSettings(context)))
}

function loopOf(
  { settings, raiseAlert, now, ids, timing, countSlice: count, record }: WorkerContext,
  { reconciliations }: ReconciliationStores,
  check: ReconciliationCheck,
  reconcileSlice: ReconcileSlice,
): NamedLoop {
  const ports = { reconciliations, ids, now, raiseAlert, runMacKeys: settings.ADDRESS_MAC_KEY }
  const schedule = scheduleReconciliation(ports, { settleSeconds: settings.RECONCILIATION_SETTLE_SECONDS })
  const loop = reconciliationLoop({
    schedule: () => schedule([check]),
    reconcileSlice: traced(check, reconcileSlice),
    record,
    count,
    ...timing,
  })
  // A slice that outlasts its lease is repeated by another worker.
  return namedLoop(`reconcile_${check}`, loop, settings.RECONCILIATION_LEASE_SECONDS * 2_000)
}

const traced =
  (check: ReconciliationCheck, reconcileSlice: ReconcileSlice): ReconcileSlice =>
  () =>
    inWorkSpan(workSpan(`reconcile ${check}`), undefined, async (span) => {
      const result = await reconcileSlice()
      span?.setAttribute('quipu.reconciliation.result', result.type)
      if (result.type !== 'idle') span?.setAttribute('quipu.reconciliation.run.id', result.run.id)
      if (span && result.type === 'failed') recordError(span, result.error)
      return result
    })

const sliceSettings = ({ settings }: WorkerContext) => ({
  leaseSeconds: settings.RECONCILIATION_LEASE_SECONDS,
  retrySeconds: pauseAfterFailureMs / 1_000,
})
