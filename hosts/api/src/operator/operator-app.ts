import type { Express } from 'express'
import type { Clock } from '@quipu/core'
import type { Logger } from '@quipu/runtime'
import { baseApp, type BaseSettings } from '../http/base-app.ts'
import { documentRoute } from '../http/document-route.ts'
import { errorHandler } from '../http/error-handler.ts'
import { type FailedAttemptLimit, failedAttempts } from '../http/limit/failed-attempts.ts'
import { type Health, healthRoutes } from '../http/health-routes.ts'
import { nothingHere } from '../http/routing.ts'
import { sourceOf } from '../http/limit/source-address.ts'
import { reportError, requestLog } from '../http/request-log.ts'
import type { Figures } from '../metrics/api-metrics.ts'
import { type DepositRoutes, depositRoutes } from './deposit-routes.ts'
import { failedLogins, type FailedLoginsPorts } from './failed-logins.ts'
import { type KeyRoutes, keyRoutes } from './key-routes.ts'
import { metricsRoute } from './metrics-route.ts'
import { operatorAuthentication, type OperatorToken } from './operator-tokens.ts'
import { refusals, type RefusalsPorts } from './refusals.ts'
import { type TenantRoutes, tenantRoutes } from './tenant-routes.ts'

export type OperatorPorts = TenantRoutes &
  KeyRoutes &
  DepositRoutes &
  FailedLoginsPorts &
  RefusalsPorts & {
    readonly figures: Figures
    readonly health: Health
    readonly now: Clock
    readonly log: Logger
  }

export type OperatorSettings = BaseSettings & {
  readonly operatorTokens: readonly OperatorToken[]
  readonly failedTokens: FailedAttemptLimit
  /** The text of the OpenAPI document. */
  readonly openApi: () => string
}

/** The operator's API: another port, other credentials. Checks come in the order of the tenants'. */
export function operatorApp(ports: OperatorPorts, settings: OperatorSettings): Express {
  const { log, health, now, figures } = ports
  const toLog = requestLog(log)
  const toAudit = refusals(ports)
  const app = baseApp(settings, (end) => {
    toLog(end)
    figures.request('operator', end)
    toAudit(end)
  })
  healthRoutes(app, health)
  documentRoute(app, '/operator/v1/openapi.json', settings.openApi)

  const countFailure = failedAttempts(settings.failedTokens, now)
  const auditFailure = failedLogins(ports)
  app.use(
    operatorAuthentication(settings.operatorTokens, (req) => {
      auditFailure(sourceOf(req, settings.failedTokens.ipv6PrefixBits))
      countFailure(req)
    }),
  )
  tenantRoutes(app, ports)
  keyRoutes(app, ports)
  depositRoutes(app, ports)
  metricsRoute(app, figures.metrics)
  app.use(nothingHere)
  app.use(errorHandler(reportError(log)))
  return app
}
