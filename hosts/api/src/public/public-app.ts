import type { Express } from 'express'
import type {
  Authenticate,
  Clock,
  DepositStore,
  EventStore,
  FaucetStore,
  Monotonic,
  SandboxQrIssuer,
  Timer,
} from '@quipu/core'
import type { Logger } from '@quipu/runtime'
import type { Extension } from '../extension.ts'
import type { Figures } from '../metrics/api-metrics.ts'
import { answerInTime } from '../http/limit/deadline.ts'
import { baseApp, type BaseSettings } from '../http/base-app.ts'
import { errorHandler } from '../http/error-handler.ts'
import { type Health, healthRoutes } from '../http/health-routes.ts'
import { documentRoute } from '../http/document-route.ts'
import { type Page, pageRoute } from '../http/page-route.ts'
import { nothingHere } from '../http/routing.ts'
import { reportError, requestLog } from '../http/request-log.ts'
import { authentication, type RateLimits } from './authentication.ts'
import { type CallbackRoute, callbackRoute } from './callback-route.ts'
import type { Faucet, WebhookActions } from '../ports.ts'
import { type DeliveryRoutes, deliveryRoutes } from './delivery-routes.ts'
import { depositRoutes } from './deposit-routes.ts'
import { eventRoutes } from './event-routes.ts'
import { faucetRoute } from './faucet-route.ts'
import { type PayoutRoutes, payoutRoutes } from './payout-routes.ts'
import { type QuoteRoutes, quoteRoutes } from './quote-routes.ts'
import { sandboxRoutes } from './sandbox-routes.ts'
import { type AmountRange, type WalletRoutes, walletRoutes } from './wallet-routes.ts'
import { type WebhookRoutes, webhookRoutes } from './webhook-routes.ts'

export type PublicPorts = PayoutRoutes &
  QuoteRoutes &
  WalletRoutes &
  Pick<Extension, 'before' | 'routes'> &
  Omit<CallbackRoute, 'payouts'> & {
    readonly payouts: PayoutRoutes['payouts'] & CallbackRoute['payouts']
    readonly deposits: Pick<DepositStore, 'get' | 'list'>
    readonly webhooks: WebhookRoutes['webhooks']
    readonly deliveries: DeliveryRoutes['deliveries']
    readonly events: Pick<EventStore, 'get' | 'list'>
    /** Undefined in production: there are no test QRs. */
    readonly sandboxQrs: SandboxQrIssuer | undefined
    /** Undefined in production, and where no chain is given: there are no test tokens. */
    readonly faucet: Faucet | undefined
    readonly faucetSends: Pick<FaucetStore, 'get'>
    /** Undefined where webhooks cannot be sent or signed: there are no endpoints for them. */
    readonly webhookActions: WebhookActions | undefined
    readonly authenticate: Authenticate
    readonly figures: Figures
    readonly health: Health
    readonly now: Clock
    readonly monotonic: Monotonic
    readonly timer: Timer
    readonly log: Logger
  }

export type PublicSettings = BaseSettings & {
  readonly rateLimits: RateLimits
  /** Every request is answered by then, in milliseconds from its arrival. */
  readonly answerWithinMs: number
  readonly creditedByItself: AmountRange
  /** The text of the OpenAPI document. */
  readonly openApi: () => string
  /** Makes the page that shows it. */
  readonly reference: () => Page
}

/**
 * The tenants' API.
 *
 * Checks come in this order: key (401), rate (429), path and method (404, 405), scope (403), size,
 * type and syntax of the body (413, 415, 400), its members (400), and then the endpoint's own.
 *
 * @source spec §4, §5, §7; the order is assumed
 */
export function publicApp(ports: PublicPorts, settings: PublicSettings): Express {
  const { log, health, authenticate, now, figures } = ports
  const toLog = requestLog(log)
  const app = baseApp(settings, (end) => {
    toLog(end)
    figures.request('public', end)
  })
  app.use(answerInTime(ports, settings.answerWithinMs, reportError(log)))
  for (const handler of ports.before ?? []) app.use(handler)
  healthRoutes(app, health)
  documentRoute(app, '/v1/openapi.json', settings.openApi)
  pageRoute(app, '/docs', settings.reference)
  callbackRoute(app, ports)

  app.use(authentication(authenticate, settings.rateLimits, now))
  payoutRoutes(app, ports)
  quoteRoutes(app, ports)
  walletRoutes(app, ports, settings.creditedByItself)
  depositRoutes(app, ports.deposits)
  eventRoutes(app, ports.events)
  if (ports.webhookActions) {
    webhookRoutes(app, ports, ports.webhookActions)
    deliveryRoutes(app, ports)
  }
  if (ports.sandboxQrs) sandboxRoutes(app, ports.sandboxQrs)
  if (ports.faucet) faucetRoute(app, ports.faucet, ports.faucetSends)
  ports.routes?.(app)
  app.use(nothingHere)
  app.use(errorHandler(reportError(log)))
  return app
}
