import {
  type Clock,
  type PayoutStore,
  type QrNetwork,
  resumePayout,
  type ResumePayout,
} from '@quipu/core'
import {
  checkpointBalances,
  ensurePartitions,
  postgresStores,
  type PostgresStores,
} from '@quipu/postgres'
import { httpQrNetwork } from '@quipu/qr-network'
import {
  databaseClock,
  databaseWatch,
  type Logger,
  logAlert,
  type PollingLoop,
  systemClock,
  systemIds,
  systemMonotonic,
  systemTimer,
  isTronConfigured,
} from '@quipu/runtime'
import { encodeEvent } from '@quipu/wire'
import { Container, ContainerModule } from 'inversify'
import { claimLoop } from '../loop/claim-loop.ts'
import { chainModule } from './chain-module.ts'
import { delivers, deliveryModule, senderModule } from './webhook-module.ts'
import { creditsModule, faucetModule, scansModule, settlingModule } from './funding-module.ts'
import { deadLetterModule, queueModule, queues } from './queue-module.ts'
import { ledgerWatch } from '../maintenance/ledger-watch.ts'
import type { WorkerSettings } from '../settings/settings.ts'
import {
  CHECKPOINTS,
  DATABASE_WATCH,
  LEDGER_WATCH,
  NETWORK,
  PARTITIONS,
  PAYOUTS,
  RESUME,
  RESUME_LOOP,
  STORES,
} from './symbols.ts'
import { keepCheckpoints, keepPartitions, type Upkeep } from '../maintenance/periodic-task.ts'

/**
 * The worker's object graph.
 *
 * Deactivation closes everything side by side: who starts the loops ends them before that.
 */
export function workerContainer(settings: WorkerSettings, log: Logger): Container {
  const container = new Container()
  const clock = databaseClock(systemClock, systemMonotonic)
  const { now } = clock
  const system = { timer: systemTimer, monotonic: systemMonotonic }
  container
    .bind(DATABASE_WATCH)
    .toResolvedValue(
      ({ ping }: PostgresStores) =>
        databaseWatch({ ping, clock, raiseAlert: logAlert(log), log, ...system }),
      [STORES],
    )
    .inSingletonScope()
  container.load(loops(settings, log))
  if (isTronConfigured(settings))
    container.load(
      scansModule(settings, log, now),
      settlingModule(settings, log, now),
      creditsModule(settings, log, now),
      faucetModule(settings, log, now),
      chainModule(settings),
    )
  if (delivers(settings)) {
    container.load(deliveryModule(settings, log))
    if (queues(settings)) {
      const { SQS_DEAD_LETTER_URL: deadLetterUrl } = settings
      container.load(queueModule(settings, log))
      if (deadLetterUrl !== undefined)
        container.load(deadLetterModule(settings, deadLetterUrl, log))
    }
    container.load(senderModule(settings, log, now))
  }
  container.load(checks(settings, log), useCases(settings, log, now), adapters(settings))
  return container
}

const loops = (settings: WorkerSettings, log: Logger): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(RESUME_LOOP)
      .toResolvedValue(
        (payouts: PayoutStore, resume: ResumePayout) => {
          const report = (error: unknown): void =>
            log.error({ err: error }, 'a payout could not be resumed')
          const { WORKER_AT_ONCE: atOnce, WORKER_IDLE_MS: idleMs } = settings
          const pace = { atOnce, idleMs, leaseSeconds: settings.LEASE_SECONDS }
          return claimLoop({ ...payouts, work: resume, timer: systemTimer, report }, pace)
        },
        [PAYOUTS, RESUME],
      )
      .inSingletonScope()
    const { DATABASE_URL: url } = settings
    const keeping =
      (keep: Upkeep, work: () => Promise<unknown>, failure: string) => (): PollingLoop =>
        keep(work, systemTimer, (error) => log.error({ err: error }, failure))
    const makePartitions = (): Promise<void> => ensurePartitions(url)
    bind(PARTITIONS)
      .toResolvedValue(keeping(keepPartitions, makePartitions, 'partitions could not be made'))
      .inSingletonScope()
    const addCheckpoints = (): Promise<number> => checkpointBalances(url)
    bind(CHECKPOINTS)
      .toResolvedValue(
        keeping(keepCheckpoints, addCheckpoints, 'balance checkpoints failed; retrying in 1 min'),
      )
      .inSingletonScope()
  })

/** Watches over the ledger, unasked. */
const checks = (settings: WorkerSettings, log: Logger): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(LEDGER_WATCH)
      .toResolvedValue(
        ({ ledgerCheck: check }: PostgresStores) => {
          const report = (error: unknown): void =>
            log.error({ err: error }, 'ledger check failed; retrying in 5 s')
          const ports = { check, raiseAlert: logAlert(log), timer: systemTimer, report }
          return ledgerWatch(ports, { everySeconds: settings.LEDGER_CHECK_SECONDS })
        },
        [STORES],
      )
      .inSingletonScope()
  })

const useCases = (settings: WorkerSettings, log: Logger, now: Clock): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { LEASE_SECONDS: leaseSeconds, NETWORK_CATCH_UP_PER_SECOND: catchUpPerSecond } = settings
    const system = { encodeEvent, ids: systemIds, now, raiseAlert: logAlert(log) }
    bind(RESUME)
      .toResolvedValue(
        (payouts: PayoutStore, network: QrNetwork) =>
          resumePayout({ payouts, network, ...system }, { leaseSeconds, catchUpPerSecond }),
        [PAYOUTS, NETWORK],
      )
      .inSingletonScope()
  })

const adapters = (settings: WorkerSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { QR_NETWORK_URL: url, QR_NETWORK_TOKEN: token } = settings
    // A question and the write of its answer fit into a claim.
    const statusTimeoutMs = (settings.LEASE_SECONDS * 1000 * 2) / 3
    bind(NETWORK)
      .toResolvedValue(() => httpQrNetwork({ url, token, statusTimeoutMs }))
      .inSingletonScope()
      .onDeactivation((network) => network.stop())
    bind(PAYOUTS)
      .toResolvedValue((stores: PostgresStores) => stores.payouts, [STORES])
      .inSingletonScope()
    bind(STORES)
      .toResolvedValue(() => postgresStores({ url: settings.DATABASE_URL }))
      .inSingletonScope()
      .onDeactivation((stores) => stores.close())
  })
