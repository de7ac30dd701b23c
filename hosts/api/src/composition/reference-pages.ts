import type { GuideName, ReferenceOptions, TryServer, Walk } from '@quipu/reference'
import { mockKeyPrefix } from '@quipu/wire'
import type { AppSettings } from '../settings/settings.ts'

/** Paying a QR, from nothing but a key. */
const payQr: Walk = {
  title: 'Pay a QR in four calls',
  says: 'Each step uses the answers of the steps before it. Send them one by one or all at once: nothing real moves with a key of the sandbox or of the example server.',
  steps: [
    {
      operation: 'createSandboxQr',
      title: '1. Get a test QR',
      says: 'In production a merchant shows the QR, and your app scans its `content`.',
    },
    {
      operation: 'resolveQr',
      title: '2. Read it',
      says: 'The answer has the merchant and the amount to show to the end user, and the `resolution_id`.',
    },
    {
      operation: 'createQuote',
      title: '3. Get a firm price',
      says: 'With the `resolution_id` the price is for exactly this QR. Show `source`, what the payment debits, and have the end user accept it before `expires_at`.',
    },
    {
      operation: 'createPayout',
      title: '4. Pay',
      says: 'The `transaction_id` is yours: after a timeout send the same body again, and it is still one payment. `status` says how it ended.',
    },
    { operation: 'getWallet', title: 'See the balance', says: '`available` is less by the `source` of the quote.' },
    {
      operation: 'listEvents',
      title: 'See the event',
      says: 'Your webhook endpoints get the same `payout.completed`, signed.',
      query: { limit: '1' },
    },
  ],
}

const guides: readonly GuideName[] = [
  'five-minutes',
  'tutorial',
  'retries',
  'webhooks',
  'reintentos',
  'webhooks-es',
  'api-keys',
  'reconciliation',
  'languages',
  'versions',
  'glossary',
]

/** The tenants' page. The walk needs the sandbox, which production does not have. */
export const publicReference = (settings: AppSettings, isExample: boolean): ReferenceOptions => ({
  documentPath: 'v1/openapi.json',
  servers: tryServers(settings, isExample),
  guides,
  words: { 'X-Service-': settings.WEBHOOK_HEADER_PREFIX },
  ...(settings.ENVIRONMENT === 'sandbox' && { walk: payQr }),
})

/** The operators' page: it reads ids from lists, and creates nothing by itself. */
export const operatorReference: ReferenceOptions = {
  documentPath: 'operator/v1/openapi.json',
  servers: [{ name: 'This server', url: '' }],
  guides: [
    'operations',
    'install',
    'deployment',
    'settings',
    'database',
    'metrics',
    'alerts',
    'tenants',
    'money',
    'checks',
    'keys',
    'upgrade',
    'restore',
    'accounting',
    'security',
    'glossary',
  ],
}

/** The servers that the reference page can send requests to: this one, and the configured example server. */
function tryServers({ EXAMPLE_URL: url }: Pick<AppSettings, 'EXAMPLE_URL'>, isExample: boolean): TryServer[] {
  const own = { name: 'This server', url: '' }
  if (isExample) return [{ ...own, ...exampleServer }]
  return url === undefined ? [own] : [own, { name: 'Example server', url, ...exampleServer }]
}

const exampleServer = { freeKeyPrefix: mockKeyPrefix }
