// Written by `pnpm run generate` from the OpenAPI document of the API. Do not edit.
/* oxlint-disable max-lines -- It is generated. */

/** The body of `POST /v1/payouts`. */
export type PayoutRequest = QrPayoutRequest | BankTransferPayoutRequest

/** A payout to the merchant of a QR. */
export type QrPayoutRequest = {
  /** Your own id of the payout, and its idempotency key. */
  readonly transaction_id: string
  readonly type: 'qr'
  /** The firm quote that the end user accepted. */
  readonly quote_id: string
  readonly qr: {
    /** The raw content of the QR, as scanned. */
    readonly content: string
  }
  /** Sent with the payment when the QR has none of its own. The network may cut it. */
  readonly description?: string | undefined
  /** Your own texts, shown with the payout. At most 4,096 bytes of JSON. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

/** A payout to a bank account. Not available yet: a 422. */
export type BankTransferPayoutRequest = {
  /** Your own id of the payout, and its idempotency key. */
  readonly transaction_id: string
  readonly type: 'bank_transfer'
  /** The firm quote that the end user accepted. */
  readonly quote_id: string
  readonly bank_transfer: {
    readonly bank_code: string
    readonly account_number: string
    readonly branch_city: 'CBB' | 'COB' | 'LPZ' | 'ORU' | 'POT' | 'SCZ' | 'SUC' | 'TJA' | 'TRI'
    readonly holder_name: string
    readonly identification_number: string
  }
  /** Sent with the payment when the QR has none of its own. The network may cut it. */
  readonly description?: string | undefined
  /** Your own texts, shown with the payout. At most 4,096 bytes of JSON. */
  readonly metadata?: Readonly<Record<string, string>> | undefined
}

/** The body of `POST /v1/payouts/qr/resolve`. */
export type ResolveRequest = {
  /** The raw content of the QR, as scanned. */
  readonly content: string
}

/** The body of `POST /v1/quotes`. */
export type QuoteRequest = {
  readonly target?: BobTarget | undefined
  readonly resolution_id?: string | undefined
}

/** The bolivianos that the destination is to receive. */
export type BobTarget = {
  readonly currency: 'BOB'
  /** A decimal above 0, at most 12 digits before the point and 2 after it. */
  readonly amount: string
}

/** The body of `PATCH /v1/wallets`. */
export type WalletPatch = {
  /** The available USDT below which the balance is low. `0` removes the threshold. */
  readonly low_balance_threshold: string
}

/** The body of `POST /v1/webhooks`. */
export type WebhookRequest = {
  /** https on port 443 or 8443, without user info or fragment, on the public internet. Redirects are not followed. */
  readonly url: string
  /** The event types that the endpoint receives; `*` is every type, also those added later, except `wallet.balance_low` and `wallet.balance_restored`, which are sent by name only. `*` beside one of these stands for the other types of today. It receives `webhook.test` also when that is not listed. */
  readonly events?:
    | readonly (
        | '*' | 'payout.completed' | 'payout.failed' | 'payout.cancelled' | 'payout.refunded' | 'deposit.pending'
        | 'deposit.credited' | 'deposit.in_review' | 'deposit.closed' | 'wallet.balance_low' | 'wallet.balance_restored'
        | 'webhook.test'
      )[]
    | undefined
  /** A note for you. */
  readonly description?: string | undefined
}

/** The body of `PATCH /v1/webhooks/{id}`. */
export type WebhookPatch = {
  /** https on port 443 or 8443, without user info or fragment, on the public internet. Redirects are not followed. */
  readonly url?: string | undefined
  /** The event types that the endpoint receives; `*` is every type, also those added later, except `wallet.balance_low` and `wallet.balance_restored`, which are sent by name only. `*` beside one of these stands for the other types of today. It receives `webhook.test` also when that is not listed. */
  readonly events?:
    | readonly (
        | '*' | 'payout.completed' | 'payout.failed' | 'payout.cancelled' | 'payout.refunded' | 'deposit.pending'
        | 'deposit.credited' | 'deposit.in_review' | 'deposit.closed' | 'wallet.balance_low' | 'wallet.balance_restored'
        | 'webhook.test'
      )[]
    | undefined
  /** A note for you. An empty one removes it. */
  readonly description?: string | undefined
}

/** The body of `POST /v1/webhooks/{id}/rotate-secret`. */
export type RotateSecretRequest = {
  /** How long deliveries are signed with the present secret as well. */
  readonly grace_seconds?: number | undefined
}

/** The body of `POST /v1/webhooks/{id}/replay`. */
export type ReplayRequest = {
  /** Events recorded from then on. Not in the future; events never expire. */
  readonly since: string
  /** The `next_cursor` of the last answer, with the same `since`. */
  readonly cursor?: string | undefined
}

/** The body of `POST /v1/api-keys/{id}/rotate`. */
export type RotateOwnApiKeyRequest = {
  /** How long the old key still works; 0 ends it at once. */
  readonly overlap_seconds?: number | undefined
}

/** The body of `POST /v1/sandbox/qr-codes`. */
export type SandboxQrRequest = ClosedSandboxQrRequest | OpenSandboxQrRequest

/** A QR that fixes its amount. */
export type ClosedSandboxQrRequest = {
  readonly amount_mode: 'closed'
  /** A decimal above 0, at most 12 digits before the point and 2 after it. */
  readonly amount: string
  readonly merchant_name?: string | undefined
  readonly description?: string | undefined
  /** How a payment of this QR ends. With `lost_answer` it is paid, and the first answer is a `503`; with `short_quote` it is paid, and a quote of its resolution lives for 15 s. */
  readonly scenario?:
    | 'paid' | 'late' | 'refused' | 'no_liquidity' | 'limit' | 'refused_qr' | 'lost_answer' | 'short_quote' | undefined
}

/** A QR whose payer chooses the amount. */
export type OpenSandboxQrRequest = {
  readonly amount_mode: 'open'
  readonly merchant_name?: string | undefined
  readonly description?: string | undefined
  /** How a payment of this QR ends. With `lost_answer` it is paid, and the first answer is a `503`; with `short_quote` it is paid, and a quote of its resolution lives for 15 s. */
  readonly scenario?:
    | 'paid' | 'late' | 'refused' | 'no_liquidity' | 'limit' | 'refused_qr' | 'lost_answer' | 'short_quote' | undefined
}

/** The body of `POST /v1/sandbox/faucet`. */
export type FaucetRequest = {
  readonly chain: 'tron'
  /** A wallet that you control. Never a top-up address. */
  readonly address: string
  /** A decimal above 0, at most 12 digits before the point and 6 after it. */
  readonly amount: string
}

/** A payout has ended, or was refunded; `data` is the payout as it was then. */
export type PayoutEvent = {
  /** The event’s id. Deduplicate on it. */
  readonly id: string
  readonly type: 'payout.completed' | 'payout.failed' | 'payout.cancelled' | 'payout.refunded'
  readonly event_version: 1
  readonly occurred_at: string
  readonly recorded_at: string
  readonly data: Payout
}

/** `target` is the amount that the destination receives. When the payout was cancelled for another amount, it is the amount of the QR. */
export type Payout = {
  readonly id: string
  readonly type: 'qr' | 'bank_transfer' | (string & {})
  readonly status: 'completed' | 'cancelled' | 'rejected' | 'failed' | 'processing' | (string & {})
  readonly transaction_id: string
  /** The resolution that the quote named, if any. */
  readonly resolution_id: string | null
  /** Null when no quote was used. */
  readonly quote: Quote | null
  /** The amount debited; null when nothing was debited. */
  readonly source: UsdtMoney | null
  readonly target: BobMoney
  /** Both members are null when the QR could not be read. */
  readonly qr: {
    readonly amount_mode: 'closed' | 'open' | (string & {}) | null
    readonly merchant: Merchant | null
  }
  /** Set when the status is `failed`, `rejected` or `cancelled`. */
  readonly error: PayoutError | null
  readonly completed_at: string | null
  readonly created_at: string
  /** As the request had it; null without one. */
  readonly description: string | null
  /** As the request had it; empty without one. */
  readonly metadata: Readonly<Record<string, string>>
  /** The network’s id of the payment, as on the payer’s receipt; null when nothing was paid or the network gave none. */
  readonly network_payment_id: string | null
}

/** `source` is what the payment debits, `fee` included; `target` is what the destination receives. */
export type Quote = {
  readonly id: string
  readonly source: UsdtMoney
  readonly target: BobMoney
  /** BOB per USDT. */
  readonly rate: string
  readonly fee: UsdtMoney
  readonly expires_at: string
}

/** An amount of USDT, six fraction digits. */
export type UsdtMoney = { readonly currency: 'USDT'; readonly amount: string }

/** An amount of bolivianos, two fraction digits. */
export type BobMoney = { readonly currency: 'BOB'; readonly amount: string }

/** The merchant that the QR names. */
export type Merchant = { readonly name: string; readonly bank_code: string }

/** Why a payout was not paid. */
export type PayoutError = {
  /** New codes may be added: treat an unknown one by the status of the payout. */
  readonly code:
    | 'QUOTE_AMOUNT_MISMATCH' | 'QUOTE_RESOLUTION_MISMATCH' | 'QUOTE_EXPIRED' | 'QUOTE_ALREADY_USED'
    | 'INSUFFICIENT_BALANCE' | 'INSUFFICIENT_FUNDS' | 'AMOUNT_EXCEEDS_PROVIDER_LIMIT' | 'DAILY_LIMIT_EXCEEDED'
    | 'PAYMENT_CANCELLED' | 'QR_REFUSED' | 'PAYMENT_FAILED' | (string & {})
  readonly message: string
}

/** A deposit has reached the status of `type`; `data` is the deposit as it was then. */
export type DepositEvent = {
  /** The event’s id. Deduplicate on it. */
  readonly id: string
  readonly type: 'deposit.pending' | 'deposit.credited' | 'deposit.in_review' | 'deposit.closed'
  readonly event_version: 1
  readonly occurred_at: string
  readonly recorded_at: string
  readonly data: Deposit
}

/** A transfer to a top-up address. `chain`, `tx_hash` and `transfer_index` identify it. */
export type Deposit = {
  readonly id: string
  readonly chain: 'tron'
  readonly tx_hash: string
  /** The place of the transfer among the logs of its transaction, from 0. */
  readonly transfer_index: number
  /** Your top-up address. */
  readonly address: string
  /** The sender’s address. */
  readonly from_address: string
  readonly currency: 'USDT'
  readonly amount: string
  readonly status: 'pending' | 'credited' | 'in_review' | (string & {})
  /** Why it could not be credited automatically, while `in_review`. Codes may be added. */
  readonly review_code:
    | 'TRANSFER_DROPPED' | 'SENDER_LISTED' | 'SENDER_NOT_SCREENED' | 'TENANT_NOT_ACTIVE' | 'ADDRESS_RETIRED'
    | 'SENDER_BLOCKED' | 'ADDRESS_FROZEN' | 'SENDER_IS_SERVICE' | 'ADDRESS_NOT_VERIFIED' | 'TOKEN_STATE_CHANGED'
    | 'SOURCES_DISAGREE' | 'AMOUNT_BELOW_MINIMUM' | 'AMOUNT_ABOVE_AUTO_LIMIT' | (string & {}) | null
  readonly created_at: string
  /** Null until it is credited. */
  readonly credited_at: string | null
  /** When the review was closed without a credit; the deposit stays `in_review`. Null until then. */
  readonly closed_at: string | null
  /** The reason of the closing; `DUST` when the amount is too small for a review. Null until then. */
  readonly close_reason: string | null
}

/** A balance fell below its threshold, or is back at it or above. */
export type WalletEvent = {
  /** The event’s id. Deduplicate on it. */
  readonly id: string
  readonly type: 'wallet.balance_low' | 'wallet.balance_restored'
  readonly event_version: 1
  readonly occurred_at: string
  readonly recorded_at: string
  readonly data: WalletBalance
}

/** A wallet when its balance crossed the threshold, or the threshold its balance. */
export type WalletBalance = {
  readonly id: string
  readonly currency: 'USDT'
  readonly available: string
  /** Reserved for payouts in `processing`. */
  readonly held: string
  /** `available` and `held` together. */
  readonly total: string
  /** Null: none is set. */
  readonly low_balance_threshold: string | null
}

/** A delivery that you asked for to test an endpoint. */
export type WebhookTestEvent = {
  /** The event’s id. Deduplicate on it. */
  readonly id: string
  readonly type: 'webhook.test'
  readonly event_version: 1
  readonly occurred_at: string
  readonly recorded_at: string
  readonly data: {
    /** The tested endpoint. */
    readonly webhook_id: string
  }
}

/** The body of every answer that is a 4xx or 5xx. */
export type ErrorBody = {
  readonly error: {
    /** New codes may be added: treat an unknown one by the status of the answer. */
    readonly code:
      | 'WEBHOOK_LIMIT_REACHED' | 'TOO_MANY_SECRETS' | 'WEBHOOK_PAUSED_BY_OPERATOR' | 'DELIVERY_PENDING'
      | 'VALIDATION_FAILED' | 'AUTHENTICATION_FAILED' | 'SCOPE_REQUIRED' | 'ADDRESS_NOT_ALLOWED' | 'NOT_FOUND'
      | 'PAYOUT_NOT_FOUND' | 'QUOTE_NOT_FOUND' | 'STATEMENT_NOT_FOUND' | 'RESOLUTION_NOT_FOUND' | 'DEPOSIT_NOT_FOUND'
      | 'WEBHOOK_NOT_FOUND' | 'DELIVERY_NOT_FOUND' | 'EVENT_NOT_FOUND' | 'API_KEY_NOT_FOUND' | 'API_KEY_NOT_ACTIVE'
      | 'API_KEY_IS_LAST' | 'METHOD_NOT_ALLOWED' | 'REQUEST_TIMEOUT' | 'QUOTE_EXPIRED' | 'QUOTE_ALREADY_USED'
      | 'TRANSACTION_ID_REUSED' | 'IDEMPOTENCY_KEY_REUSED' | 'BODY_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE'
      | 'PAYOUT_TYPE_NOT_AVAILABLE' | 'QR_REFUSED' | 'FAUCET_AMOUNT_TOO_LARGE' | 'TOP_UP_ADDRESS_NOT_ALLOWED'
      | 'RECIPIENT_NOT_ALLOWED' | 'RATE_LIMITED' | 'FAUCET_TOO_SOON' | 'FAUCET_LIMIT_EXCEEDED' | 'HEADERS_TOO_LARGE'
      | 'INTERNAL_ERROR' | 'OPERATION_UNCERTAIN' | 'RATE_UNAVAILABLE' | 'NETWORK_UNAVAILABLE' | 'FAUCET_EMPTY'
      | 'SERVICE_UNAVAILABLE' | (string & {})
    /** For people. With 400 it names every field, up to 20, and how many more there are. */
    readonly message: string
    /** With 400 only: one per field, at most 20. */
    readonly details?: readonly {
      /** Dotted path, query parameter, or `body`. */
      readonly field: string
      readonly message: string
    }[]
    /** The payout of yours that has the `transaction_id` or used the quote. */
    readonly payout_id?: string
    /** The same as in `X-Request-Id`. */
    readonly request_id: string
    /** What the code means and what to do. Present when the service has set it up. */
    readonly doc_url?: string
  }
}

/** The answer of `GET /v1/payouts`. */
export type PayoutPage = {
  readonly data: readonly Payout[]
  /** Null on the last page. */
  readonly next_cursor: string | null
}

/** The answer of `POST /v1/payouts/qr/resolve`. */
export type Resolution = {
  readonly resolution_id: string
  /** `closed`: the QR fixes the amount. `open`: the payer chooses it. */
  readonly amount_mode: 'closed' | 'open' | (string & {})
  /** Null when the payer chooses the amount. */
  readonly amount: BobMoney | null
  readonly merchant: Merchant
  readonly description: string | null
  readonly expires_at: string | null
  readonly created_at: string
}

/** `source` is what the payment debits, `fee` included; `target` is what the destination receives. */
export type QuoteRecord = Quote & {
  readonly resolution_id: string | null
  readonly status: 'open' | 'used' | 'expired' | (string & {})
  readonly created_at: string
  /** Whether `target` is above your present `payment_cap`: if so, a payout at this quote ends `cancelled` with `AMOUNT_EXCEEDS_PROVIDER_LIMIT`. */
  readonly exceeds_payment_cap: boolean
}

/** The answer of `GET /v1/wallets`. */
export type Wallet = {
  readonly id: string
  readonly currency: 'USDT'
  readonly available: string
  /** Reserved for payouts in `processing`. */
  readonly held: string
  /** `available` and `held` together. */
  readonly total: string
  readonly top_up_addresses: readonly TopUpAddress[]
  /** The most that one payout may pay. Above it a payout ends `cancelled` with `AMOUNT_EXCEEDS_PROVIDER_LIMIT`. */
  readonly payment_cap: BobMoney
  /** The most that your payouts may debit from midnight to midnight UTC, and how many they may be; null: no limit. Above it a payout ends `cancelled` with `DAILY_LIMIT_EXCEEDED`. */
  readonly daily_limits: { readonly amount: string | null; readonly count: number | null }
  readonly used_today: DailyUse
  /** The amount that `PATCH /v1/wallets` has set; null: none. `wallet.balance_low` is sent once when less is available, and `wallet.balance_restored` once when it is enough again. */
  readonly low_balance_threshold: string | null
  /** Whether less than `low_balance_threshold` is available. */
  readonly balance_low: boolean
  /** Null unless the query has `at`. */
  readonly balance_at: PastBalance | null
  readonly created_at: string
  readonly updated_at: string
}

/** USDT sent here is credited once the transfer is final. */
export type TopUpAddress = {
  readonly chain: 'tron'
  readonly currency: 'USDT'
  readonly address: string
  /** A smaller deposit is reviewed by a person. */
  readonly minimum_amount: string
  /** A larger deposit is reviewed by a person. */
  readonly maximum_automatic_amount: string
}

/** The payouts since midnight UTC: the USDT that they debited or hold, and their count. A payout that ended without a debit does not count. */
export type DailyUse = { readonly amount: string; readonly count: number }

/** The wallet at the instant that `at` asked for. */
export type PastBalance = {
  readonly at: string
  /** `final` soon after the period has ended: from then on nothing in it changes. */
  readonly status: 'open' | 'final' | (string & {})
  /** `available` and `held` together, after all movements dated `at` or before. */
  readonly total: string
}

/** The answer of `GET /v1/wallets/transactions`. */
export type WalletTransactionPage = {
  readonly data: readonly WalletTransaction[]
  /** Null on the last page. */
  readonly next_cursor: string | null
}

/** A movement of money. Holds and their releases are not listed. */
export type WalletTransaction = {
  readonly id: string
  readonly direction: 'in' | 'out' | (string & {})
  readonly type: 'deposit' | 'payout' | 'adjustment' | (string & {})
  readonly currency: 'USDT'
  readonly amount: string
  /** The wallet’s `total` after this row. */
  readonly balance_after: string
  readonly payout_id: string | null
  readonly deposit_id: string | null
  /** The payout’s. */
  readonly transaction_id: string | null
  /** The payout’s `completed_at` or the deposit’s `credited_at`. */
  readonly created_at: string
}

/** The sums of all movements of money: `available + held = credited − debited + adjusted`. */
export type Reconciliation = {
  readonly as_of: string
  /** Deposits credited. */
  readonly credited: string
  /** Payouts completed. */
  readonly debited: string
  /** Corrections by the operator, in minus out. */
  readonly adjusted: string
  /** Reserved for payouts in `processing`. */
  readonly held: string
  readonly available: string
  /** Whether `GET /v1/wallets` has the same balance. */
  readonly balanced: boolean
  /** The newest final block that was searched for deposits; null before the first. */
  readonly deposits_scanned_through: { readonly block: number; readonly at: string } | null
}

/** The answer of `GET /v1/statements`. */
export type StatementSummaryPage = {
  readonly data: readonly StatementSummary[]
  /** Null on the last page. */
  readonly next_cursor: string | null
}

/** A period of a wallet in sums. */
export type StatementSummary = {
  /** Its name: the month, the day, or `<from>/<to>`. */
  readonly period: string
  readonly from: string
  /** Exclusive. */
  readonly to: string
  readonly timezone: 'UTC' | 'America/La_Paz' | (string & {})
  /** `final` soon after the period has ended: from then on nothing in it changes. */
  readonly status: 'open' | 'final' | (string & {})
  readonly currency: 'USDT'
  /** The wallet’s `total` at the start: the closing balance of the period before. */
  readonly opening_balance: string
  /** The wallet’s `total` at the end; of an open period, at this moment. */
  readonly closing_balance: string
}

/** The answer of `GET /v1/statements/{period}`. */
export type Statement = StatementSummary & {
  /** Oldest first. A page can have fewer rows than `limit`, also none. */
  readonly data: readonly StatementRow[]
  /** Null on the last page. */
  readonly next_cursor: string | null
}

/** A movement of a statement, with the payout that caused it. */
export type StatementRow = WalletTransaction & {
  /** What the merchant got; null but for a payout, as the next four. */
  readonly target: BobMoney | null
  /** BOB per USDT. */
  readonly rate: string | null
  /** Included in `amount`. */
  readonly fee: UsdtMoney | null
  readonly merchant: Merchant | null
  /** The network’s id of the payment, as on the payer’s receipt; null when nothing was paid or the network gave none. */
  readonly network_payment_id: string | null
}

/** The answer of `GET /v1/deposits`. */
export type DepositPage = {
  readonly data: readonly Deposit[]
  /** Null on the last page. */
  readonly next_cursor: string | null
}

/** The answer of `POST /v1/webhooks`. */
export type WebhookWithSecret = Webhook & {
  /** The key of the HMAC: the whole text, prefix included. Shown here and never again: keep it. */
  readonly secret: string
}

/** The answer of `GET /v1/webhooks`. */
export type WebhookPage = {
  readonly data: readonly Webhook[]
  /** Null on the last page. */
  readonly next_cursor: string | null
}

/** A webhook endpoint. Its secret is shown only once. */
export type Webhook = {
  readonly id: string
  /** As it was given. */
  readonly url: string
  /** The event types that the endpoint receives; `*` is every type, including those added later, except `wallet.balance_low` and `wallet.balance_restored`. Every endpoint receives `webhook.test`; it is listed only when the filter has no other type. */
  readonly events: readonly (
    | '*' | 'payout.completed' | 'payout.failed' | 'payout.cancelled' | 'payout.refunded' | 'deposit.pending'
    | 'deposit.credited' | 'deposit.in_review' | 'deposit.closed' | 'wallet.balance_low' | 'wallet.balance_restored'
    | 'webhook.test' | (string & {})
  )[]
  readonly description: string | null
  /** `paused` once too many events in a row have run out of attempts, by you or by an operator; events queue meanwhile. */
  readonly status: 'active' | 'paused' | (string & {})
  /** How many events in a row have run out of attempts. */
  readonly consecutive_exhausted: number
  /** Null while it is active. */
  readonly paused_at: string | null
  /** `failures`: reactivate it once the receiver works. `tenant`: by `pause`. `operator`: the service’s operator has paused it, and resumes it; ask there. Null while it is active. */
  readonly paused_by: 'failures' | 'tenant' | 'operator' | (string & {}) | null
  /** The secrets, newest first. One that has expired is listed until the next rotation. */
  readonly secrets: readonly {
    readonly last_four: string
    /** Deliveries are signed with it until then; null: the newest one. */
    readonly expires_at: string | null
  }[]
  readonly created_at: string
  readonly updated_at: string
}

/** The answer of `GET /v1/webhooks/{id}`. */
export type WebhookWithQueue = Webhook & {
  /** Deliveries that are pending or held. */
  readonly queued: number
}

/** The answer of `POST /v1/webhooks/{id}/test`. */
export type WebhookTest = {
  readonly event_id: string
  /** Whether the receiver answered with a 2xx. */
  readonly delivered: boolean
  /** Null when there was no answer. */
  readonly status_code: number | null
  readonly latency_ms: number
  /** Null when a 2xx arrived. `TIMEOUT`: no answer within 10 seconds in all. `REDIRECT`: a redirect, which is not followed. `STATUS`: another status than a 2xx. `NAME_NOT_FOUND`: the host’s name does not resolve. `ADDRESS_BLOCKED`: the host’s address is private or reserved; nothing was sent. `TLS`: the certificate is not valid, or the handshake failed. `CONNECTION_REFUSED`: the host refused the connection. `CONNECTION_RESET`: the connection was closed before the answer. `PROTOCOL`: the answer is not HTTP. `SECRET_UNREADABLE`: a fault on our side; nothing was sent. `ABANDONED`: a fault on our side; nothing was sent in this attempt. Codes may be added. */
  readonly error:
    | 'TIMEOUT' | 'REDIRECT' | 'STATUS' | 'NAME_NOT_FOUND' | 'ADDRESS_BLOCKED' | 'TLS' | 'CONNECTION_REFUSED'
    | 'CONNECTION_RESET' | 'PROTOCOL' | 'SECRET_UNREADABLE' | 'ABANDONED' | (string & {}) | null
}

/** The answer of `POST /v1/webhooks/{id}/reactivate`. */
export type ReactivatedWebhook = Webhook & {
  /** Deliveries that were held or waited for a later attempt, and are due now. */
  readonly requeued: number
  /** Deliveries that had run out of attempts and are sent again. */
  readonly redelivered: number
}

/** The answer of `GET /v1/webhooks/{id}/deliveries`. */
export type DeliveryPage = {
  readonly data: readonly Delivery[]
  /** Null on the last page. */
  readonly next_cursor: string | null
}

/** One event on its way to one webhook endpoint. */
export type Delivery = {
  readonly id: string
  readonly webhook_id: string
  readonly event_id: string
  readonly event_type:
    | 'payout.completed' | 'payout.failed' | 'payout.cancelled' | 'payout.refunded' | 'deposit.pending'
    | 'deposit.credited' | 'deposit.in_review' | 'deposit.closed' | 'wallet.balance_low' | 'wallet.balance_restored'
    | (string & {})
  /** `held`: waits until its paused endpoint is reactivated. `exhausted`: ran out of attempts. */
  readonly status: 'pending' | 'held' | 'delivered' | 'exhausted' | (string & {})
  /** Oldest first; the newest 24. */
  readonly attempts: readonly DeliveryAttempt[]
  /** Null while the delivery is held, and once it has ended. */
  readonly next_attempt_at: string | null
  readonly created_at: string
  readonly ended_at: string | null
}

/** One request to your endpoint, and its answer. */
export type DeliveryAttempt = {
  readonly at: string
  /** Null when there was no answer. */
  readonly status_code: number | null
  readonly latency_ms: number
  /** Null when a 2xx arrived. `TIMEOUT`: no answer within 10 seconds in all. `REDIRECT`: a redirect, which is not followed. `STATUS`: another status than a 2xx. `NAME_NOT_FOUND`: the host’s name does not resolve. `ADDRESS_BLOCKED`: the host’s address is private or reserved; nothing was sent. `TLS`: the certificate is not valid, or the handshake failed. `CONNECTION_REFUSED`: the host refused the connection. `CONNECTION_RESET`: the connection was closed before the answer. `PROTOCOL`: the answer is not HTTP. `SECRET_UNREADABLE`: a fault on our side; nothing was sent. `ABANDONED`: a fault on our side; nothing was sent in this attempt. Codes may be added. */
  readonly error:
    | 'TIMEOUT' | 'REDIRECT' | 'STATUS' | 'NAME_NOT_FOUND' | 'ADDRESS_BLOCKED' | 'TLS' | 'CONNECTION_REFUSED'
    | 'CONNECTION_RESET' | 'PROTOCOL' | 'SECRET_UNREADABLE' | 'ABANDONED' | (string & {}) | null
  /** The first 1 KiB of the answer; null when there was none. */
  readonly response_excerpt: string | null
}

/** The answer of `POST /v1/webhooks/{id}/replay`. */
export type ReplayedBatch = {
  /** Deliveries that are due now. */
  readonly resent: number
  /** Send it to replay further events; null at the end. */
  readonly next_cursor: string | null
}

/** The answer of `GET /v1/events`. */
export type EventPage = {
  readonly data: readonly QuipuEvent[]
  /** Null on the last page. */
  readonly next_cursor: string | null
}

/** The answer of `GET /v1/events/{id}`. */
export type QuipuEvent = PayoutEvent | DepositEvent | WalletEvent

/** The answer of `GET /v1/api-keys`. */
export type ApiKeyPage = {
  readonly data: readonly ApiKey[]
  /** Null on the last page. */
  readonly next_cursor: string | null
}

/** The answer of `GET /v1/api-keys/current`. */
export type ApiKey = {
  readonly id: string
  readonly name: string
  readonly prefix: string
  /** How the key ends. */
  readonly last_four: string
  /** Only an `active` key works. `inactive`: the operator has not approved it. */
  readonly status: 'active' | 'inactive' | 'expired' | 'revoked' | (string & {})
  readonly scopes: readonly (
    | 'payouts:write' | 'payouts:read' | 'wallet:write' | 'wallet:read' | 'webhooks:read' | 'webhooks:write'
    | 'keys:read' | 'keys:write' | (string & {})
  )[]
  /** From where the key may be used; null: from every address. */
  readonly allowed_addresses: readonly string[] | null
  /** The key that it replaces. */
  readonly replaces: string | null
  readonly created_at: string
  readonly activated_at: string | null
  /** Accurate to a minute. */
  readonly last_used_at: string | null
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

/** The answer of `POST /v1/api-keys/{id}/rotate`. */
export type RotatedApiKey = ApiKey & {
  /** The new key. Shown only here: keep it. */
  readonly key: string
}

/** The answer of `GET /v1/requests`. */
export type RequestPage = {
  readonly data: readonly RequestEntry[]
  /** Null on the last page. */
  readonly next_cursor: string | null
}

/** One of your requests, without its bodies. */
export type RequestEntry = {
  readonly id: string
  /** As `X-Request-Id` of the answer has it. */
  readonly request_id: string
  readonly api_key_id: string
  readonly method: string
  /** Without the query. A segment that may be a secret is `[redacted]`. */
  readonly path: string
  /** Null when you disconnected before the answer was complete. */
  readonly status: number | null
  /** The code of an error. */
  readonly code: string | null
  /** Where the request came from. */
  readonly address: string
  readonly duration_ms: number
  /** Of the bytes that you sent, in hexadecimal digits; null without a body. */
  readonly body_sha256: string | null
  /** Of the answer’s body; null without one, and for a CSV. */
  readonly answer_sha256: string | null
  /** When the request arrived. */
  readonly created_at: string
}

/** The answer of `GET /v1/status`. */
export type ServiceStatus = {
  /** `unavailable`: `POST /v1/quotes` answers `503`. */
  readonly quotes: 'available' | 'unavailable' | (string & {})
  /** `unavailable`: a new `POST /v1/payouts` answers `503`, and nothing of it is written. */
  readonly payments: 'available' | 'unavailable' | (string & {})
  /** `late`: deposits are credited later than usual, and none is lost. */
  readonly deposits: 'on_time' | 'late' | (string & {})
  readonly checked_at: string
}

/** The answer of `POST /v1/sandbox/qr-codes`. */
export type SandboxQr = {
  readonly content: string
  /** `closed`: the QR fixes the amount. `open`: the payer chooses it. */
  readonly amount_mode: 'closed' | 'open' | (string & {})
  readonly amount: BobMoney | null
  readonly merchant: Merchant
  readonly description: string | null
  readonly scenario:
    | 'paid' | 'late' | 'refused' | 'no_liquidity' | 'limit' | 'refused_qr' | 'lost_answer' | 'short_quote'
    | (string & {})
  readonly expires_at: string
  /** The QR as a `data:image/png;base64,…` URI. */
  readonly png: string
  /** The QR as an SVG document. */
  readonly svg: string
}

/** The answer of `POST /v1/sandbox/faucet`. */
export type FaucetRecord = FaucetSend & {
  /** What you can still request within 24 hours: the smaller of what the limits of amount and number of requests leave. */
  readonly remaining_today: string
  /** Whether this repeats the answer to an earlier request with the same key. */
  readonly replayed: boolean
}

/** A transfer of test tokens. */
export type FaucetSend = {
  readonly id: string
  /** `submitted`: signed, and broadcast until a block contains it. `confirmed`: a final block contains it. `failed`: no block will contain it. */
  readonly status: 'submitted' | 'confirmed' | 'failed' | (string & {})
  readonly chain: 'tron'
  /** The receiving address. */
  readonly address: string
  readonly amount: string
  readonly tx_hash: string
  readonly created_at: string
}

/** The answer of `GET /healthz`. */
export type Health = { readonly status: 'ok' }

/** The answer of `GET /readyz`. */
export type Readiness = {
  readonly status: 'ready' | 'not_ready' | (string & {})
  readonly checks: Readonly<Record<string, 'ok' | 'failing' | (string & {})>>
  /** `stopped`: an operator has stopped payouts. `halted`: the database may have forgotten payments, and no payout is accepted until an operator or a worker has shown that it has not. It does not change `status`. */
  readonly payments: 'begin' | 'stopped' | 'halted' | 'unknown' | (string & {})
}

/** The query of `GET /v1/payouts`. */
export type ListPayoutsQuery = {
  readonly transaction_id?: string | undefined
  readonly type?: 'qr' | 'bank_transfer' | undefined
  readonly status?: 'completed' | 'failed' | 'rejected' | 'cancelled' | undefined
  readonly open?: 'true' | undefined
  readonly description?: string | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  readonly from?: string | Date | undefined
  readonly to?: string | Date | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** The query of `GET /v1/wallets`. */
export type GetWalletQuery = {
  /** Also shows the balance at this instant, as `balance_at`. */
  readonly at?: string | Date | undefined
}

/** The query of `GET /v1/wallets/transactions`. */
export type ListWalletTransactionsQuery = {
  readonly direction?: 'in' | 'out' | undefined
  readonly type?: 'deposit' | 'payout' | 'adjustment' | undefined
  readonly from?: string | Date | undefined
  readonly to?: string | Date | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** The query of `GET /v1/statements`. */
export type ListStatementsQuery = {
  readonly from?: string | undefined
  readonly to?: string | undefined
  /** Where a day or a month begins, and the zone of a CSV’s instants. */
  readonly timezone?: 'UTC' | 'America/La_Paz' | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** The query of `GET /v1/statements/{period}`. */
export type GetStatementQuery = {
  /** `csv`: all that the filters leave, without pages, streamed. Without `format`, the header `Accept: text/csv` selects it. */
  readonly format?: 'json' | 'csv' | undefined
  /** Where a day or a month begins, and the zone of a CSV’s instants. */
  readonly timezone?: 'UTC' | 'America/La_Paz' | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** The query of `GET /v1/deposits`. */
export type ListDepositsQuery = {
  readonly status?: 'pending' | 'credited' | 'in_review' | undefined
  readonly from?: string | Date | undefined
  readonly to?: string | Date | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** The query of `GET /v1/webhooks`. */
export type ListWebhooksQuery = { readonly limit?: number | undefined; readonly cursor?: string | undefined }

/** The query of `GET /v1/webhooks/{id}/deliveries`. */
export type ListDeliveriesQuery = {
  readonly status?: 'pending' | 'held' | 'delivered' | 'exhausted' | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** The query of `GET /v1/events`. */
export type ListEventsQuery = {
  readonly type?:
    | 'payout.completed' | 'payout.failed' | 'payout.cancelled' | 'payout.refunded' | 'deposit.pending'
    | 'deposit.credited' | 'deposit.in_review' | 'deposit.closed' | 'wallet.balance_low' | 'wallet.balance_restored'
    | undefined
  readonly from?: string | Date | undefined
  readonly to?: string | Date | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** The query of `GET /v1/api-keys`. */
export type ListApiKeysQuery = { readonly limit?: number | undefined; readonly cursor?: string | undefined }

/** The query of `GET /v1/requests`. */
export type ListRequestsQuery = {
  /** The class of their status. */
  readonly status?: '2xx' | '4xx' | '5xx' | undefined
  readonly api_key_id?: string | undefined
  /** Exactly this one. */
  readonly path?: string | undefined
  readonly from?: string | Date | undefined
  readonly to?: string | Date | undefined
  readonly limit?: number | undefined
  readonly cursor?: string | undefined
}

/** The input and the answer of each operation. */
export type Operations = {
  /** Pay a merchant QR at an accepted quote */
  readonly createPayout: { readonly body: PayoutRequest; readonly answer: Payout }
  /** List payouts, newest first */
  readonly listPayouts: { readonly query: ListPayoutsQuery; readonly answer: PayoutPage }
  /** Read a payout */
  readonly getPayout: { readonly params: { readonly id: string }; readonly answer: Payout }
  /** Read a QR */
  readonly resolveQr: { readonly body: ResolveRequest; readonly answer: Resolution }
  /** Get a firm price */
  readonly createQuote: { readonly body: QuoteRequest; readonly answer: QuoteRecord }
  /** Read a quote */
  readonly getQuote: { readonly params: { readonly id: string }; readonly answer: QuoteRecord }
  /** Read the wallet */
  readonly getWallet: { readonly query: GetWalletQuery; readonly answer: Wallet }
  /** Set the threshold of a low balance */
  readonly updateWallet: { readonly body: WalletPatch; readonly answer: Wallet }
  /** List movements of money, newest first */
  readonly listWalletTransactions: {
    readonly query: ListWalletTransactionsQuery
    readonly answer: WalletTransactionPage
  }
  /** Reconcile the wallet */
  readonly reconcileWallet: { readonly answer: Reconciliation }
  /** List daily statements, newest first */
  readonly listStatements: { readonly query: ListStatementsQuery; readonly answer: StatementSummaryPage }
  /** Read the statement of a month or a day */
  readonly getStatement: {
    readonly params: { readonly period: string }
    readonly query: GetStatementQuery
    readonly answer: Statement
  }
  /** List deposits, newest first */
  readonly listDeposits: { readonly query: ListDepositsQuery; readonly answer: DepositPage }
  /** Read a deposit */
  readonly getDeposit: { readonly params: { readonly id: string }; readonly answer: Deposit }
  /** Register a webhook endpoint */
  readonly createWebhook: { readonly body: WebhookRequest; readonly answer: WebhookWithSecret }
  /** List webhook endpoints, newest first */
  readonly listWebhooks: { readonly query: ListWebhooksQuery; readonly answer: WebhookPage }
  /** Read a webhook endpoint */
  readonly getWebhook: { readonly params: { readonly id: string }; readonly answer: WebhookWithQueue }
  /** Change a webhook endpoint */
  readonly updateWebhook: {
    readonly params: { readonly id: string }
    readonly body: WebhookPatch
    readonly answer: Webhook
  }
  /** Delete a webhook endpoint */
  readonly deleteWebhook: { readonly params: { readonly id: string }; readonly answer: undefined }
  /** Send a test event at once */
  readonly testWebhook: { readonly params: { readonly id: string }; readonly answer: WebhookTest }
  /** Pause a webhook endpoint */
  readonly pauseWebhook: { readonly params: { readonly id: string }; readonly answer: Webhook }
  /** Reactivate a webhook endpoint */
  readonly reactivateWebhook: { readonly params: { readonly id: string }; readonly answer: ReactivatedWebhook }
  /** Get a new signing secret */
  readonly rotateWebhookSecret: {
    readonly params: { readonly id: string }
    readonly body?: RotateSecretRequest | undefined
    readonly answer: WebhookWithSecret
  }
  /** List an endpoint’s deliveries, newest first */
  readonly listDeliveries: {
    readonly params: { readonly id: string }
    readonly query: ListDeliveriesQuery
    readonly answer: DeliveryPage
  }
  /** Read a delivery and its attempts */
  readonly getDelivery: {
    readonly params: { readonly id: string; readonly delivery_id: string }
    readonly answer: Delivery
  }
  /** Send a delivery once more */
  readonly resendDelivery: {
    readonly params: { readonly id: string; readonly delivery_id: string }
    readonly answer: Delivery
  }
  /** Send the events since an instant again */
  readonly replayEvents: {
    readonly params: { readonly id: string }
    readonly body: ReplayRequest
    readonly answer: ReplayedBatch
  }
  /** List events, newest first */
  readonly listEvents: { readonly query: ListEventsQuery; readonly answer: EventPage }
  /** Read an event */
  readonly getEvent: { readonly params: { readonly id: string }; readonly answer: QuipuEvent }
  /** List your API keys, newest first */
  readonly listApiKeys: { readonly query: ListApiKeysQuery; readonly answer: ApiKeyPage }
  /** Read the record of the API key that asks */
  readonly getOwnApiKey: { readonly answer: ApiKey }
  /** Replace an API key by a new one */
  readonly rotateOwnApiKey: {
    readonly params: { readonly id: string }
    readonly body?: RotateOwnApiKeyRequest | undefined
    readonly answer: RotatedApiKey
  }
  /** Revoke an API key of yours */
  readonly revokeOwnApiKey: { readonly params: { readonly id: string }; readonly answer: undefined }
  /** List your requests, newest first */
  readonly listRequests: { readonly query: ListRequestsQuery; readonly answer: RequestPage }
  /** Whether quotes, payments and deposits work */
  readonly getStatus: { readonly answer: ServiceStatus }
  /** Get a test QR */
  readonly createSandboxQr: { readonly body: SandboxQrRequest; readonly answer: SandboxQr }
  /** Get test tokens */
  readonly requestTokens: { readonly body: FaucetRequest; readonly answer: FaucetRecord }
  /** Read a transfer of test tokens */
  readonly getTokens: { readonly params: { readonly id: string }; readonly answer: FaucetSend }
  /** Whether the process is alive */
  readonly getHealth: { readonly answer: Health }
  /** Whether requests can be served */
  readonly getReadiness: { readonly answer: Readiness }
  /** This document */
  readonly getOpenApi: { readonly answer: { readonly openapi: string } }
}

/** Method and path of each operation, and whether it answers 204 without a body. */
export const operations = {
  createPayout: { method: 'POST', path: '/v1/payouts' },
  listPayouts: { method: 'GET', path: '/v1/payouts' },
  getPayout: { method: 'GET', path: '/v1/payouts/{id}' },
  resolveQr: { method: 'POST', path: '/v1/payouts/qr/resolve' },
  createQuote: { method: 'POST', path: '/v1/quotes' },
  getQuote: { method: 'GET', path: '/v1/quotes/{id}' },
  getWallet: { method: 'GET', path: '/v1/wallets' },
  updateWallet: { method: 'PATCH', path: '/v1/wallets' },
  listWalletTransactions: { method: 'GET', path: '/v1/wallets/transactions' },
  reconcileWallet: { method: 'GET', path: '/v1/wallets/reconciliation' },
  listStatements: { method: 'GET', path: '/v1/statements' },
  getStatement: { method: 'GET', path: '/v1/statements/{period}' },
  listDeposits: { method: 'GET', path: '/v1/deposits' },
  getDeposit: { method: 'GET', path: '/v1/deposits/{id}' },
  createWebhook: { method: 'POST', path: '/v1/webhooks' },
  listWebhooks: { method: 'GET', path: '/v1/webhooks' },
  getWebhook: { method: 'GET', path: '/v1/webhooks/{id}' },
  updateWebhook: { method: 'PATCH', path: '/v1/webhooks/{id}' },
  deleteWebhook: { method: 'DELETE', path: '/v1/webhooks/{id}', isEmpty: true },
  testWebhook: { method: 'POST', path: '/v1/webhooks/{id}/test' },
  pauseWebhook: { method: 'POST', path: '/v1/webhooks/{id}/pause' },
  reactivateWebhook: { method: 'POST', path: '/v1/webhooks/{id}/reactivate' },
  rotateWebhookSecret: { method: 'POST', path: '/v1/webhooks/{id}/rotate-secret' },
  listDeliveries: { method: 'GET', path: '/v1/webhooks/{id}/deliveries' },
  getDelivery: { method: 'GET', path: '/v1/webhooks/{id}/deliveries/{delivery_id}' },
  resendDelivery: { method: 'POST', path: '/v1/webhooks/{id}/deliveries/{delivery_id}/resend' },
  replayEvents: { method: 'POST', path: '/v1/webhooks/{id}/replay' },
  listEvents: { method: 'GET', path: '/v1/events' },
  getEvent: { method: 'GET', path: '/v1/events/{id}' },
  listApiKeys: { method: 'GET', path: '/v1/api-keys' },
  getOwnApiKey: { method: 'GET', path: '/v1/api-keys/current' },
  rotateOwnApiKey: { method: 'POST', path: '/v1/api-keys/{id}/rotate' },
  revokeOwnApiKey: { method: 'POST', path: '/v1/api-keys/{id}/revoke', isEmpty: true },
  listRequests: { method: 'GET', path: '/v1/requests' },
  getStatus: { method: 'GET', path: '/v1/status' },
  createSandboxQr: { method: 'POST', path: '/v1/sandbox/qr-codes' },
  requestTokens: { method: 'POST', path: '/v1/sandbox/faucet' },
  getTokens: { method: 'GET', path: '/v1/sandbox/faucet/{id}' },
  getHealth: { method: 'GET', path: '/healthz' },
  getReadiness: { method: 'GET', path: '/readyz' },
  getOpenApi: { method: 'GET', path: '/v1/openapi.json' },
} as const
