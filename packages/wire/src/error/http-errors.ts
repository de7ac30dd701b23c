import { defaultFaucetLimits as faucet } from '@quipu/core'
import { bodyBytesMax } from '../text/limits.ts'
import { durationText } from '../text/number-text.ts'
import { faucetRefusals } from './faucet-refusals.ts'
import { operatorAccessErrors } from './operator-access-errors.ts'
import { sweepErrors } from './sweep-errors.ts'
import { webhookErrors } from './webhook-errors.ts'

export type HttpErrorKind = {
  readonly status: number
  /** An answer has it in English. */
  readonly message: string
} & (
  | {
      /** The message in the Spanish documents. */
      readonly es: string
    }
  | {
      /** Only the operator listener answers with it. */
      readonly isOperatorOnly: true
    }
)

/** A state that does not allow what an operator asks for. */
const conflict = <Message extends string>(message: Message) => ({ status: 409, message, isOperatorOnly: true }) as const

/**
 * Every code an HTTP error may carry, with its status and its fixed message.
 *
 * @source spec §7 HTTP errors; codes that are not there are assumed
 */
export const httpErrors = {
  ...sweepErrors,
  ...webhookErrors,
  VALIDATION_FAILED: {
    status: 400,
    message: 'A field is missing or malformed.',
    es: 'Falta un campo o está mal formado.',
  },
  AUTHENTICATION_FAILED: {
    status: 401,
    message: 'The API key is missing, unknown, revoked or expired, or the tenant is suspended.',
    es: 'La clave de API falta, es desconocida, fue revocada o venció, o la empresa está suspendida.',
  },
  SCOPE_REQUIRED: {
    status: 403,
    message: 'The API key lacks the scope that this endpoint needs.',
    es: 'A la clave de API le falta el alcance (scope) que esta operación necesita.',
  },
  ADDRESS_NOT_ALLOWED: {
    status: 403,
    message: 'The API key may not be used from the address of this request.',
    es: 'La clave de API no puede usarse desde la dirección IP de esta solicitud.',
  },
  ...operatorAccessErrors,
  NOT_FOUND: { status: 404, message: 'There is nothing at this address.', es: 'No hay nada en esta dirección.' },
  PAYOUT_NOT_FOUND: { status: 404, message: 'There is no payout with this id.', es: 'No hay ningún pago con este id.' },
  QUOTE_NOT_FOUND: {
    status: 404,
    message: 'There is no quote with this id.',
    es: 'No hay ninguna cotización con este id.',
  },
  STATEMENT_NOT_FOUND: {
    status: 404,
    message: 'There is no statement of this day.',
    es: 'No hay extracto de este día.',
  },
  RESOLUTION_NOT_FOUND: {
    status: 404,
    message: 'There is no QR resolution with this id.',
    es: 'No hay ninguna lectura de QR con este id.',
  },
  DEPOSIT_NOT_FOUND: {
    status: 404,
    message: 'There is no deposit with this id.',
    es: 'No hay ningún depósito con este id.',
  },
  WEBHOOK_NOT_FOUND: {
    status: 404,
    message: 'There is no webhook endpoint with this id.',
    es: 'No hay ningún endpoint de webhooks con este id.',
  },
  DELIVERY_NOT_FOUND: {
    status: 404,
    message: 'The webhook endpoint has no delivery with this id.',
    es: 'El endpoint de webhooks no tiene ninguna entrega con este id.',
  },
  EVENT_NOT_FOUND: { status: 404, message: 'There is no event with this id.', es: 'No hay ningún evento con este id.' },
  TENANT_NOT_FOUND: { status: 404, message: 'There is no tenant with this id.', isOperatorOnly: true },
  OPERATOR_TOKEN_NOT_FOUND: { status: 404, message: 'No token has this id.', isOperatorOnly: true },
  LAST_ADMIN: {
    status: 409,
    message: 'This is the last active token of an admin: issue another admin’s token first.',
    isOperatorOnly: true,
  },
  OPERATOR_TOKEN_HASH_USED: {
    status: 409,
    message: 'Another operator token has this hash: make a new token.',
    isOperatorOnly: true,
  },
  API_KEY_NOT_FOUND: {
    status: 404,
    message: 'There is no API key with this id.',
    es: 'No hay ninguna clave de API con este id.',
  },
  API_KEY_NOT_ACTIVE: {
    status: 409,
    message: 'The API key is revoked or expired, or its proposal is not approved.',
    es: 'La clave de API fue revocada o venció, o su propuesta no está aprobada.',
  },
  API_KEY_IS_LAST: {
    status: 409,
    message: 'This is the only working key with keys:write: rotate it, with overlap_seconds 0 if it has leaked.',
    es: 'Es la única clave vigente con keys:write: rótela, con overlap_seconds 0 si se filtró.',
  },
  ALERT_GATEWAY_NOT_SET: conflict('OPERATOR_ALERT_URL is not set for the API: alerts are lines of the log alone.'),
  PROPOSAL_NOT_FOUND: { status: 404, message: 'There is no proposal with this id.', isOperatorOnly: true },
  DIFFERENCE_NOT_FOUND: { status: 404, message: 'There is no difference with this id.', isOperatorOnly: true },
  SCREENING_CASE_NOT_FOUND: {
    status: 404,
    message: 'There is no case of screening with this id.',
    isOperatorOnly: true,
  },
  MOVEMENT_NOT_FOUND: { status: 404, message: 'There is no movement with this id.', isOperatorOnly: true },
  RUN_NOT_FOUND: { status: 404, message: 'There is no run with this id.', isOperatorOnly: true },
  TOP_UP_ADDRESS_NOT_FOUND: { status: 404, message: 'The tenant has no top-up address.', isOperatorOnly: true },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This address does not take that method; `Allow` lists those it does.',
    es: 'Esta dirección no acepta ese método; `Allow` enumera los que acepta.',
  },
  REQUEST_TIMEOUT: {
    status: 408,
    message: 'The request was not complete in time.',
    es: 'La solicitud no llegó completa a tiempo.',
  },
  QUOTE_EXPIRED: {
    status: 409,
    message: 'The quote expired. Nothing was attempted. Get a new quote.',
    es: 'La cotización venció. No se intentó nada. Pida una cotización nueva.',
  },
  QUOTE_ALREADY_USED: {
    status: 409,
    message: 'Another payment used the quote. Nothing was attempted.',
    es: 'Otro pago usó la cotización. No se intentó nada.',
  },
  TRANSACTION_ID_REUSED: {
    status: 409,
    message: 'The transaction_id belongs to a payment with a different body.',
    es: 'El transaction_id pertenece a un pago con otro cuerpo.',
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 409,
    message: 'The Idempotency-Key belongs to a request with a different body.',
    es: 'La Idempotency-Key pertenece a una solicitud con otro cuerpo.',
  },
  DEPOSIT_NOT_IN_REVIEW: conflict('The deposit is still pending: the chain decides first.'),
  DEPOSIT_ALREADY_RESOLVED: conflict('The deposit is credited already, or its review was closed.'),
  DEPOSIT_NOT_UNSCREENED: conflict('The deposit is not in review for SENDER_NOT_SCREENED.'),
  SCREENING_CASE_DECIDED: conflict('The case has this decision, or is an outage, which ends by itself.'),
  TENANT_LISTED: conflict('The tenant is on a list: two people have to clear its case of screening first.'),
  DEPOSITS_NOT_OPEN: conflict('Some of the deposits are no open reviews of the tenant.'),
  PAYOUT_LEASED: conflict('The network is being queried about the payout. Try again in a moment.'),
  PAYOUT_ALREADY_ENDED: { status: 409, message: 'The payout has ended.', isOperatorOnly: true },
  PAYOUTS_NOT_STOPPED: conflict('Payouts are not stopped.'),
  PAYOUT_STATUS_NOT_QUERIED: conflict("The payout's status was not queried since its request. Query it first."),
  SETTLEMENT_CONTRADICTS_NETWORK: conflict(
    'The network answered another payment than this settlement. Compare both; `contradicts_network` settles it all the same.',
  ),
  PAYOUT_NOT_REFUNDABLE: conflict('The payout is not completed, or its source.amount is less than the refund.'),
  PAYOUT_ALREADY_REFUNDED: conflict('The payout has a refund, or an open proposal of one.'),
  NETWORK_CANNOT_CANCEL: conflict('This network cannot cancel a payment. Settle the payout by evidence.'),
  NETWORK_UNPROVEN: conflict(
    'The network does not know a payment that the books have as completed. What it cancels proves nothing.',
  ),
  PROPOSAL_EXPIRED: conflict('The proposal expired. Nothing moved. Propose it again.'),
  PROPOSAL_NOT_OPEN: conflict('The proposal is not open: it was approved, rejected or withdrawn.'),
  PROPOSAL_NOT_APPROVED: { status: 409, message: 'The proposal is not approved. Nothing moved.', isOperatorOnly: true },
  PROPOSAL_NOT_EXECUTED: {
    status: 409,
    message: 'The proposal is not executed: it has corrected nothing.',
    isOperatorOnly: true,
  },
  PROPOSAL_OF_ANOTHER_TENANT: {
    status: 409,
    message: 'The proposal is not of the tenant that the difference concerns.',
    isOperatorOnly: true,
  },
  DIFFERENCE_NOT_OPEN: {
    status: 409,
    message: 'The difference is not open: it is gone, or was closed.',
    isOperatorOnly: true,
  },
  MOVEMENT_RECORDED: {
    status: 409,
    message: 'A movement of this kind with this reference is on record. Reverse it first if it is wrong.',
    isOperatorOnly: true,
  },
  MOVEMENT_REVERSED: { status: 409, message: 'The movement is a reversal, or was reversed.', isOperatorOnly: true },
  BODY_TOO_LARGE: {
    status: 413,
    message: `The body is larger than ${bodyBytesMax / 1024} KiB.`,
    es: `El cuerpo mide más de ${bodyBytesMax / 1024} KiB.`,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'The body must be JSON, sent as application/json.',
    es: 'El cuerpo debe ser JSON, enviado como application/json.',
  },
  PAYOUT_TYPE_NOT_AVAILABLE: {
    status: 422,
    message: 'Payouts of type bank_transfer are not available yet. Nothing was attempted.',
    es: 'Los pagos de tipo bank_transfer aún no están disponibles. No se intentó nada.',
  },
  QR_REFUSED: {
    status: 422,
    message: 'The QR cannot be paid: it is unreadable, expired or not in bolivianos.',
    es: 'El QR no se puede pagar: es ilegible, venció o no está en bolivianos.',
  },
  DEPOSIT_NOT_CREDITABLE: {
    status: 422,
    message: 'The deposit can never be credited: its transfer was dropped, or its amount is too large. Close it.',
    isOperatorOnly: true,
  },
  ...faucetRefusals,
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests. Retry after the seconds in `Retry-After`.',
    es: 'Demasiadas solicitudes. Reintente tras los segundos de `Retry-After`.',
  },
  FAUCET_TOO_SOON: {
    status: 429,
    message: `The faucet sends once in ${durationText(faucet.spacingSeconds)}. Retry after the seconds in \`Retry-After\`.`,
    es: `El faucet envía una vez cada ${durationText(faucet.spacingSeconds, 'es')}. Reintente tras los segundos de \`Retry-After\`.`,
  },
  FAUCET_LIMIT_EXCEEDED: {
    status: 429,
    message: `A limit of the faucet for ${durationText(faucet.windowSeconds)} is reached. Retry after the seconds in \`Retry-After\`.`,
    es: `Se alcanzó un límite del faucet para ${durationText(faucet.windowSeconds, 'es')}. Reintente tras los segundos de \`Retry-After\`.`,
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    message: 'The headers of the request are too large.',
    es: 'Los encabezados de la solicitud son demasiado grandes.',
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'Something went wrong on our side. Quote the request_id when you report it.',
    es: 'Algo falló de nuestro lado. Cite el request_id al informarlo.',
  },
  OPERATION_UNCERTAIN: {
    status: 503,
    message: 'The outcome could not be confirmed. Retry with the same transaction_id and body: that is always safe.',
    es: 'No se pudo confirmar el resultado. Reintente con el mismo transaction_id y cuerpo: siempre es seguro.',
  },
  RATE_UNAVAILABLE: {
    status: 503,
    message: 'No fresh exchange rate is at hand. Retry later.',
    es: 'No hay un tipo de cambio reciente. Reintente más tarde.',
  },
  NETWORK_UNAVAILABLE: {
    status: 503,
    message: 'The QR network is unreachable. Retry later.',
    es: 'No se puede alcanzar la red de QR. Reintente más tarde.',
  },
  FAUCET_EMPTY: {
    status: 503,
    message: 'The faucet is out of tokens or of energy to send them. Retry later.',
    es: 'El faucet se quedó sin tokens o sin energía para enviarlos. Reintente más tarde.',
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service is not available. Retry later.',
    es: 'El servicio no está disponible. Reintente más tarde.',
  },
} as const satisfies Readonly<Record<string, HttpErrorKind>>

/** A code of `ErrorBody`. */
export type HttpErrorCode = keyof typeof httpErrors

type UnavailableCode = {
  [Code in HttpErrorCode]: (typeof httpErrors)[Code]['status'] extends 503 ? Code : never
}[HttpErrorCode]

/** Seconds to wait after a 503, for `Retry-After`. */
export const retryAfterSeconds: Readonly<Record<UnavailableCode, number>> = {
  OPERATION_UNCERTAIN: 1,
  RATE_UNAVAILABLE: 5,
  NETWORK_UNAVAILABLE: 1,
  FAUCET_EMPTY: 60,
  SERVICE_UNAVAILABLE: 1,
}
