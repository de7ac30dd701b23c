import { ContainerModule } from 'inversify'
import { operatorApp } from '../operator/operator-app.ts'
import { publicApp } from '../public/public-app.ts'
import type { AppSettings } from '../settings/settings.ts'
import { operatorAppSettings, publicAppSettings } from './app-settings.ts'
import {
  APP_BASE,
  EXTENSION,
  FUNDING,
  OPERATOR_APP,
  PAYING,
  PUBLIC_APP,
  SWEEPING,
  TENANCY,
  WEBHOOKS,
} from './symbols.ts'

export const appModule = (settings: AppSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(PUBLIC_APP).toResolvedValue(
      (base, tenancy, paying, funding, webhooks, extension) =>
        publicApp(
          { ...base, tenancy, paying, funding, webhooks, extension },
          publicAppSettings(settings, extension),
        ),
      [APP_BASE, TENANCY, PAYING, FUNDING, WEBHOOKS, EXTENSION],
    )
    bind(OPERATOR_APP).toResolvedValue(
      (base, tenancy, paying, funding, sweeping) =>
        operatorApp({ ...base, tenancy, paying, funding, sweeping }, operatorAppSettings(settings)),
      [APP_BASE, TENANCY, PAYING, FUNDING, SWEEPING],
    )
  })
