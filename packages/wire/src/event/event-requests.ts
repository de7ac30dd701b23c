import { defaultToleranceSeconds, signWebhook, usdt } from '@quipu/core'
import { attemptTimeoutSeconds, type OutgoingEvent } from '@quipu/core/adapter'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { depositToJson } from '../deposit/deposit-to-json.ts'
import { depositEvent, payoutEvent, walletEvent, type WebhookTestEventJson, webhookTestEvent } from './event.ts'
import { instantToJson } from '../json/instant.ts'
import { walletBalanceToJson } from '../ledger/wallet-balance-to-json.ts'
import { payoutToJson } from '../payout/payout-to-json.ts'
import { payouts, position, wallet as exampleWallet } from '../openapi/example.ts'
import { closedDeposit, deposits } from '../openapi/funding-example.ts'
import { bilingual, type Text } from '../text/text.ts'
import { endpoint, secret } from '../webhook/webhook-example.ts'

type Described = { readonly summary: Text; readonly schema: z.ZodType; readonly data: unknown }

const payout = (name: keyof typeof payouts, summary: Text): Described => ({
  summary,
  schema: payoutEvent,
  data: payoutToJson(payouts[name]),
})
const deposit = (data: keyof typeof deposits | typeof closedDeposit, summary: Text): Described => ({
  summary,
  schema: depositEvent,
  data: depositToJson(typeof data === 'string' ? deposits[data] : data),
})

const wallet = (available: bigint, { en, es }: Text): Described => ({
  summary: {
    en: `${en} Sent to endpoints that name this type, not for \`*\`.`,
    es: `${es} Llega a los endpoints que nombran este tipo, no por \`*\`.`,
  },
  schema: walletEvent,
  data: walletBalanceToJson({ ...exampleWallet, available: usdt(available) }),
})

const events: Readonly<Record<OutgoingEvent['type'], Described>> = {
  'payout.completed': payout('completed', {
    en: 'The merchant was paid. Final.',
    es: 'El comercio cobró. Definitivo.',
  }),
  'payout.failed': payout('failed', {
    en: 'The network refused the payment; the held USDT is released.',
    es: 'La red rechazó el pago; lo retenido en USDT se libera.',
  }),
  'payout.cancelled': payout('cancelled', {
    en: 'The payout ended before paying; nothing was debited.',
    es: 'El pago terminó antes de pagarse; no se debitó nada.',
  }),
  'payout.refunded': payout('completed', {
    en: 'The network returned the payment, and the payout’s price was credited to the wallet, once. The payout stays `completed`; the wallet’s transaction names it and has the amount.',
    es: 'La red devolvió el pago, y su precio se acreditó al saldo, una sola vez. El pago sigue `completed`; el movimiento del saldo lo nombra y tiene el monto.',
  }),
  'deposit.pending': deposit('pending', {
    en: 'A transfer to the top-up address was observed and is not confirmed yet; nothing is credited.',
    es: 'Se observó una transferencia a la dirección de recarga, aún sin confirmar; no se acreditó nada.',
  }),
  'deposit.credited': deposit('credited', {
    en: 'The transfer confirmed and was credited. Final.',
    es: 'La transferencia se confirmó y se acreditó. Definitivo.',
  }),
  'deposit.in_review': deposit('in_review', {
    en: 'The transfer could not be credited automatically; `deposit.credited` follows if the review credits it, and `deposit.closed` if it does not.',
    es: 'La transferencia no se pudo acreditar automáticamente; sigue `deposit.credited` si la revisión la acredita, y `deposit.closed` si no.',
  }),
  'deposit.closed': deposit(closedDeposit, {
    en: 'The review ended without a credit: `closed_at` and `close_reason` say when and why. Final.',
    es: 'La revisión terminó sin acreditar: `closed_at` y `close_reason` dicen cuándo y por qué. Definitivo.',
  }),
  'wallet.balance_low': wallet(499_796_647n, {
    en: 'Less than the wallet’s threshold is available. Sent once.',
    es: 'Hay disponible menos que el umbral del saldo. Se envía una vez.',
  }),
  'wallet.balance_restored': wallet(989_796_647n, {
    en: 'The threshold or more is available again. Sent once.',
    es: 'Vuelve a haber disponible el umbral o más. Se envía una vez.',
  }),
  'webhook.test': {
    summary: {
      en: 'Sent by `POST /v1/webhooks/{id}/test` only, and never retried.',
      es: 'Lo envía solo `POST /v1/webhooks/{id}/test`, y nunca se reintenta.',
    },
    schema: webhookTestEvent,
    data: { webhook_id: endpoint.id } satisfies WebhookTestEventJson['data'],
  },
}

/**
 * The requests that the service sends. @source spec §6
 *
 * @param headerPrefix  the prefix of the two signature headers: the operator's brand
 */
export const webhooks = (headerPrefix: string): ZodOpenApiPathsObject =>
  Object.fromEntries(
    Object.entries(events).map(([type, { summary, schema, data }]) => {
      const event = eventOf(type, data)
      const post = {
        operationId: operationId(type),
        tags: ['Events'],
        ...bilingual({ summary }),
        security: [],
        requestParams: { header: signatureHeaders(headerPrefix, event) },
        requestBody: {
          required: true,
          content: { 'application/json': { schema, examples: { [type]: { value: event } } } },
        },
        responses: {
          '2XX': {
            ...bilingual({
              description: {
                en: `Received. Answer within ${attemptTimeoutSeconds} seconds and work afterwards.`,
                es: `Recibido. Responda en ${attemptTimeoutSeconds} segundos y trabaje después.`,
              },
            }),
          },
        },
      }
      return [type, { post }]
    }),
  )

/** `onPayoutCompleted`, `onDepositInReview`. */
const operationId = (type: string): string =>
  `on${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}`

/** The headers of an event, signed with the example's secret. */
const signatureHeaders = (prefix: string, event: { readonly id: string }) =>
  z.object({
    [`${prefix}Signature`]: z
      .string()
      .regex(/^t=[0-9]+(?:,v1=[0-9a-f]{64})+$/)
      .meta({
        description: `\`t=<unix seconds>,v1=<hex>\`: HMAC-SHA256 of \`<t>.<raw body>\` with the endpoint’s secret, one \`v1\` for each that is valid. Compare in constant time, and refuse a \`t\` older than ${defaultToleranceSeconds} seconds.`,
        examples: [signWebhook([secret], new TextEncoder().encode(JSON.stringify(event)), sentAt)],
      }),
    [`${prefix}Event-Id`]: z.string().meta({ description: 'Equal to the envelope’s `id`.', examples: [event.id] }),
  })

const recordedAt = new Date(position.createdAt.getTime() + 1004)
const sentAt = new Date(position.createdAt.getTime() + 1020)

const eventOf = (type: string, data: unknown) => ({
  id: '019aa1f4-54f0-7000-8000-00000000000b',
  type,
  event_version: 1,
  occurred_at: instantToJson(new Date(position.createdAt.getTime() + 1000)),
  recorded_at: instantToJson(recordedAt),
  data,
})
