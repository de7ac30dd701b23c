import type { Clock } from '@quipu/core'
import { type PostgresOptions, postgresStores, type PostgresStores } from '@quipu/postgres'
import { httpQrNetwork, type HttpQrNetwork, httpSandboxQrIssuer, networkCallbacks } from '@quipu/qr-network'
import {
  alertUnreadable,
  isStandbyRequired,
  leaseTimes,
  logAlert,
  type Logger,
  measuredDatabase,
  measuredNetwork,
  type Metrics,
} from '@quipu/runtime'
import { ContainerModule, type ServiceIdentifier } from 'inversify'
import { rateSource } from '../settings/rate-settings.ts'
import type { ApiSettings } from '../settings/settings.ts'
import { watchedRates } from '../fault/market-guard.ts'
import { symbol, NETWORK, RATES, STORES } from './symbols.ts'

/** The stores, with what only PostgreSQL has. */
export const POSTGRES_STORES = STORES as ServiceIdentifier<PostgresStores>

const HTTP_NETWORK = symbol<HttpQrNetwork>('HttpQrNetwork')
type SandboxQrs = ReturnType<typeof httpSandboxQrIssuer>
const HTTP_SANDBOX_QRS = symbol<SandboxQrs | undefined>('HttpSandboxQrIssuer')

/** The standby that answers lists, and the lines about it. */
const replicaOf = ({ DATABASE_REPLICA_URL: url }: ApiSettings, log: Logger): PostgresOptions['replica'] =>
  url === undefined
    ? undefined
    : {
        url,
        changed: (reason) => {
          if (reason === undefined) log.info('the replica answers lists again')
          else log.warn({ reason }, 'the primary answers lists, as the replica cannot')
        },
      }

/**
 * The database, the QR network and the source of rates.
 *
 * Deactivation closes all of them at once: wait for running requests and payments first.
 */
export const adapterModule = (settings: ApiSettings, now: Clock, metrics: Metrics, log: Logger): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const server = { url: settings.QR_NETWORK_URL, token: settings.QR_NETWORK_TOKEN }
    const identity = settings.QR_NETWORK_IDENTITY
    const secret = settings.QR_NETWORK_CALLBACK_SECRET
    const { statusTimeoutMs } = leaseTimes(settings.LEASE_SECONDS)
    bind(HTTP_NETWORK)
      .toResolvedValue(() => httpQrNetwork({ ...server, identity, statusTimeoutMs }))
      .onDeactivation((network) => network.stop())
    bind(HTTP_SANDBOX_QRS)
      .toResolvedValue(() => (settings.ENVIRONMENT === 'sandbox' ? httpSandboxQrIssuer(server) : undefined))
      .onDeactivation((issuer) => issuer?.stop())
    bind(NETWORK).toResolvedValue(
      (network, sandboxQrs) => ({
        network: measuredNetwork(metrics, network),
        sandboxQrs,
        callbacks: secret === undefined ? undefined : networkCallbacks({ secret }),
      }),
      [HTTP_NETWORK, HTTP_SANDBOX_QRS],
    )
    bind(RATES).toResolvedValue(() => watchedRates(rateSource(settings, now)))
    bind(POSTGRES_STORES)
      .toResolvedValue(() =>
        measuredDatabase(
          metrics,
          (observer) =>
            postgresStores({
              url: settings.DATABASE_URL,
              isStandbyRequired: isStandbyRequired(settings),
              replica: replicaOf(settings, log),
              observer,
              onUnreadable: alertUnreadable(logAlert(log)),
            }),
          logAlert(log),
        ),
      )
      .onDeactivation((stores) => stores.close())
  })
