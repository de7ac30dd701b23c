import type {
  Authenticate,
  CreatePayout,
  CreateQuote,
  EnsureTopUpAddress,
  ManageApiKeys,
  ManageTenants,
  Reconcile,
  ResolveQr,
  ReviewDeposits,
  RotateTopUpAddress,
  SandboxQrIssuer,
} from '@quipu/core'
import type { NetworkCallbacks } from '@quipu/qr-network'
import { referencePage, type TryServer } from '@quipu/reference'
import { operatorOpenApi, publicOpenApi } from '@quipu/wire'
import { ContainerModule } from 'inversify'
import type { Extension } from '../extension.ts'
import type { Figures } from '../metrics/api-metrics.ts'
import type { FailedAttemptLimit } from '../http/limit/failed-attempts.ts'
import { lazy } from './lazy.ts'
import type { Limit } from '../http/limit/rate-limit.ts'
import type { Health } from '../http/health-routes.ts'
import { operatorApp, type OperatorSettings } from '../operator/operator-app.ts'
import { publicApp, type PublicSettings } from '../public/public-app.ts'
import type { AppSettings } from '../settings/settings.ts'
import {
  AUTHENTICATE,
  CALLBACKS,
  CREATE_PAYOUT,
  CREATE_QUOTE,
  ENSURE_TOP_UP,
  EXTENSION,
  FAUCET,
  type Faucet,
  FIGURES,
  MANAGE_KEYS,
  MANAGE_TENANTS,
  OPERATOR_APP,
  PUBLIC_APP,
  RECONCILE,
  RESOLVE_QR,
  REVIEW_DEPOSITS,
  ROTATE_TOP_UP,
  SANDBOX_QRS,
  type Stores,
  STORES,
  type System,
  SYSTEM,
  WEBHOOK_ACTIONS,
  type WebhookActions,
} from '../ports.ts'

/** The Express app of the public API. */
export const publicModule = (settings: AppSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(PUBLIC_APP)
      .toResolvedValue(
        (
          authenticate: Authenticate,
          createPayout: CreatePayout,
          resolveQr: ResolveQr,
          createQuote: CreateQuote,
          ensureTopUpAddress: EnsureTopUpAddress | undefined,
          reconcile: Reconcile,
          sandboxQrs: SandboxQrIssuer | undefined,
          faucet: Faucet | undefined,
          callbacks: NetworkCallbacks | undefined,
          webhookActions: WebhookActions | undefined,
          stores: Stores,
          system: System,
          figures: Figures,
          extension: Extension,
        ) => {
          const paying = { createPayout, resolveQr, createQuote, callbacks }
          const others = { ensureTopUpAddress, reconcile, webhookActions }
          const health = healthOf(stores, system)
          const inBackground = system.background.run
          const ports = { authenticate, ...paying, ...others, ...stores, ...system, figures }
          const sandbox = { sandboxQrs, faucet, faucetSends: stores.faucet }
          return publicApp(
            { ...ports, ...sandbox, health, inBackground, ...extension },
            publicSettings(settings, extension),
          )
        },
        [
          AUTHENTICATE,
          CREATE_PAYOUT,
          RESOLVE_QR,
          CREATE_QUOTE,
          ENSURE_TOP_UP,
          RECONCILE,
          SANDBOX_QRS,
          FAUCET,
          CALLBACKS,
          WEBHOOK_ACTIONS,
          STORES,
          SYSTEM,
          FIGURES,
          EXTENSION,
        ],
      )
      .inSingletonScope()
  })

/** The Express app of the operators, who also read the figures. */
export const operatorModule = (settings: AppSettings): ContainerModule =>
  new ContainerModule(({ bind }) => {
    bind(OPERATOR_APP)
      .toResolvedValue(
        (
          manageTenants: ManageTenants,
          manageKeys: ManageApiKeys,
          reviewDeposits: ReviewDeposits,
          rotateTopUpAddress: RotateTopUpAddress,
          stores: Stores,
          system: System,
          figures: Figures,
        ) => {
          const useCases = { manageTenants, manageKeys, reviewDeposits, rotateTopUpAddress }
          const health = healthOf(stores, system)
          const inBackground = system.background.run
          const ports = { ...useCases, ...stores, ...system, figures, health, inBackground }
          return operatorApp(ports, operatorSettings(settings))
        },
        [MANAGE_TENANTS, MANAGE_KEYS, REVIEW_DEPOSITS, ROTATE_TOP_UP, STORES, SYSTEM, FIGURES],
      )
      .inSingletonScope()
  })

const healthOf = ({ ping }: Stores, { isServing, timer, clockAheadMs }: System): Health => ({
  isServing,
  clockAheadMs: clockAheadMs ?? (() => 0),
  pingDatabase: ping,
  timer,
})

const failedKeysPerSecond = 10

const failedAttemptLimit = (settings: AppSettings): FailedAttemptLimit => ({
  perSecond: settings.RATE_LIMIT_FAILED_KEYS ?? failedKeysPerSecond,
  ipv6PrefixBits: settings.RATE_LIMIT_IPV6_PREFIX,
})

/** Keys that need no sign-up. @source spec §1 */
const freeKeyPrefix = 'qpu_mock_'

/** Where the reference page sends what is tried: here, or to the example server that the operator names. */
function tryServers(
  { EXAMPLE_URL: url, ENVIRONMENT }: AppSettings,
  isExample: boolean,
): TryServer[] {
  const own = { name: 'This server', url: '', ...ownExamples(ENVIRONMENT, isExample) }
  return url === undefined ? [own] : [own, { name: 'Example server', url, freeKeyPrefix }]
}

/** The document's QRs are the example server's; a sandbox issues its own. */
function ownExamples(
  environment: AppSettings['ENVIRONMENT'],
  isExample: boolean,
): Pick<TryServer, 'freeKeyPrefix' | 'examplesFrom'> {
  if (isExample) return { freeKeyPrefix }
  return environment === 'sandbox' ? { examplesFrom: 'createSandboxQr' } : {}
}

function publicSettings(settings: AppSettings, { isExample = false }: Extension): PublicSettings {
  const { ENVIRONMENT: environment, TRUSTED_PROXIES: trustedProxies } = settings
  const perSecond: Limit = environment === 'production' ? 100 : 25
  const webhookHeaderPrefix = settings.WEBHOOK_HEADER_PREFIX
  const openApi = lazy(() =>
    JSON.stringify(publicOpenApi({ environment, isExample, webhookHeaderPrefix })),
  )
  return {
    trustedProxies,
    answerWithinMs: settings.ANSWER_WITHIN_MS,
    rateLimits: {
      reads: settings.RATE_LIMIT_READS ?? perSecond,
      writes: settings.RATE_LIMIT_WRITES ?? perSecond,
      failedKeys: failedAttemptLimit(settings),
    },
    creditedByItself: {
      minimumAmount: settings.DEPOSIT_MINIMUM,
      maximumAmount: settings.DEPOSIT_AUTO_LIMIT,
    },
    openApi,
    reference: () => referencePage(openApi(), 'v1/openapi.json', tryServers(settings, isExample)),
  }
}

const operatorSettings = (settings: AppSettings): OperatorSettings => ({
  trustedProxies: settings.TRUSTED_PROXIES,
  operatorTokens: settings.OPERATOR_TOKENS,
  failedTokens: failedAttemptLimit(settings),
  openApi: lazy(() => JSON.stringify(operatorOpenApi())),
})
