import { defaultEndpointPolicy } from '@quipu/core'
import { consoleFiles } from '@quipu/console'
import { referencePage, type TryServer } from '@quipu/reference'
import { retryPolicyOf } from '@quipu/runtime'
import { mockKeyPrefix, operatorOpenApi, publicOpenApi } from '@quipu/wire'
import type { Extension } from '../extension.ts'
import type { FailedAttemptLimit } from '../http/limit/failed-attempts.ts'
import type { OperatorAppSettings } from '../operator/operator-app.ts'
import type { PublicAppSettings } from '../public/public-app.ts'
import { type AppSettings, defaultRateLimits } from '../settings/settings.ts'
import { lazy } from '../http/lazy.ts'

export function publicAppSettings(
  settings: AppSettings,
  { isExample = false, endpointPolicy = defaultEndpointPolicy }: Extension,
): PublicAppSettings {
  const { ENVIRONMENT: environment, TRUSTED_PROXIES: trustedProxies } = settings
  const webhookHeaderPrefix = settings.WEBHOOK_HEADER_PREFIX
  const limits = { endpoints: endpointPolicy, retries: retryPolicyOf(settings) }
  const openApi = lazy(() =>
    JSON.stringify(publicOpenApi({ environment, isExample, webhookHeaderPrefix, limits })),
  )
  return {
    trustedProxies,
    answerWithinMs: settings.ANSWER_WITHIN_MS,
    rateLimits: {
      reads: settings.RATE_LIMIT_READS ?? defaultRateLimits[environment],
      writes: settings.RATE_LIMIT_WRITES ?? defaultRateLimits[environment],
      failedKeys: failedAttemptLimit(settings),
    },
    automaticCredits: {
      minimumAmount: settings.DEPOSIT_MINIMUM,
      maximumAmount: settings.DEPOSIT_AUTO_LIMIT,
    },
    openApi,
    reference: () => referencePage(openApi(), 'v1/openapi.json', tryServers(settings, isExample)),
  }
}

export function operatorAppSettings(settings: AppSettings): OperatorAppSettings {
  const openApi = lazy(() => JSON.stringify(operatorOpenApi()))
  return {
    trustedProxies: settings.TRUSTED_PROXIES,
    checkpointKey: settings.AUDIT_CHECKPOINT_KEY,
    failedTokens: failedAttemptLimit(settings),
    openApi,
    reference: () => referencePage(openApi(), 'operator/v1/openapi.json', [ownServer]),
    console: consoleFiles,
    environment: settings.ENVIRONMENT,
  }
}

const failedAttemptLimit = (settings: AppSettings): FailedAttemptLimit => ({
  perSecond: settings.RATE_LIMIT_FAILED_KEYS ?? defaultRateLimits.failedKeys,
  ipv6PrefixBits: settings.RATE_LIMIT_IPV6_PREFIX,
})

const ownServer: TryServer = { name: 'This server', url: '' }

/** The servers that the reference page can send requests to: this one, and the configured example server. */
function tryServers(
  { EXAMPLE_URL: url, ENVIRONMENT }: AppSettings,
  isExample: boolean,
): TryServer[] {
  const own = { ...ownServer, ...ownExamples(ENVIRONMENT, isExample) }
  const freeKeyPrefix = mockKeyPrefix
  return url === undefined ? [own] : [own, { name: 'Example server', url, freeKeyPrefix }]
}

/** The QRs in the document are the example server's; a sandbox issues its own. */
function ownExamples(
  environment: AppSettings['ENVIRONMENT'],
  isExample: boolean,
): Pick<TryServer, 'freeKeyPrefix' | 'examplesFrom'> {
  if (isExample) return { freeKeyPrefix: mockKeyPrefix }
  return environment === 'sandbox' ? { examplesFrom: 'createSandboxQr' } : {}
}
