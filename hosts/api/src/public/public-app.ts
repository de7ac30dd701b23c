import type { Express } from 'express'
import type { Extension } from '../extension.ts'
import { answerInTime } from '../http/deadline.ts'
import { baseApp, type BaseSettings } from '../http/base-app.ts'
import { errorHandler } from '../http/error-handler.ts'
import { healthRoutes } from '../http/health-routes.ts'
import { documentRoute } from '../http/document-route.ts'
import { type Page, pageRoute } from '../http/page-route.ts'
import { nothingHere } from '../http/routing.ts'
import { reportError, requestLog } from '../http/request-log.ts'
import type { AppBase, Funding, Paying, Tenancy, Webhooks } from '../ports.ts'
import { apiKeyRoutes } from './api-key-routes.ts'
import { authentication, type AuthenticationSettings } from './authentication.ts'
import { callbackRoute } from './callback-route.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { depositRoutes } from './deposit-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { faucetRoute } from './faucet-route.ts'
import { payoutRoutes } from './payout-routes.ts'
import { quoteRoutes } from './quote-routes.ts'
import { requestRoutes } from './request-routes.ts'
import { sandboxRoutes } from './sandbox-routes.ts'
import { statementRoutes } from './statement-routes.ts'
import { statusRoute } from './status-route.ts'
import { type AmountRange, walletRoutes } from './wallet-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'

export type PublicPorts = AppBase & {
  readonly tenancy: Pick<Tenancy, 'authenticate' | 'manageOwnKeys'>
  readonly paying: Paying
  readonly funding: Pick<
    Funding,
    'ensureTopUpAddress' | 'reconcile' | 'setLowBalanceThreshold' | 'statements' | 'faucet'
  >
  readonly webhooks: Webhooks | undefined
  readonly extension: Extension
}

export type PublicAppSettings = BaseSettings &
  AuthenticationSettings & {
    /** Deadline of every request, in milliseconds from its arrival. */
    readonly requestDeadlineMs: number
    /** Deposits in this range are credited without a review. */
    readonly automaticCredits: AmountRange
    /** The text of the OpenAPI document. */
    readonly openApi: () => string
    /** The reference page made from it. */
    readonly reference: () => Promise<Page>
    /** The same in Spanish. */
    readonly spanishReference: () => Promise<Page>
  }

/**
 * The tenants' API.
 *
 * Checks come in this order: key (401), rate (429), path and method (404, 405), scope (403), size,
 * type and syntax of the body (413, 415, 400), its members (400), and then the endpoint's own.
 *
 * @source spec §4, §5, §7; the order is assumed
 */
export function publicApp(ports: PublicPorts, settings: PublicAppSettings): Express {
  const { stores, system, metrics, journal, limits, paying, funding, webhooks, extension } = ports
  const report = reportError(system.log)
  const logRequest = requestLog(system.log)
  // A tenant must not decide what is recorded.
  const app = baseApp(settings, 'linked', (end) => {
    logRequest(end)
    journal.add(end)
    metrics.recordRequest('public', end)
  })
  app.use(answerInTime(system, settings.requestDeadlineMs, report))
  for (const handler of extension.before ?? []) app.use(handler)
  healthRoutes(app, ports.health)
  documentRoute(app, '/v1/openapi.json', settings.openApi)
  pageRoute(app, '/docs', settings.reference)
  pageRoute(app, '/docs-es', settings.spanishReference)
  callbackRoute(app, { ...system, ...paying })

  const authenticate = extension.authenticate ?? ports.tenancy.authenticate
  app.use(authentication(authenticate, settings, limits))
  payoutRoutes(app, { ...paying, ...stores })
  quoteRoutes(app, { ...paying, ...stores })
  walletRoutes(app, { ...stores, ...funding }, settings.automaticCredits)
  statementRoutes(app, funding)
  depositRoutes(app, stores.deposits)
  eventRoutes(app, stores.events)
  apiKeyRoutes(app, { ...stores, ...system, ...ports.tenancy })
  requestRoutes(app, stores.requests)
  statusRoute(app, { ...stores, ...system, findFaults: ports.findFaults })
  if (webhooks) {
    webhookRoutes(app, stores.webhooks, webhooks)
    deliveryRoutes(app, stores)
  }
  if (paying.sandboxQrs) sandboxRoutes(app, paying.sandboxQrs)
  if (funding.faucet) faucetRoute(app, funding.faucet, stores.faucet)
  extension.routes?.(app)
  app.use(nothingHere)
  app.use(errorHandler(report))
  return app
}
