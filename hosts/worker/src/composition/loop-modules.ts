import { type AlertRelay, isTronConfigured, namedLoop } from '@quipu/runtime'
import { screenSubjects } from '@quipu/core'
import { balanceCheckSeconds, recordBalanceCrossings } from '@quipu/core/operator'
import { encodeEvent } from '@quipu/wire'
import { ContainerModule } from 'inversify'
import { alertLoops } from '../operator-alert/alert-loops.ts'
import { depositLoops } from '../deposit/deposit-loops.ts'
import { faucetLoop } from '../faucet/faucet-loop.ts'
import { screeningLoops } from '../maintenance/screening-loops.ts'
import { maintenanceLoops } from '../maintenance/maintenance-loops.ts'
import { compareBalances } from '../maintenance/periodic-task.ts'
import { recordedTask } from '../maintenance/recorded-task.ts'
import { noticeLoops } from '../notice/notice-loops.ts'
import { payoutLoop } from '../payout/payout-loop.ts'
import { sweepLoop } from '../sweep/sweep-loop.ts'
import type { WorkerContext } from '../ports.ts'
import { balanceLoop, networkLoops } from '../reconciliation/reconciliation-loops.ts'
import { sendsWebhooks, type TronWorkerSettings, type WebhookWorkerSettings } from '../settings/settings.ts'
import { webhookLoops } from '../webhook/webhook-loops.ts'
import { CHAIN, LOOPS, NETWORK, NOTICE_SENDER, QUEUE, SCREEN, SCREENING, SENDER, STORES } from './symbols.ts'

/** Every loop but those of maintenance, which are those of PostgreSQL. */
export const loopModules = (context: WorkerContext): readonly ContainerModule[] => {
  const { settings } = context
  return [
    screeningModule(context),
    balanceThresholdModule(context),
    noticeModule(context),
    payoutModule(context),
    reconciliationModule(context),
    ...(isTronConfigured(settings) ? [depositModule({ ...context, settings })] : []),
    ...(sendsWebhooks(settings) ? [webhookModule({ ...context, settings })] : []),
  ]
}

export const maintenanceModule = (context: WorkerContext): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(LOOPS).toResolvedValue((stores) => maintenanceLoops(context, stores), [STORES])
  })

/** Alerts and the daily digest to the operator's gateway. */
export const alertModule = (context: WorkerContext, relay: AlertRelay): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(LOOPS).toResolvedValue((stores, sender) => alertLoops(context, relay, stores, sender), [STORES, NOTICE_SENDER])
  })

/** Who is screened, and the loops of it. */
const screeningModule = (context: WorkerContext): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { settings, ids, now, raiseAlert } = context
    bind(SCREEN).toResolvedValue(
      (screening, { screeningCases: cases }) =>
        screening &&
        screenSubjects({ screening, cases, ids, now, raiseAlert }, { clearSeconds: settings.SCREENING_CLEAR_SECONDS }),
      [SCREENING, STORES],
    )
    bind(LOOPS).toResolvedValue(
      (stores, screening, screen) =>
        screening && screen ? screeningLoops(context, stores, { screening, screen }) : [],
      [STORES, SCREENING, SCREEN],
    )
  })

const balanceThresholdModule = (context: WorkerContext): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { ids, now } = context
    bind(LOOPS).toResolvedValue(
      ({ wallets }) => [
        recordedTask(context, compareBalances, {
          task: 'balance_thresholds',
          run: async () => {
            const events = await recordBalanceCrossings({ wallets, ids, now, encodeEvent })
            return events === 0 ? 'idle' : { events }
          },
          done: `balances crossed their thresholds; comparing again in ${balanceCheckSeconds} s`,
          failed: 'comparing balances with their thresholds failed; retrying',
        }),
      ],
      [STORES],
    )
  })

const noticeModule = (context: WorkerContext): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(LOOPS).toResolvedValue((stores, sender) => noticeLoops(context, stores, sender), [STORES, NOTICE_SENDER])
  })

const payoutModule = (context: WorkerContext): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(LOOPS).toResolvedValue(
      (stores, network) => [namedLoop('payouts', payoutLoop(context, stores, network))],
      [STORES, NETWORK],
    )
  })

const reconciliationModule = (context: WorkerContext): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(LOOPS).toResolvedValue((stores, network) => networkLoops(context, stores, network), [STORES, NETWORK])
  })

/** Deposits, the balances of their addresses, sweeps, and the sends of the sandbox's faucet. */
const depositModule = (context: WorkerContext<TronWorkerSettings>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(LOOPS).toResolvedValue(
      (stores, chain, screen) => depositLoops(context, stores, chain, screen),
      [STORES, CHAIN, SCREEN],
    )
    bind(LOOPS).toResolvedValue((stores, chain) => [balanceLoop(context, stores, chain)], [STORES, CHAIN])
    bind(LOOPS).toResolvedValue(
      ({ faucet }, { broadcaster }) => [namedLoop('faucet_sends', faucetLoop(context, faucet, broadcaster))],
      [STORES, CHAIN],
    )
    bind(LOOPS).toResolvedValue(
      ({ sweeps }, chain) => [namedLoop('sweeps', sweepLoop(context, sweeps, chain))],
      [STORES, CHAIN],
    )
  })

const webhookModule = (context: WorkerContext<WebhookWorkerSettings>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(LOOPS).toResolvedValue(
      (stores, sender, queue) => webhookLoops(context, stores, sender, queue),
      [STORES, SENDER, QUEUE],
    )
  })
