/** The message of `OPERATION_UNCERTAIN` when `POST /v1/payouts` could not read the QR in time. */
export const qrNotRead =
  'The QR could not be read. This request attempted nothing and never will. Retry with the same transaction_id and body.'

/** The message of `AUTHENTICATION_FAILED` on the operator listener, which takes tokens, not keys. */
export const operatorTokenRefused = 'The operator token in Authorization is missing or unknown.'
