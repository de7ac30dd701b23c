import { ownApiKeyPaths } from '../api-key/api-key.ts'
import { unroutedResponses } from './unrouted-responses.ts'
import { contact, license, makeDocument, type OpenApiDocument } from './document.ts'
import { requestPaths } from '../request/request-paths.ts'
import { deliveryPaths } from '../webhook/delivery.ts'
import { depositPaths } from '../deposit/deposit-paths.ts'
import { describeApi } from './description.ts'
import { tenantCodes } from '../explanation/code-explanations.ts'
import { eventPaths } from '../event/event-paths.ts'
import { mockPaths } from '../mock/mock.ts'
import { payoutPaths } from '../payout/payout-paths.ts'
import { quotePaths } from '../quote/quote-paths.ts'
import { sandboxPaths } from '../sandbox/sandbox-paths.ts'
import { defaultLimits, type StatedLimits } from '../text/limits.ts'
import { documentPaths, healthPaths } from '../service/service-paths.ts'
import { serviceStatusPaths } from '../service/service-status.ts'
import { statementPaths } from '../statement/statement.ts'
import { walletPaths } from '../ledger/wallet-paths.ts'
import { webhookPaths } from '../webhook/webhook-paths.ts'
import { webhooks } from '../event/event-requests.ts'

/** Options of the OpenAPI document of tenants. */
export type PublicOpenApiOptions = {
  /** The base URL of the paths, without `/v1`. Default: the host that serves the document. */
  readonly serverUrl?: string
  /** Production has no sandbox paths. Default: sandbox. */
  readonly environment?: 'sandbox' | 'production'
  /** Adds the operations of the example server. */
  readonly isExample?: boolean
  /** Prefix of the signature headers of events. Default: `X-Service-`. */
  readonly webhookHeaderPrefix?: string
  /** The addresses and CIDRs that webhooks come from. Default: not stated. */
  readonly webhookSources?: readonly string[] | undefined
  /** Default: the core's. */
  readonly limits?: Partial<StatedLimits>
}

/** The OpenAPI 3.1 document of the tenants' API. */
export const publicOpenApi = ({
  serverUrl = '/',
  environment = 'sandbox',
  isExample = false,
  webhookHeaderPrefix = 'X-Service-',
  webhookSources = [],
  limits = {},
}: PublicOpenApiOptions = {}): OpenApiDocument => {
  const stated = { ...defaultLimits, ...limits }
  const hasSandbox = environment === 'sandbox'
  return makeDocument({
    openapi: '3.1.0',
    info: {
      title: 'Quipu',
      version: '1.0.0',
      description: describeApi(webhookHeaderPrefix, stated, webhookSources),
      license,
      contact,
    },
    servers: [{ url: serverUrl }],
    tags: tagsOf(hasSandbox, isExample),
    paths: {
      ...payoutPaths,
      ...quotePaths,
      ...walletPaths,
      ...statementPaths,
      ...depositPaths,
      ...webhookPaths(stated),
      ...deliveryPaths,
      ...eventPaths,
      ...ownApiKeyPaths,
      ...requestPaths,
      ...serviceStatusPaths,
      ...(hasSandbox ? sandboxPaths : {}),
      ...(isExample ? mockPaths : {}),
      ...healthPaths,
      ...documentPaths,
    },
    webhooks: webhooks(webhookHeaderPrefix),
    components: { responses: unroutedResponses, securitySchemes: { ApiKey: apiKey } },
    'x-codes': tenantCodes(),
  })
}

const apiKey = {
  type: 'apiKey',
  in: 'header',
  name: 'X-API-Key',
  description: 'The tenant’s key. Each operation names the scope that it needs.',
} as const

const tagsOf = (hasSandbox: boolean, isExample: boolean): { readonly name: string; readonly description: string }[] => [
  { name: 'Payouts', description: 'Paying merchant QRs.' },
  { name: 'Quotes', description: 'Firm prices.' },
  { name: 'Wallet', description: 'The balance that payouts are paid from.' },
  { name: 'Deposits', description: 'Transfers to the wallet’s top-up address.' },
  {
    name: 'API keys',
    description: 'The keys of the account, without the keys themselves, and the requests that used them.',
  },
  ...(hasSandbox ? [{ name: 'Sandbox', description: 'For testing.' }] : []),
  ...(isExample ? [{ name: 'Example server', description: 'Operations of the example server alone.' }] : []),
  { name: 'Service', description: 'About the service itself. No key is needed.' },
  { name: 'Webhooks', description: 'Endpoints that events are sent to, and their deliveries.' },
  { name: 'Events', description: 'Changes of payouts and deposits: sent to webhook endpoints, and kept.' },
]
