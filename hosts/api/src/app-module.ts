import type {
  Authenticate,
  CreatePayout,
  CreateQuote,
  ManageKeys,
  ManageTenants,
  ResolveQr,
  SandboxQrIssuer,
} from '@quipu/core'
import type { NetworkCallbacks } from '@quipu/qr-network'
import { operatorOpenApi, publicOpenApi } from '@quipu/wire'
import { ContainerModule } from 'inversify'
import type { Limit } from './http/rate-limit.ts'
import type { Health } from './http/health-routes.ts'
import { operatorApp, type OperatorSettings } from './operator/operator-app.ts'
import { publicApp, type PublicSettings } from './public/public-app.ts'
import type { AppSettings } from './settings.ts'
import {
  AUTHENTICATE,
  CALLBACKS,
  CREATE_PAYOUT,
  CREATE_QUOTE,
  MANAGE_KEYS,
  MANAGE_TENANTS,
  OPERATOR_APP,
  PUBLIC_APP,
  RESOLVE_QR,
  SANDBOX_QRS,
  type Stores,
  STORES,
  type System,
  SYSTEM,
} from './tokens.ts'

/** The two Express apps over the use cases. */
export const appModule = (settings: AppSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(PUBLIC_APP)
      .toResolvedValue(
        (
          authenticate: Authenticate,
          createPayout: CreatePayout,
          resolveQr: ResolveQr,
          createQuote: CreateQuote,
          sandboxQrs: SandboxQrIssuer | undefined,
          callbacks: NetworkCallbacks | undefined,
          stores: Stores,
          system: System,
        ) => {
          const useCases = { authenticate, createPayout, resolveQr, createQuote, sandboxQrs }
          const health = healthOf(stores, system)
          const inBackground = system.background.run
          const ports = { ...useCases, ...stores, ...system, callbacks, health, inBackground }
          return publicApp(ports, publicSettings(settings))
        },
        [
          AUTHENTICATE,
          CREATE_PAYOUT,
          RESOLVE_QR,
          CREATE_QUOTE,
          SANDBOX_QRS,
          CALLBACKS,
          STORES,
          SYSTEM,
        ],
      )
      .inSingletonScope()
    bind(OPERATOR_APP)
      .toResolvedValue(
        (manageTenants: ManageTenants, manageKeys: ManageKeys, stores: Stores, system: System) => {
          const health = healthOf(stores, system)
          const ports = { manageTenants, manageKeys, ...stores, ...system, health }
          return operatorApp(ports, operatorSettings(settings))
        },
        [MANAGE_TENANTS, MANAGE_KEYS, STORES, SYSTEM],
      )
      .inSingletonScope()
  })

const healthOf = ({ ping }: Stores, { isServing, timer }: System): Health => ({
  isServing,
  pingDatabase: ping,
  timer,
})

const failedKeysPerSecond = 10

function publicSettings(settings: AppSettings): PublicSettings {
  const { ENVIRONMENT: environment, TRUSTED_PROXIES: trustedProxies } = settings
  const perSecond: Limit = environment === 'production' ? 100 : 25
  return {
    trustedProxies,
    rateLimits: {
      reads: settings.RATE_LIMIT_READS ?? perSecond,
      writes: settings.RATE_LIMIT_WRITES ?? perSecond,
      failedKeys: settings.RATE_LIMIT_FAILED_KEYS ?? failedKeysPerSecond,
    },
    openApi: JSON.stringify(publicOpenApi({ environment })),
  }
}

const operatorSettings = (settings: AppSettings): OperatorSettings => ({
  trustedProxies: settings.TRUSTED_PROXIES,
  operatorTokens: settings.OPERATOR_TOKENS,
  failedTokens: settings.RATE_LIMIT_FAILED_KEYS ?? failedKeysPerSecond,
  openApi: JSON.stringify(operatorOpenApi()),
})
