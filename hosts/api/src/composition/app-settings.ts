import { defaultEndpointPolicy } from '@quipu/core'
import { keyKindOf } from '@quipu/core/adapter'
import { consoleFiles } from '@quipu/console'
import { type Language, referencePage } from '@quipu/reference'
import { retryPolicyOf } from '@quipu/runtime'
import { operatorOpenApi, publicOpenApi } from '@quipu/wire'
import type { Extension } from '../extension.ts'
import type { FailedAttemptLimit } from '../http/limit/failed-attempts.ts'
import type { OperatorAppSettings } from '../operator/operator-app.ts'
import type { PublicAppSettings } from '../public/public-app.ts'
import { type AppSettings, defaultRateLimits } from '../settings/settings.ts'
import { lazy } from '../http/lazy.ts'
import { signInPolicyOf } from '../settings/sign-in-settings.ts'
import { operatorReference, publicReference } from './reference-pages.ts'

export function publicAppSettings(
  settings: AppSettings,
  { isExample = false, endpointPolicy = defaultEndpointPolicy }: Extension,
): PublicAppSettings {
  const { ENVIRONMENT: environment, TRUSTED_PROXIES: trustedProxies } = settings
  const webhookHeaderPrefix = settings.WEBHOOK_HEADER_PREFIX
  const webhookSources = settings.WEBHOOK_SOURCE_ADDRESSES
  const limits = { endpoints: endpointPolicy, retries: retryPolicyOf(settings) }
  const documentIn = (language: Language): string =>
    JSON.stringify(publicOpenApi({ environment, isExample, webhookHeaderPrefix, webhookSources, limits, language }))
  const openApi = lazy(() => documentIn('en'))
  return {
    trustedProxies,
    docsUrl: settings.DOCS_URL,
    requestDeadlineMs: settings.ANSWER_WITHIN_MS,
    rateLimits: {
      reads: settings.RATE_LIMIT_READS ?? defaultRateLimits[environment],
      writes: settings.RATE_LIMIT_WRITES ?? defaultRateLimits[environment],
      failedKeys: failedAttemptLimit(settings),
    },
    keyKind: isExample ? 'mock' : keyKindOf(environment),
    automaticCredits: { minimumAmount: settings.DEPOSIT_MINIMUM, maximumAmount: settings.DEPOSIT_AUTO_LIMIT },
    openApi,
    reference: () => referencePage(openApi(), publicReference(settings, isExample, 'en')),
    spanishReference: () => referencePage(documentIn('es'), publicReference(settings, isExample, 'es')),
  }
}

export function operatorAppSettings(settings: AppSettings): OperatorAppSettings {
  const openApi = lazy(() => JSON.stringify(operatorOpenApi()))
  return {
    trustedProxies: settings.TRUSTED_PROXIES,
    docsUrl: settings.OPERATOR_DOCS_URL,
    checkpointKey: settings.AUDIT_CHECKPOINT_KEY,
    failedTokens: failedAttemptLimit(settings),
    openApi,
    reference: () => referencePage(openApi(), operatorReference),
    console: consoleFiles,
    environment: settings.ENVIRONMENT,
    signIn: signInPolicyOf(settings),
    isLiquidityWatched: typeof settings.NETWORK_LIQUIDITY_FLOOR_BOB === 'object',
  }
}

const failedAttemptLimit = (settings: AppSettings): FailedAttemptLimit => ({
  perSecond: settings.RATE_LIMIT_FAILED_KEYS ?? defaultRateLimits.failedKeys,
  ipv6PrefixBits: settings.RATE_LIMIT_IPV6_PREFIX,
})
