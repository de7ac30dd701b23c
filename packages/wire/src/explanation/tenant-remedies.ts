import { type Remedy, refused } from './explanation.ts'

const readList = (list: string): Remedy =>
  refused('changed', `Check the id: find it in the list \`${list}\`, read with the same key.`)

const afterRetryAfter = (remedy: string): Remedy =>
  refused('later', `Wait for the seconds in \`Retry-After\`. ${remedy}`)

/** Remedies for the errors that tenants get. */
export const tenantRemedies = {
  VALIDATION_FAILED: refused(
    'changed',
    'Correct every field that `details` names. A payment request can keep its `transaction_id`: nothing was stored.',
  ),
  AUTHENTICATION_FAILED: refused(
    'changed',
    'Check that the key belongs to this environment and is complete. If it is, request a new one from the operator of the service.',
  ),
  SCOPE_REQUIRED: refused(
    'changed',
    'Use a key that has the scope of the operation, or request one from the operator of the service.',
  ),
  ADDRESS_NOT_ALLOWED: refused(
    'changed',
    'Send the request from an address that the key allows, or have the operator of the service add yours.',
  ),
  NOT_FOUND: refused('changed', 'Compare the path with this page. Every path begins with `/v1`.'),
  PAYOUT_NOT_FOUND: refused(
    'changed',
    'Check the id and the key. To find a payment whose answer was lost, filter `GET /v1/payouts` by `transaction_id`.',
  ),
  QUOTE_NOT_FOUND: refused('changed', 'Get a quote with the key that pays: `POST /v1/quotes`.'),
  STATEMENT_NOT_FOUND: refused(
    'changed',
    'Name a month or a day, such as 2026-11 or 2026-11-20, of the time since you were created (`GET /v1/statements`).',
  ),
  RESOLUTION_NOT_FOUND: refused('changed', 'Read the QR again: `POST /v1/payouts/qr/resolve`.'),
  DEPOSIT_NOT_FOUND: readList('GET /v1/deposits'),
  WEBHOOK_NOT_FOUND: readList('GET /v1/webhooks'),
  DELIVERY_NOT_FOUND: readList('GET /v1/webhooks/{id}/deliveries'),
  EVENT_NOT_FOUND: readList('GET /v1/events'),
  API_KEY_NOT_FOUND: refused('changed', 'Check the id: the list of keys has it.'),
  API_KEY_NOT_ACTIVE: refused('changed', 'Use a key that works, or have its proposal approved.'),
  API_KEY_IS_LAST: refused('changed', 'Rotate it with `overlap_seconds` 0: the old key ends at once.'),
  METHOD_NOT_ALLOWED: refused('changed', 'Use one of the methods in `Allow`.'),
  REQUEST_TIMEOUT: refused('same', 'Send the request again. The service had not started on it.'),
  QUOTE_EXPIRED: refused(
    'changed',
    'Get a new quote, have the end user accept it, and pay it. The `transaction_id` is still free.',
  ),
  QUOTE_ALREADY_USED: refused(
    'changed',
    'Read the payout in `payout_id`, when there is one: it used the quote. For another payment get another quote.',
  ),
  TRANSACTION_ID_REUSED: refused(
    'changed',
    'Read the payout in `payout_id`. If it is the payment that you mean, you are done; for another payment use another `transaction_id`. Store each body before you send it, and repeat exactly that one.',
  ),
  IDEMPOTENCY_KEY_REUSED: refused(
    'changed',
    'Send the body that the key belongs to, or another key for another request.',
  ),
  BODY_TOO_LARGE: refused('changed', 'Send less.'),
  UNSUPPORTED_MEDIA_TYPE: refused('changed', 'Send JSON with `Content-Type: application/json`.'),
  PAYOUT_TYPE_NOT_AVAILABLE: refused('no', 'Pay a QR: `type` of `qr`.'),
  FAUCET_AMOUNT_TOO_LARGE: refused('changed', 'Request less.'),
  TOP_UP_ADDRESS_NOT_ALLOWED: refused(
    'changed',
    'Name a wallet that you control, and send the tokens from there to your top-up address.',
  ),
  RECIPIENT_NOT_ALLOWED: refused('changed', 'Name a wallet that you control.'),
  RATE_LIMITED: afterRetryAfter('Then send the same request; spread requests over time.'),
  FAUCET_TOO_SOON: afterRetryAfter('Then send the same request.'),
  FAUCET_LIMIT_EXCEEDED: afterRetryAfter('Tokens that you hold can be used meanwhile.'),
  HEADERS_TOO_LARGE: refused('changed', 'Send fewer or shorter headers.'),
  INTERNAL_ERROR: {
    debited: 'unknown',
    remedy:
      'Send the same request again, a payment with the same `transaction_id` and body. If it stays, report the `request_id`.',
    retry: 'same',
  },
  OPERATION_UNCERTAIN: {
    debited: 'unknown',
    remedy:
      'Send the same `transaction_id` and body until you get another answer, after `Retry-After`: one `transaction_id` is one payment. Do not pay with another one.',
    retry: 'same',
  },
  RATE_UNAVAILABLE: refused('later', 'Request the quote again in some seconds.'),
  NETWORK_UNAVAILABLE: refused('later', 'Send the same request again in some seconds.'),
  FAUCET_EMPTY: refused('later', 'Try again in an hour, or inform the operator of the service.'),
  SERVICE_UNAVAILABLE: afterRetryAfter('Then send the same request.'),
  WEBHOOK_LIMIT_REACHED: refused('changed', 'Delete an endpoint that you no longer use first.'),
  TOO_MANY_SECRETS: refused('later', 'Wait until a secret of an earlier rotation has expired.'),
  WEBHOOK_PAUSED_BY_OPERATOR: refused('no', 'Ask the operator of the service why. Poll `GET /v1/events` meanwhile.'),
  DELIVERY_PENDING: refused('later', 'Read the delivery: its next attempt needs no request.'),
} as const satisfies Readonly<Record<string, Remedy>>
