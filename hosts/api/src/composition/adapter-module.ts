import type { Clock, QrNetwork, RaiseAlert } from '@quipu/core'
import { systemMonotonic } from '@quipu/core/system'
import { openHub } from '@quipu/openhub'
import { type PostgresOptions, postgresStores, type PostgresStores } from '@quipu/postgres'
import { httpQrNetwork, httpSandboxQrIssuer, networkCallbacks } from '@quipu/qr-network'
import {
  alertUnreadable,
  chosenNetwork,
  isStandbyRequired,
  leaseTimes,
  type Logger,
  measuredDatabase,
  measuredNetwork,
  measuredScreening,
  type Metrics,
  type NetworkChoice,
  screeningOptions,
} from '@quipu/runtime'
import { ContainerModule, type ServiceIdentifier } from 'inversify'
import { type OpenedScreening, openScreening } from '@quipu/screening'
import { rateSource } from '../settings/rate-settings.ts'
import type { ApiSettings } from '../settings/settings.ts'
import { watchedRates } from '../fault/market-guard.ts'
import { symbol, NETWORK, RATES, SCREENING, STORES } from './symbols.ts'

/** The stores, with what only PostgreSQL has. */
export const POSTGRES_STORES = STORES as ServiceIdentifier<PostgresStores>

const OWN_SCREENING = symbol<OpenedScreening | undefined>('OpenedScreening')
const OWN_NETWORK = symbol<QrNetwork & { stop(): Promise<void> }>('QrNetwork')
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

/** Where test QRs come from; undefined in production, and where nobody issues them. */
function issuerOf(
  settings: ApiSettings,
  chosen: NetworkChoice,
): { readonly url: string; readonly token: string } | undefined {
  if (settings.ENVIRONMENT !== 'sandbox') return undefined
  if (chosen.type === 'http') return { url: chosen.options.url, token: chosen.options.token }
  const { OPENHUB_SANDBOX_QR_URL: url } = settings
  return url === undefined ? undefined : { url, token: 'none' }
}

export type AlertingLog = { readonly log: Logger; readonly raiseAlert: RaiseAlert }

/**
 * The database, the QR network and the source of rates.
 *
 * Deactivation closes all of them at once: wait for running requests and payments first.
 */
export const adapterModule = (
  settings: ApiSettings,
  now: Clock,
  metrics: Metrics,
  { log, raiseAlert }: AlertingLog,
): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const chosen = chosenNetwork(settings)
    const secret = settings.QR_NETWORK_CALLBACK_SECRET
    const { statusTimeoutMs } = leaseTimes(settings.REQUEST_LEASE_SECONDS)
    bind(OWN_NETWORK)
      .toResolvedValue(() =>
        chosen.type === 'http'
          ? httpQrNetwork({ ...chosen.options, statusTimeoutMs })
          : openHub({
              ...chosen.options,
              statusTimeoutMs,
              now,
              monotonic: systemMonotonic,
              onUnfamiliar: (unfamiliar) =>
                log.warn({ unfamiliar }, 'OpenHub answered with a name that its documentation lacks'),
            }),
      )
      .onDeactivation((network) => network.stop())
    bind(HTTP_SANDBOX_QRS)
      .toResolvedValue(() => {
        const issuer = issuerOf(settings, chosen)
        return issuer && httpSandboxQrIssuer(issuer)
      })
      .onDeactivation((issuer) => issuer?.stop())
    bind(NETWORK).toResolvedValue(
      (network, sandboxQrs) => ({
        network: measuredNetwork(metrics, chosen.type, network),
        sandboxQrs,
        callbacks: secret === undefined ? undefined : networkCallbacks({ secret }),
      }),
      [OWN_NETWORK, HTTP_SANDBOX_QRS],
    )
    bind(OWN_SCREENING)
      .toResolvedValue(() => openScreening(screeningOptions(settings, log, raiseAlert)))
      .onDeactivation((screening) => screening?.stop())
    bind(SCREENING).toResolvedValue((screening) => screening && measuredScreening(metrics, screening), [OWN_SCREENING])
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
              onUnreadable: alertUnreadable(raiseAlert),
            }),
          raiseAlert,
        ),
      )
      .onDeactivation((stores) => stores.close())
  })
