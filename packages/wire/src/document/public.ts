import type { ZodOpenApiObject } from 'zod-openapi'
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
import { type Language, type Text, bilingual } from '../text/text.ts'
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
  /** The language of summaries, descriptions and explained codes. Names and messages are in English. Default: `en`. */
  readonly language?: Language
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
  language = 'en',
}: PublicOpenApiOptions = {}): OpenApiDocument => {
  const stated = { ...defaultLimits, ...limits }
  const hasSandbox = environment === 'sandbox'
  const described: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Quipu',
      version: '1.0.0',
      description: describeApi[language](webhookHeaderPrefix, stated, webhookSources),
      license,
      contact,
    },
    servers: [{ url: serverUrl }],
    tags: tagsOf(hasSandbox, isExample, language),
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
  }
  return makeDocument(described, language)
}

const apiKey = {
  type: 'apiKey',
  in: 'header',
  name: 'X-API-Key',
  ...bilingual({
    description: {
      en: 'The tenant’s key. Each operation names the scope that it needs.',
      es: 'La clave de la empresa. Cada operación nombra el alcance que necesita.',
    },
  }),
} as const

const tags = {
  Payouts: { name: 'Pagos', en: 'Paying merchant QRs.', es: 'Pagar códigos QR de comercios.' },
  Quotes: { name: 'Cotizaciones', en: 'Firm prices.', es: 'Precios firmes.' },
  Wallet: { name: 'Saldo', en: 'The balance that payouts are paid from.', es: 'El saldo del que salen los pagos.' },
  Deposits: {
    name: 'Depósitos',
    en: 'Transfers to the wallet’s top-up address.',
    es: 'Transferencias a la dirección de recarga.',
  },
  'API keys': {
    name: 'Claves de API',
    en: 'The keys of the account, without the keys themselves, and the requests that used them.',
    es: 'Las claves de la empresa, sin las claves mismas, y las solicitudes que las usaron.',
  },
  Sandbox: { name: 'Sandbox', en: 'For testing.', es: 'Para pruebas.' },
  'Example server': {
    name: 'Servidor de ejemplo',
    en: 'Operations of the example server alone.',
    es: 'Operaciones que solo tiene el servidor de ejemplo.',
  },
  Service: {
    name: 'Servicio',
    en: 'About the service itself. No key is needed.',
    es: 'Sobre el servicio mismo. No se necesita clave.',
  },
  Webhooks: {
    name: 'Webhooks',
    en: 'Endpoints that events are sent to, and their deliveries.',
    es: 'Endpoints a los que se envían eventos, y sus entregas.',
  },
  Events: {
    name: 'Eventos',
    en: 'Changes of payouts and deposits: sent to webhook endpoints, and kept.',
    es: 'Cambios de pagos y depósitos: se envían a los endpoints de webhooks y se conservan.',
  },
} as const satisfies Readonly<Record<string, Text & { readonly name: string }>>

/** Operations name a tag by its English name; `x-displayName` is its name for readers. */
const tagsOf = (hasSandbox: boolean, isExample: boolean, language: Language) =>
  Object.entries(tags)
    .filter(([name]) => (name === 'Sandbox' ? hasSandbox : name === 'Example server' ? isExample : true))
    .map(([name, tag]) => ({
      name,
      description: tag[language],
      ...(language !== 'en' && { 'x-displayName': tag.name }),
    }))
