import type { QrNetwork } from '@quipu/core'
import { openHub } from '@quipu/openhub'
import { postgresStores, type PostgresStores } from '@quipu/postgres'
import { httpQrNetwork } from '@quipu/qr-network'
import {
  alertUnreadable,
  chainCalls,
  chosenNetwork,
  type DatabaseClock,
  databaseWatch,
  heartbeats,
  isStandbyRequired,
  leaseTimes,
  measuredDatabase,
  measuredNetwork,
  measuredScreening,
  type Metrics,
  screeningOptions,
  thisProcess,
} from '@quipu/runtime'
import { type OpenedScreening, openScreening } from '@quipu/screening'
import { systemMonotonic, systemTimer } from '@quipu/core/system'
import { httpWebhookSender, type HttpWebhookSender } from '@quipu/webhook-http'
import { ContainerModule, type ServiceIdentifier } from 'inversify'
import { tronChain } from '../deposit/chain.ts'
import { measuredSender } from '../metrics/measured-sender.ts'
import type { WorkerContext } from '../ports.ts'
import type { TronWorkerSettings, WebhookWorkerSettings } from '../settings/settings.ts'
import { webhookQueue } from '../webhook/webhook-queue.ts'
import {
  CHAIN,
  DATABASE_WATCH,
  HEARTBEATS,
  IDENTITY,
  NETWORK,
  NOTICE_SENDER,
  QUEUE,
  SCREENING,
  SENDER,
  STORES,
} from './symbols.ts'

/** The bindings of the symbols of the loops' ports in a process. */
export const POSTGRES_STORES = STORES as ServiceIdentifier<PostgresStores>
const OWN_NETWORK = NETWORK as ServiceIdentifier<QrNetwork & { stop(): Promise<void> }>
const OWN_SCREENING = Symbol('OpenedScreening') as ServiceIdentifier<OpenedScreening | undefined>
const HTTP_SENDER = SENDER as ServiceIdentifier<HttpWebhookSender>
const HTTP_NOTICE_SENDER = NOTICE_SENDER as ServiceIdentifier<HttpWebhookSender>

/** The database, its watch, the record of this process, and the QR network. */
export const adapterModule = (
  { settings, log, metrics, raiseAlert }: WorkerContext,
  clock: DatabaseClock,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(POSTGRES_STORES)
      .toResolvedValue(() =>
        measuredDatabase(
          metrics,
          (observer) =>
            postgresStores({
              url: settings.DATABASE_URL,
              isStandbyRequired: isStandbyRequired(settings),
              observer,
              onUnreadable: alertUnreadable(raiseAlert),
            }),
          raiseAlert,
        ),
      )
      .onDeactivation((stores) => stores.close())
    const system = { timer: systemTimer, monotonic: systemMonotonic }
    bind(DATABASE_WATCH).toResolvedValue(
      ({ ping, whySilent, isStandbyMissing }) =>
        databaseWatch({ ping, whySilent, isStandbyMissing, clock, raiseAlert, log, ...system }),
      [POSTGRES_STORES],
    )
    bind(IDENTITY).toResolvedValue(() => thisProcess('worker'))
    bind(HEARTBEATS).toResolvedValue(
      ({ processes }, identity) => {
        const report = (error: unknown): void => log.error({ err: error }, 'recording this process failed; retrying')
        return heartbeats({ processes, aheadMs: clock.aheadMs, ...system, report }, identity)
      },
      [POSTGRES_STORES, IDENTITY],
    )
    bind(OWN_SCREENING)
      .toResolvedValue(() => openScreening(screeningOptions(settings, log, raiseAlert)))
      .onDeactivation((screening) => screening?.stop())
    bind(SCREENING).toResolvedValue((screening) => screening && measuredScreening(metrics, screening), [OWN_SCREENING])
    const chosen = chosenNetwork(settings)
    const { statusTimeoutMs } = leaseTimes(settings.PAYOUT_LEASE_SECONDS)
    bind(OWN_NETWORK)
      .toResolvedValue(() =>
        measuredNetwork(
          metrics,
          chosen.type,
          chosen.type === 'http'
            ? httpQrNetwork({ ...chosen.options, statusTimeoutMs })
            : openHub({
                ...chosen.options,
                statusTimeoutMs,
                now: clock.now,
                monotonic: systemMonotonic,
                onUnfamiliar: (unfamiliar) =>
                  log.warn({ unfamiliar }, 'OpenHub answered with a name that its documentation lacks'),
              }),
        ),
      )
      .onDeactivation((network) => network.stop())
  })

/** The sender to the gateways of mails and alerts. Their URLs are settings, so that they may be of the operator's own network. */
export const noticeSenderModule = (): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(HTTP_NOTICE_SENDER)
      .toResolvedValue(() => httpWebhookSender({ allowPrivate: true, userAgent: 'Quipu-Notices/1' }))
      .onDeactivation((sender) => sender.stop())
  })

export const chainModule = (settings: TronWorkerSettings, metrics: Metrics): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(CHAIN)
      .toResolvedValue(() => tronChain(settings, chainCalls(metrics)))
      .onDeactivation((chain) => chain.stop())
  })

/** The sender of webhooks, and the queue if one is configured. */
export const senderModule = (context: WorkerContext<WebhookWorkerSettings>): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const { settings } = context
    bind(HTTP_SENDER)
      .toResolvedValue(() =>
        measuredSender(
          context.metrics,
          httpWebhookSender({
            allowPrivate: settings.WEBHOOK_ALLOW_PRIVATE,
            // WEBHOOK_PER_ENDPOINT bounds each endpoint: endpoints of one origin do not share a bound.
            connectionsPerOrigin: settings.WEBHOOK_CONCURRENCY,
          }),
        ),
      )
      .onDeactivation((sender) => sender.stop())
    bind(QUEUE)
      .toResolvedValue(() => webhookQueue(context))
      .onDeactivation((queue) => queue?.stop())
  })
