import type { ConsoleFiles } from '@quipu/console'
import { failedLogins } from '@quipu/runtime'
import type { Express } from 'express'
import { baseApp, type BaseSettings } from '../http/base-app.ts'
import { documentRoute } from '../http/document-route.ts'
import { errorHandler } from '../http/error-handler.ts'
import { type CountFailure, type FailedAttemptLimit, failedAttempts } from '../http/limit/failed-attempts.ts'
import { healthRoutes } from '../http/health-routes.ts'
import { type Page, pageRoute } from '../http/page-route.ts'
import { nothingHere } from '../http/routing.ts'
import { sourceOf } from '../http/limit/source-address.ts'
import { reportError, requestLog } from '../http/request-log.ts'
import { auditExports } from './audited-export.ts'
import { alertRoutes } from './operator-alert/alert-routes.ts'
import type { AppBase, Funding, Paying, Reporting, Sweeping, Tenancy } from '../ports.ts'
import { activityRoutes } from './activity/activity-routes.ts'
import { auditRoutes } from './audit/audit-routes.ts'
import { depositRoutes } from './deposit/deposit-routes.ts'
import { differenceRoutes } from './difference/difference-routes.ts'
import { caseRoutes } from './case/case-routes.ts'
import { consoleRoutes } from './console/console-routes.ts'
import { faultRoutes } from './fault/fault-routes.ts'
import { keyRoutes } from './api-key/api-key-routes.ts'
import { keyUseRoute, type KeyUseRoute } from './key-ring/key-use-route.ts'
import { metricsRoute } from './metrics-route.ts'
import { type CountFailures, operatorAuthentication } from './session/operator-authentication.ts'
import { operatorTokenRoutes } from './operator-token/operator-token-routes.ts'
import { payoutDecisionRoutes } from './payout/payout-decision-routes.ts'
import { eventRoutes } from './event/event-routes.ts'
import { faucetSendRoutes } from './faucet/faucet-send-routes.ts'
import { quoteRoutes } from './quote/quote-routes.ts'
import { searchRoutes } from './search/search-routes.ts'
import { walletRoutes } from './ledger/wallet-routes.ts'
import { payoutRoutes } from './payout/payout-routes.ts'
import { payoutStopRoutes } from './payout/payout-stop-routes.ts'
import { proposalRoutes } from './proposal/proposal-routes.ts'
import { reconciliationRoutes } from './reconciliation/reconciliation-routes.ts'
import { networkRoutes } from './network/network-routes.ts'
import { rateRoutes } from './rate/rate-routes.ts'
import { refusals } from './refusals.ts'
import { tenantStatementRoutes } from './statement/statement-routes.ts'
import { oidcProvider } from './session/oidc.ts'
import { oidcRoutes } from './session/oidc-routes.ts'
import { secondFactors } from './session/second-factors.ts'
import { sessionListRoutes } from './session-list/session-list-routes.ts'
import { sessionRoutes } from './session/session-routes.ts'
import { reportRoutes } from './report/report-routes.ts'
import { screeningRoutes } from './screening/screening-routes.ts'
import type { SignInPolicy } from '../settings/sign-in-settings.ts'
import { sweepRoutes } from './sweep/sweep-routes.ts'
import { treasuryRoutes } from './treasury/treasury-routes.ts'
import { tenantRoutes } from './tenant/tenant-routes.ts'
import { endpointControlRoutes } from './webhook/endpoint-control-routes.ts'
import { endpointRoutes } from './webhook/endpoint-routes.ts'

export type OperatorPorts = AppBase & {
  readonly tenancy: Pick<Tenancy, 'manageTenants' | 'manageApiKeys' | 'controlEndpoints'>
  readonly paying: Pick<
    Paying,
    'operatePayouts' | 'stopPayouts' | 'manageQuoting' | 'confirmNetwork' | 'configuredNetwork'
  >
  readonly funding: Pick<
    Funding,
    | 'explainTransaction'
    | 'returnProblem'
    | 'manageProposals'
    | 'manageOperatorTokens'
    | 'requestReconciliation'
    | 'rotateTopUpAddress'
    | 'statements'
  >
  readonly sweeping: Sweeping | undefined
  readonly reporting: Reporting
  readonly keyIds: KeyUseRoute['keyIds']
}

