import { createDocument } from 'zod-openapi'
import { answersMayGrow, license, type OpenApiDocument } from './document.ts'
import { deliveryPaths } from './delivery-paths.ts'
import { depositPaths } from './deposit-paths.ts'
import { eventPaths } from './event-paths.ts'
import { mockPaths } from './mock-paths.ts'
import { payoutPaths } from './payout-paths.ts'
import { quotePaths } from './quote-paths.ts'
import { sandboxPaths } from './sandbox-paths.ts'
import { documentPaths, healthPaths } from './service-paths.ts'
import { walletPaths } from './wallet-paths.ts'
import { webhookPaths } from './webhook-paths.ts'
import { webhooks } from './webhooks.ts'

const description = [
  'Pays Bolivian merchant QRs in bolivianos (BOB) out of a USDT balance.',
  'Amounts are decimal strings: USDT with six fraction digits, BOB with two, `rate` with four. Instants are ISO 8601 in UTC with milliseconds.',
  'An unknown body member, and a query parameter that is unknown, repeated or empty, is a 400: a typo in a money request is never dropped silently. So is `null` for a member that may be left out. The `message` of a 400 names every offending field and `details` repeats them one by one.',
  'Checks go in this order: 401; 404 and 405 for the path; 403; 413, 415 and malformed JSON; 400; then what the endpoint itself refuses. A path that does not exist is `404 NOT_FOUND`, a method that a path does not take `405 METHOD_NOT_ALLOWED` with `Allow`. Somebody else’s id is a 404 like one that does not exist.',
  'Answers may gain members and error codes: ignore members you do not know, and treat an unknown code by its status.',
].join('\n\n')

export type PublicOpenApiOptions = {
  /** The base URL that the paths are relative to, without `/v1`. Default: where the document lies. */
  readonly serverUrl?: string
  /** In production there are no sandbox paths. Default: sandbox. */
  readonly environment?: 'sandbox' | 'production'
  /** With what only the example server has. */
  readonly isExample?: boolean
  /** Of the signature headers of events. Default: `X-Service-`. */
  readonly webhookHeaderPrefix?: string
}

/** The OpenAPI 3.1 document of the tenants' API. */
export const publicOpenApi = ({
  serverUrl = '/',
  environment = 'sandbox',
  isExample = false,
  webhookHeaderPrefix = 'X-Service-',
}: PublicOpenApiOptions = {}): OpenApiDocument =>
  createDocument(
    {
      openapi: '3.1.0',
      info: { title: 'Quipu', version: '1.0.0', description, license },
      servers: [{ url: serverUrl }],
      tags: [
        { name: 'Payouts', description: 'Paying merchant QRs.' },
        { name: 'Quotes', description: 'Firm prices.' },
        { name: 'Wallet', description: 'The balance that payouts are paid from.' },
        { name: 'Deposits', description: 'What came in at the wallet’s top-up address.' },
        ...(environment === 'sandbox' ? [{ name: 'Sandbox', description: 'For testing.' }] : []),
        ...(isExample ? [{ name: 'Example server', description: 'Only there.' }] : []),
        { name: 'Service', description: 'About the service itself. No key is needed.' },
        {
          name: 'Webhooks',
          description: 'Where you are told what happens, and what became of it.',
        },
        { name: 'Events', description: 'What happened: sent to webhook endpoints, and kept.' },
      ],
      paths: {
        ...payoutPaths,
        ...quotePaths,
        ...walletPaths,
        ...depositPaths,
        ...webhookPaths,
        ...deliveryPaths,
        ...eventPaths,
        ...(environment === 'sandbox' ? sandboxPaths : {}),
        ...(isExample ? mockPaths : {}),
        ...healthPaths,
        ...documentPaths,
      },
      webhooks: webhooks(webhookHeaderPrefix),
      components: {
        securitySchemes: {
          ApiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'The tenant’s key. Each operation names the scope that it needs.',
          },
        },
      },
    },
    answersMayGrow,
  )
