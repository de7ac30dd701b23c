import { defaultFaucetLimits as limits } from '@quipu/core'
import { z } from 'zod'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { parseNoQuery } from '../json/empty.ts'
import {
  faucetHeaders,
  faucetRecord,
  faucetRecordToJson,
  faucetRequest,
  faucetSend,
  faucetSendToJson,
  parseFaucetRequest,
} from '../faucet/faucet.ts'
import { parseSandboxQrRequest, sandboxQr, sandboxQrRequest, sandboxQrToJson } from './sandbox-qr.ts'
import * as example from '../openapi/example.ts'
import { send } from '../openapi/funding-example.ts'
import { uuid } from '../json/fields.ts'
import { amountText, durationText } from '../text/number-text.ts'
import { operation } from '../openapi/operation.ts'
import { created, ok } from '../openapi/answers.ts'

const tag = 'Sandbox'

const issueQr = operation({
  id: 'createSandboxQr',
  tag,
  summary: { en: 'Get a test QR', es: 'Obtener un QR de prueba' },
  description: {
    en: 'Payable any number of times until `expires_at`. In the sandbox only.',
    es: 'Se puede pagar cualquier cantidad de veces hasta `expires_at`. Solo en el sandbox.',
  },
  access: { scope: 'payouts:write' },
  body: {
    schema: sandboxQrRequest,
    examples: {
      closed: { amount_mode: 'closed', amount: '100.00', description: 'Order 123' },
      late: { amount_mode: 'open', scenario: 'late' },
    },
  },
  answers: created({ en: 'The QR.', es: 'El QR.' }, sandboxQr, {
    closed: sandboxQrToJson(example.sandboxQr, {
      png: 'data:image/png;base64,iVBORw0KGgo=',
      svg: '<svg xmlns="http://www.w3.org/2000/svg"/>',
    }),
  }),
  refused: parseSandboxQrRequest({ amount_mode: 'closed', scenario: 'lost' }),
  errors: ['NETWORK_UNAVAILABLE'],
})

const record = faucetRecordToJson(send, false)

const requestTokens = operation({
  id: 'requestTokens',
  tag,
  summary: { en: 'Get test tokens', es: 'Obtener tokens de prueba' },
  description: {
    en: [
      'Sends test tokens to a wallet that you control, never to a top-up address; send them on from',
      'there to fund your wallet. The transfer costs a little testnet TRX, which the faucet does not give.',
      'In the sandbox only.',
      '\n\nA retry with the same `Idempotency-Key` and body replays the first answer and sends nothing.',
      'A refused request does not use the key.',
      `\n\nAt most ${amountText(limits.perRequest)} at once; ${durationText(limits.spacingSeconds)} between requests;`,
      `${limits.requestsPerTenant} requests and ${amountText(limits.perTenant)} in ${durationText(limits.windowSeconds)}, and`,
      `${amountText(limits.perAddress)} to one address; and a total of all tenants in the same time.`,
    ].join(' '),
    es: `Envía tokens de prueba a una billetera que usted controle, nunca a una dirección de recarga; desde allí envíelos para recargar su saldo. La transferencia cuesta un poco de TRX de la red de pruebas, que el faucet no da. Solo en el sandbox.\n\nUn reintento con la misma \`Idempotency-Key\` y el mismo cuerpo devuelve la primera respuesta y no envía nada. Una solicitud rechazada no gasta la clave.\n\nComo máximo ${amountText(limits.perRequest)} por vez; ${durationText(limits.spacingSeconds, 'es')} entre solicitudes; ${limits.requestsPerTenant} solicitudes y ${amountText(limits.perTenant)} en ${durationText(limits.windowSeconds, 'es')}, y ${amountText(limits.perAddress)} a una misma dirección; y un total de todas las empresas en el mismo tiempo.`,
  },
  access: { scope: 'wallet:write' },
  header: faucetHeaders,
  body: { schema: faucetRequest, examples: { tokens: { chain: 'tron', address: send.address, amount: '100.00' } } },
  answers: created({ en: 'The transfer.', es: 'La transferencia.' }, faucetRecord, {
    submitted: record,
    replayed: { ...record, replayed: true },
  }),
  refused: parseFaucetRequest({ chain: 'eth', address: send.address, amount: '1e2' }, undefined, () => undefined),
  errors: [
    'IDEMPOTENCY_KEY_REUSED',
    'FAUCET_AMOUNT_TOO_LARGE',
    'TOP_UP_ADDRESS_NOT_ALLOWED',
    'RECIPIENT_NOT_ALLOWED',
    'FAUCET_TOO_SOON',
    'FAUCET_LIMIT_EXCEEDED',
    'FAUCET_EMPTY',
  ],
})

const submitted = faucetSendToJson(send)

const getTokens = operation({
  id: 'getTokens',
  tag,
  summary: { en: 'Read a transfer of test tokens', es: 'Leer una transferencia de tokens de prueba' },
  description: { en: 'In the sandbox only.', es: 'Solo en el sandbox.' },
  access: { scope: 'wallet:read' },
  path: z.object({ id: uuid.meta({ examples: [send.id] }) }),
  answers: ok({ en: 'The transfer in its present state.', es: 'La transferencia en su estado actual.' }, faucetSend, {
    submitted,
    confirmed: { ...submitted, status: 'confirmed' },
    failed: { ...submitted, status: 'failed' },
  }),
  refused: parseNoQuery('expand=transaction'),
  errors: ['NOT_FOUND'],
})

export const sandboxPaths: ZodOpenApiPathsObject = {
  '/v1/sandbox/qr-codes': { post: issueQr },
  '/v1/sandbox/faucet': { post: requestTokens },
  '/v1/sandbox/faucet/{id}': { get: getTokens },
}
