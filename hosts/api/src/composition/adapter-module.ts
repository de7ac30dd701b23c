import type { Clock } from '@quipu/core'
import { postgresStores, type PostgresStores } from '@quipu/postgres'
import {
  httpQrNetwork,
  type HttpQrNetwork,
  httpSandboxQrIssuer,
  networkCallbacks,
} from '@quipu/qr-network'
import { ContainerModule, type ServiceIdentifier } from 'inversify'
import { rateSource } from '../settings/rate-settings.ts'
import type { ApiSettings } from '../settings/settings.ts'
import { CALLBACKS, NETWORK, RATES, SANDBOX_QRS, STORES } from '../ports.ts'

/**
 * What the settings name: a database, a QR network, a source of rates.
 *
 * All of it is deactivated at once: whoever stops the host first lets what is under way end.
 */
export const adapterModule = (settings: ApiSettings, now: Clock): ContainerModule =>
  new ContainerModule(({ bind }) => {
    const network = { url: settings.QR_NETWORK_URL, token: settings.QR_NETWORK_TOKEN }
    const secret = settings.QR_NETWORK_CALLBACK_SECRET
    bind(NETWORK as ServiceIdentifier<HttpQrNetwork>)
      .toResolvedValue(() => httpQrNetwork(network))
      .inSingletonScope()
      .onDeactivation((adapter) => adapter.stop())
    bind(SANDBOX_QRS as ServiceIdentifier<ReturnType<typeof httpSandboxQrIssuer> | undefined>)
      .toResolvedValue(() =>
        settings.ENVIRONMENT === 'sandbox' ? httpSandboxQrIssuer(network) : undefined,
      )
      .inSingletonScope()
      .onDeactivation((issuer) => issuer?.stop())
    bind(CALLBACKS).toConstantValue(secret === undefined ? undefined : networkCallbacks({ secret }))
    bind(RATES)
      .toResolvedValue(() => rateSource(settings, now))
      .inSingletonScope()
    bind(STORES as ServiceIdentifier<PostgresStores>)
      .toResolvedValue(() => postgresStores({ url: settings.DATABASE_URL }))
      .inSingletonScope()
      .onDeactivation((stores) => stores.close())
  })
