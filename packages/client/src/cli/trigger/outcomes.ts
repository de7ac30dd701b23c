import type { SandboxQrRequest } from '../../index.ts'

/** A payout with an outcome, which ends with `code`. */
export type PayoutOutcome = {
  readonly type: 'payout'
  readonly about: string
  readonly scenario: NonNullable<SandboxQrRequest['scenario']>
  /** The amount of the quote: that of the QR, another one, or the most that one payout may have. */
  readonly quoted?: 'another' | 'most'
  readonly code?: string
  readonly ends: 'completed' | 'failed' | 'cancelled' | 'rejected'
}

export type DepositOutcome = {
  readonly type: 'deposit'
  readonly about: string
  readonly amount: 'usual' | 'below minimum' | 'above limit'
  readonly code?: string
  readonly ends: 'pending' | 'credited' | 'in_review'
}

export type Outcome = PayoutOutcome | DepositOutcome | { readonly type: 'test'; readonly about: string }

const payout = (
  ends: PayoutOutcome['ends'],
  scenario: PayoutOutcome['scenario'],
  about: string,
  more: Pick<PayoutOutcome, 'quoted' | 'code'> = {},
): PayoutOutcome => ({ type: 'payout', ends, scenario, about, ...more })

const deposit = (
  ends: DepositOutcome['ends'],
  amount: DepositOutcome['amount'],
  about: string,
  code?: string,
): DepositOutcome => ({ type: 'deposit', ends, amount, about, ...(code !== undefined && { code }) })

/** Everything that can be triggered. The first outcome of an event type has its name alone. */
export const outcomes: Readonly<Record<string, Outcome>> = {
  'payout.completed': payout('completed', 'paid', 'the merchant is paid'),
  'payout.processing': payout('completed', 'late', 'the network answers late: processing, then completed'),
  'payout.failed': payout('failed', 'refused', 'the network refuses the payment', { code: 'PAYMENT_FAILED' }),
  'payout.cancelled': payout('cancelled', 'no_liquidity', 'the service has too little', { code: 'INSUFFICIENT_FUNDS' }),
  'payout.cancelled.QUOTE_AMOUNT_MISMATCH': payout('cancelled', 'paid', 'the QR is for another amount', {
    quoted: 'another',
    code: 'QUOTE_AMOUNT_MISMATCH',
  }),
  'payout.cancelled.AMOUNT_EXCEEDS_PROVIDER_LIMIT': payout('cancelled', 'limit', 'above the limit of the network', {
    code: 'AMOUNT_EXCEEDS_PROVIDER_LIMIT',
  }),
  'payout.cancelled.INSUFFICIENT_BALANCE': payout('cancelled', 'paid', 'your balance is too small', {
    quoted: 'most',
    code: 'INSUFFICIENT_BALANCE',
  }),
  'payout.rejected': payout('rejected', 'refused_qr', 'the network refuses the QR: no event', { code: 'QR_REFUSED' }),
  'deposit.pending': deposit('pending', 'usual', 'a transfer is seen'),
  'deposit.credited': deposit('credited', 'usual', 'a transfer is final'),
  'deposit.in_review': deposit(
    'in_review',
    'below minimum',
    'too small to be credited by itself',
    'AMOUNT_BELOW_MINIMUM',
  ),
  'deposit.in_review.AMOUNT_ABOVE_AUTO_LIMIT': deposit(
    'in_review',
    'above limit',
    'too large for that',
    'AMOUNT_ABOVE_AUTO_LIMIT',
  ),
  'webhook.test': { type: 'test', about: 'a test event, to every endpoint' },
}

/** Codes that no server produces on request, with the reason. */
export const notTriggered: Readonly<Record<string, string>> = {
  'payout.cancelled.QUOTE_EXPIRED':
    'needs a quote that expires between its check and the payment. To see the code: quote a test QR of the scenario short_quote, and pay it once it has expired: 409',
  'payout.cancelled.QUOTE_ALREADY_USED':
    'needs two payments of one quote at the same moment. To see the code: pay twice with one quote: 409',
  'payout.cancelled.PAYMENT_CANCELLED':
    'needs a process that ends before the network has the payment: no server does that on request',
  'payout.cancelled.DAILY_LIMIT_EXCEEDED': 'needs a daily limit, which the operator sets: GET /v1/wallets shows it',
  'payout.cancelled.QUOTE_RESOLUTION_MISMATCH':
    'needs a quote of one merchant’s resolution that pays the QR of another: `pay` always quotes the QR that it pays',
  'payout.refunded': 'needs two operators who refund a payout that the network returned',
  'deposit.closed': 'needs an operator who closes the review of a deposit',
  'wallet.balance_low': 'needs a threshold above your balance: set one by `quipu threshold`',
  'wallet.balance_restored': 'needs a low balance that is back: lower the threshold by `quipu threshold`',
  'deposit.in_review.TRANSFER_DROPPED': 'needs a fork of the chain that removes a transfer after it was seen',
  'deposit.in_review.TENANT_NOT_ACTIVE':
    'needs a suspended tenant, whose keys are refused: no command can wait for the deposit',
  'deposit.in_review.ADDRESS_RETIRED':
    'needs a top-up address that the operator has replaced: a wallet shows its current address only',
  'deposit.in_review.SENDER_LISTED': 'needs a sender that the operator screens and finds on a list',
  'deposit.in_review.SENDER_NOT_SCREENED': 'needs an outage of the screening of senders',
  'deposit.in_review.SENDER_BLOCKED': 'needs a sender that the issuer of the token blocks',
  'deposit.in_review.ADDRESS_FROZEN':
    'needs a top-up address that the issuer of the token has frozen: it would be lost for good',
  'deposit.in_review.SENDER_IS_SERVICE':
    'needs a transfer from an address of the service, whose key only the operator has',
  'deposit.in_review.ADDRESS_NOT_VERIFIED': 'needs a changed row of the service’s database',
  'deposit.in_review.TOKEN_STATE_CHANGED':
    'needs a token contract that is paused, deprecated, or charges a fee: every tenant would meet it',
  'deposit.in_review.SOURCES_DISAGREE': 'needs two providers of the chain that show one transfer differently',
}

/** For the help. */
export const outcomeText = (): string => {
  const longest = Math.max(...Object.keys(outcomes).map(({ length }) => length))
  const lines = Object.entries(outcomes).map(([name, { about }]) => `  ${name.padEnd(longest)}  ${about}`)
  return ['Events and outcomes:', ...lines].join('\n')
}
