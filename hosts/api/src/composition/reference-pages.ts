import type { Language, ReferenceOptions, TryServer, Walk } from '@quipu/reference'
import { mockKeyPrefix } from '@quipu/wire'
import type { AppSettings } from '../settings/settings.ts'

/** Paying a QR, from nothing but a key. */
const payQr: Readonly<Record<Language, Walk>> = {
  en: {
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
  },
  es: {
    title: 'Pagar un QR en cuatro llamadas',
    says: 'Cada paso usa las respuestas de los anteriores. Envíelos uno por uno o todos a la vez: con una clave del sandbox o del servidor de ejemplo no se mueve nada real.',
    steps: [
      {
        operation: 'createSandboxQr',
        title: '1. Obtenga un QR de prueba',
        says: 'En producción el comercio muestra el QR, y su app escanea el `content`.',
      },
      {
        operation: 'resolveQr',
        title: '2. Léalo',
        says: 'La respuesta tiene el comercio y el monto para mostrar al usuario final, y el `resolution_id`.',
      },
      {
        operation: 'createQuote',
        title: '3. Obtenga una cotización firme',
        says: 'Con el `resolution_id` el precio es para exactamente este QR. Muestre `source`, lo que el pago debita, y haga que el usuario final lo acepte antes de `expires_at`.',
      },
      {
        operation: 'createPayout',
        title: '4. Pague',
        says: 'El `transaction_id` es suyo: si se agota el tiempo, envíe el mismo cuerpo otra vez, y sigue siendo un solo pago. `status` dice cómo terminó.',
      },
      { operation: 'getWallet', title: 'Vea el saldo', says: '`available` bajó en el `source` de la cotización.' },
      {
        operation: 'listEvents',
        title: 'Vea el evento',
        says: 'Sus endpoints de webhooks reciben el mismo `payout.completed`, firmado.',
        query: { limit: '1' },
      },
    ],
  },
}

/** The tenants' page in each language. */
const inLanguages = {
  en: {
    otherLanguagePath: 'docs-es',
    guides: [
      'five-minutes',
      'tutorial',
      'retries',
      'webhooks',
      'api-keys',
      'reconciliation',
      'languages',
      'versions',
      'glossary',
    ],
    own: 'This server',
    example: 'Example server',
  },
  es: {
    otherLanguagePath: 'docs',
    guides: [
      'es-five-minutes',
      'es-tutorial',
      'es-retries',
      'es-webhooks',
      'es-api-keys',
      'es-reconciliation',
      'es-languages',
      'es-versions',
      'es-glossary',
    ],
    own: 'Este servidor',
    example: 'Servidor de ejemplo',
  },
} as const satisfies Readonly<Record<Language, object>>

/** The tenants' page. The walk needs the sandbox, which production does not have. */
export const publicReference = (settings: AppSettings, isExample: boolean, language: Language): ReferenceOptions => {
  const { otherLanguagePath, guides } = inLanguages[language]
  return {
    documentPath: 'v1/openapi.json',
    servers: tryServers(settings, isExample, language),
    guides,
    words: { 'X-Service-': settings.WEBHOOK_HEADER_PREFIX },
    language,
    otherLanguagePath,
    ...(settings.ENVIRONMENT === 'sandbox' && { walk: payQr[language] }),
  }
}

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
function tryServers(
  { EXAMPLE_URL: url }: Pick<AppSettings, 'EXAMPLE_URL'>,
  isExample: boolean,
  language: Language,
): TryServer[] {
  const names = inLanguages[language]
  const own = { name: names.own, url: '' }
  if (isExample) return [{ ...own, ...exampleServer }]
  return url === undefined ? [own] : [own, { name: names.example, url, ...exampleServer }]
}

const exampleServer = { freeKeyPrefix: mockKeyPrefix }
