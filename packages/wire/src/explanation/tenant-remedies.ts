import type { Text } from '../text/text.ts'
import { type Remedy, refused } from './explanation.ts'

const readList = (list: string): Remedy =>
  refused('changed', {
    en: `Check the id: find it in the list \`${list}\`, read with the same key.`,
    es: `Revise el id: está en la lista \`${list}\`, leída con la misma clave.`,
  })

const afterRetryAfter = ({ en, es }: Text): Remedy =>
  refused('later', {
    en: `Wait for the seconds in \`Retry-After\`. ${en}`,
    es: `Espere los segundos de \`Retry-After\`. ${es}`,
  })

/** Remedies for the errors that tenants get. */
export const tenantRemedies = {
  VALIDATION_FAILED: refused('changed', {
    en: 'Correct every field that `details` names. A payment request can keep its `transaction_id`: nothing was stored.',
    es: 'Corrija cada campo que nombra `details`. Una solicitud de pago puede conservar su `transaction_id`: no se guardó nada.',
  }),
  AUTHENTICATION_FAILED: refused('changed', {
    en: 'Check that the key belongs to this environment and is complete. If it is, request a new one from the operator of the service.',
    es: 'Compruebe que la clave sea de este entorno y esté completa. Si lo está, pida una nueva al operador del servicio.',
  }),
  SCOPE_REQUIRED: refused('changed', {
    en: 'Use a key that has the scope of the operation, or request one from the operator of the service.',
    es: 'Use una clave con el alcance de la operación, o pida una al operador del servicio.',
  }),
  ADDRESS_NOT_ALLOWED: refused('changed', {
    en: 'Send the request from an address that the key allows, or have the operator of the service add yours.',
    es: 'Envíe la solicitud desde una dirección que la clave permita, o pida al operador del servicio que agregue la suya.',
  }),
  NOT_FOUND: refused('changed', {
    en: 'Compare the path with this page. Every path begins with `/v1`.',
    es: 'Compare la ruta con esta página. Toda ruta empieza por `/v1`.',
  }),
  PAYOUT_NOT_FOUND: refused('changed', {
    en: 'Check the id and the key. To find a payment whose answer was lost, filter `GET /v1/payouts` by `transaction_id`.',
    es: 'Revise el id y la clave. Para encontrar un pago cuya respuesta se perdió, filtre `GET /v1/payouts` por `transaction_id`.',
  }),
  QUOTE_NOT_FOUND: refused('changed', {
    en: 'Get a quote with the key that pays: `POST /v1/quotes`.',
    es: 'Pida una cotización con la clave que paga: `POST /v1/quotes`.',
  }),
  STATEMENT_NOT_FOUND: refused('changed', {
    en: 'Name a month or a day, such as 2026-11 or 2026-11-20, of the time since you were created (`GET /v1/statements`).',
    es: 'Indique un mes o un día, como 2026-11 o 2026-11-20, posterior al alta de su empresa (`GET /v1/statements`).',
  }),
  RESOLUTION_NOT_FOUND: refused('changed', {
    en: 'Read the QR again: `POST /v1/payouts/qr/resolve`.',
    es: 'Lea el QR otra vez: `POST /v1/payouts/qr/resolve`.',
  }),
  DEPOSIT_NOT_FOUND: readList('GET /v1/deposits'),
  WEBHOOK_NOT_FOUND: readList('GET /v1/webhooks'),
  DELIVERY_NOT_FOUND: readList('GET /v1/webhooks/{id}/deliveries'),
  EVENT_NOT_FOUND: readList('GET /v1/events'),
  API_KEY_NOT_FOUND: refused('changed', {
    en: 'Check the id: the list of keys has it.',
    es: 'Revise el id: está en la lista de claves.',
  }),
  API_KEY_NOT_ACTIVE: refused('changed', {
    en: 'Use a key that works, or have its proposal approved.',
    es: 'Use una clave vigente, o haga aprobar su propuesta.',
  }),
  API_KEY_IS_LAST: refused('changed', {
    en: 'Rotate it with `overlap_seconds` 0: the old key ends at once.',
    es: 'Rótela con `overlap_seconds` 0: la clave anterior termina enseguida.',
  }),
  METHOD_NOT_ALLOWED: refused('changed', {
    en: 'Use one of the methods in `Allow`.',
    es: 'Use uno de los métodos de `Allow`.',
  }),
  REQUEST_TIMEOUT: refused('same', {
    en: 'Send the request again. The service had not started on it.',
    es: 'Envíe la solicitud otra vez. El servicio no la había empezado.',
  }),
  QUOTE_EXPIRED: refused('changed', {
    en: 'Get a new quote, have the end user accept it, and pay it. The `transaction_id` is still free.',
    es: 'Pida una cotización nueva, haga que el usuario final la acepte y páguela. El `transaction_id` sigue libre.',
  }),
  QUOTE_ALREADY_USED: refused('changed', {
    en: 'Read the payout in `payout_id`, when there is one: it used the quote. For another payment get another quote.',
    es: 'Lea el pago de `payout_id`, si lo hay: usó la cotización. Para otro pago pida otra cotización.',
  }),
  TRANSACTION_ID_REUSED: refused('changed', {
    en: 'Read the payout in `payout_id`. If it is the payment that you mean, you are done; for another payment use another `transaction_id`. Store each body before you send it, and repeat exactly that one.',
    es: 'Lea el pago de `payout_id`. Si es el pago que usted quería, ya terminó; para otro pago use otro `transaction_id`. Guarde cada cuerpo antes de enviarlo y repita exactamente ese.',
  }),
  IDEMPOTENCY_KEY_REUSED: refused('changed', {
    en: 'Send the body that the key belongs to, or another key for another request.',
    es: 'Envíe el cuerpo al que pertenece la clave, u otra clave para otra solicitud.',
  }),
  BODY_TOO_LARGE: refused('changed', { en: 'Send less.', es: 'Envíe menos.' }),
  UNSUPPORTED_MEDIA_TYPE: refused('changed', {
    en: 'Send JSON with `Content-Type: application/json`.',
    es: 'Envíe JSON con `Content-Type: application/json`.',
  }),
  PAYOUT_TYPE_NOT_AVAILABLE: refused('no', {
    en: 'Pay a QR: `type` of `qr`.',
    es: 'Pague un QR: `type` con el valor `qr`.',
  }),
  FAUCET_AMOUNT_TOO_LARGE: refused('changed', { en: 'Request less.', es: 'Pida menos.' }),
  TOP_UP_ADDRESS_NOT_ALLOWED: refused('changed', {
    en: 'Name a wallet that you control, and send the tokens from there to your top-up address.',
    es: 'Indique una billetera que usted controle y envíe los tokens desde ella a su dirección de recarga.',
  }),
  RECIPIENT_NOT_ALLOWED: refused('changed', {
    en: 'Name a wallet that you control.',
    es: 'Indique una billetera que usted controle.',
  }),
  RATE_LIMITED: afterRetryAfter({
    en: 'Then send the same request; spread requests over time.',
    es: 'Luego envíe la misma solicitud; reparta las solicitudes en el tiempo.',
  }),
  FAUCET_TOO_SOON: afterRetryAfter({ en: 'Then send the same request.', es: 'Luego envíe la misma solicitud.' }),
  FAUCET_LIMIT_EXCEEDED: afterRetryAfter({
    en: 'Tokens that you hold can be used meanwhile.',
    es: 'Mientras tanto puede usar los tokens que ya tiene.',
  }),
  HEADERS_TOO_LARGE: refused('changed', {
    en: 'Send fewer or shorter headers.',
    es: 'Envíe menos encabezados, o más cortos.',
  }),
  INTERNAL_ERROR: {
    debited: 'unknown',
    remedy: {
      en: 'Send the same request again, a payment with the same `transaction_id` and body. If it stays, report the `request_id`.',
      es: 'Envíe la misma solicitud otra vez, un pago con el mismo `transaction_id` y cuerpo. Si persiste, informe el `request_id`.',
    },
    retry: 'same',
  },
  OPERATION_UNCERTAIN: {
    debited: 'unknown',
    remedy: {
      en: 'Send the same `transaction_id` and body until you get another answer, after `Retry-After`: one `transaction_id` is one payment. Do not pay with another one.',
      es: 'Envíe el mismo `transaction_id` y cuerpo hasta tener otra respuesta, tras `Retry-After`: un `transaction_id` es un solo pago. No pague con otro.',
    },
    retry: 'same',
  },
  RATE_UNAVAILABLE: refused('later', {
    en: 'Request the quote again in some seconds.',
    es: 'Pida la cotización otra vez en unos segundos.',
  }),
  NETWORK_UNAVAILABLE: refused('later', {
    en: 'Send the same request again in some seconds.',
    es: 'Envíe la misma solicitud otra vez en unos segundos.',
  }),
  FAUCET_EMPTY: refused('later', {
    en: 'Try again in an hour, or inform the operator of the service.',
    es: 'Pruebe de nuevo en una hora, o avise al operador del servicio.',
  }),
  SERVICE_UNAVAILABLE: afterRetryAfter({ en: 'Then send the same request.', es: 'Luego envíe la misma solicitud.' }),
  WEBHOOK_LIMIT_REACHED: refused('changed', {
    en: 'Delete an endpoint that you no longer use first.',
    es: 'Elimine primero un endpoint que ya no use.',
  }),
  TOO_MANY_SECRETS: refused('later', {
    en: 'Wait until a secret of an earlier rotation has expired.',
    es: 'Espere a que venza un secreto de una rotación anterior.',
  }),
  WEBHOOK_PAUSED_BY_OPERATOR: refused('no', {
    en: 'Ask the operator of the service why. Poll `GET /v1/events` meanwhile.',
    es: 'Pregunte el motivo al operador del servicio. Mientras tanto consulte `GET /v1/events`.',
  }),
  DELIVERY_PENDING: refused('later', {
    en: 'Read the delivery: its next attempt needs no request.',
    es: 'Lea la entrega: su próximo intento no necesita ninguna solicitud.',
  }),
} as const satisfies Readonly<Record<string, Remedy>>
