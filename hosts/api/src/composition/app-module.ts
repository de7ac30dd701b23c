import { ContainerModule } from 'inversify'
import type { KeyUseRoute } from '../operator/key-ring/key-use-route.ts'
import { operatorApp } from '../operator/operator-app.ts'
import { publicApp } from '../public/public-app.ts'
import type { AppSettings } from '../settings/settings.ts'
import { operatorAppSettings, publicAppSettings } from './app-settings.ts'
import {
  symbol,
  APP_BASE,
  CHAIN,
  EXTENSION,
  FUNDING,
  OPERATOR_APP,
  PAYING,
  PUBLIC_APP,
  REPORTING,
  SWEEPING,
  TENANCY,
  WEBHOOK_PORTS,
  WEBHOOKS,
} from './symbols.ts'

const KEY_IDS = symbol<KeyUseRoute['keyIds']>('KeyIds')

export const appModule = (settings: AppSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(PUBLIC_APP).toResolvedValue(
      (base, tenancy, paying, funding, webhooks, extension) =>
        publicApp({ ...base, tenancy, paying, funding, webhooks, extension }, publicAppSettings(settings, extension)),
      [APP_BASE, TENANCY, PAYING, FUNDING, WEBHOOKS, EXTENSION],
    )
    bind(OPERATOR_APP).toResolvedValue(
      (base, tenancy, paying, funding, ...[sweeping, reporting, keyIds]) =>
        operatorApp({ ...base, tenancy, paying, funding, sweeping, reporting, keyIds }, operatorAppSettings(settings)),
      [APP_BASE, TENANCY, PAYING, FUNDING, SWEEPING, REPORTING, KEY_IDS],
    )
    bind(KEY_IDS).toResolvedValue(
      ({ topUps }, webhooks) => ({
        webhookSecrets: webhooks?.secretBox.keyIds,
        addressMacs: topUps?.addressMacKeys.map(({ id }) => id),
      }),
      [CHAIN, WEBHOOK_PORTS],
    )
  })