export type OperatorAppSettings = BaseSettings & {
  readonly failedTokens: FailedAttemptLimit
  /** Signs checkpoints of the audit log. */
  readonly checkpointKey: Uint8Array | undefined
  /** The text of the OpenAPI document. */
  readonly openApi: () => string
  /** The reference page made from it. */
  readonly reference: () => Promise<Page>
  /** The files of the console. */
  readonly console: () => Promise<ConsoleFiles>
  readonly environment: 'sandbox' | 'production'
  readonly signIn: SignInPolicy
  /** Whether a floor of the network's liquidity is set. */
  readonly isLiquidityWatched: boolean
}

/** The operators' API, on a listener of its own. Its checks come in the order of the tenants' API. */
export function operatorApp(ports: OperatorPorts, settings: OperatorAppSettings): Express {
  const { stores, system, metrics, findFaults, tenancy, paying, funding, keyIds } = ports
  const audited = { ...stores, ...system }
  const logRequest = requestLog(system.log)
  const auditRefusal = refusals(audited)
  const app = baseApp(settings, 'trusted', (end) => {
    logRequest(end)
    metrics.recordRequest('operator', end)
    auditRefusal(end)
  })
  healthRoutes(app, ports.health)
  documentRoute(app, '/operator/v1/openapi.json', settings.openApi)
  pageRoute(app, '/docs', settings.reference)
  consoleRoutes(app, settings.console)

  const { perSecond, ipv6PrefixBits } = settings.failedTokens
  const countFailure = failedAttempts(ports.limits.limiter('tokens', perSecond), ipv6PrefixBits)
  const auditFailure = failedLogins(audited)
  const failedLogin: CountFailure = (req) => {
    auditFailure(sourceOf(req, ipv6PrefixBits))
    countFailure(req)
  }
  const failures: CountFailures = { login: failedLogin, session: countFailure }
  const { signIn } = settings
  const factors = secondFactors({ ...stores, ...system }, signIn.keys)
  const signing = { ...stores, ...system, ...settings, factors, countFailure: failures }
  const oidc = signIn.oidc && oidcProvider(signIn.oidc)
  sessionRoutes(app, { ...signing, oidc })
  if (oidc && signIn.oidc && signIn.keys) oidcRoutes(app, { ...signing, oidc, client: signIn.oidc, keys: signIn.keys })
  app.use(operatorAuthentication({ ...stores, now: system.now, signIn }, failures))
  app.use(auditExports(audited))
  sessionListRoutes(app, { ...signing, ...stores })
  tenantRoutes(app, { ...tenancy, ...stores, now: system.now })
  tenantStatementRoutes(app, { ...stores, ...funding })
  keyRoutes(app, { ...tenancy, ...stores, now: system.now })
  depositRoutes(app, { ...funding, ...stores, now: system.now })
  payoutDecisionRoutes(app, { ...paying, ...funding, ...stores, now: system.now })
  operatorTokenRoutes(app, { ...funding, ...stores, now: system.now })
  activityRoutes(app, { ...stores, ...ports, ...settings, ...system, alerting: system.alerting })
  alertRoutes(app, { ...stores, ...ports, ...settings, ...system, alerting: system.alerting })
  searchRoutes(app, { ...stores, now: system.now })
  walletRoutes(app, stores)
  quoteRoutes(app, stores)
  faucetSendRoutes(app, stores)
  eventRoutes(app, stores)
  payoutStopRoutes(app, { ...paying, ...stores, now: system.now })
  payoutRoutes(app, { ...stores, now: system.now })
  proposalRoutes(app, { ...funding, ...stores, now: system.now })
  faultRoutes(app, { ...stores, findFaults })
  caseRoutes(app, { ...stores, ...system })
  differenceRoutes(app, { ...stores, now: system.now })
  reconciliationRoutes(app, { ...funding, ...stores })
  screeningRoutes(app, { ...funding, ...stores, now: system.now })
  reportRoutes(app, { ...ports.reporting, now: system.now })
  treasuryRoutes(app, { ...ports.reporting, now: system.now })
  sweepRoutes(app, { ...ports, ...stores })
  endpointRoutes(app, stores)
  endpointControlRoutes(app, tenancy)
  rateRoutes(app, paying)
  networkRoutes(app, { ...paying, ...stores })
  auditRoutes(app, { ...stores, ...settings })
  keyUseRoute(app, { ...stores, keyIds })
  metricsRoute(app, metrics.exposition)
  app.use(nothingHere)
  app.use(errorHandler(reportError(system.log)))
  return app
}
