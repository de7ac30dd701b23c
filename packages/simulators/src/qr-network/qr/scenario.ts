export const finalOutcomes = ['paid', 'refused_qr', 'refused_payment', 'no_liquidity', 'limit'] as const
/** An outcome that does not change. */
export type FinalOutcome = (typeof finalOutcomes)[number]

/** The outcome of a payment. All but `pending` are final. */
export type Outcome = FinalOutcome | 'pending'

/** A fault of the answer after the payment was recorded. */
export type AnswerFault = 'drop' | 'error' | 'garble'

/** The behaviour of a scenario. Absent members mean no fault. */
export type Plan = {
  /** Code with which the reading is refused. */
  readonly unreadable?: 'QR_USED'
  /** Outcome of the payment request. */
  readonly outcome: Outcome
  /** Outcome of a late payment after its delay; absent if only `/sim/settle` settles it. */
  readonly finalOutcome?: FinalOutcome
  /** The connection is dropped before any effect. */
  readonly dropRequest?: true
  readonly answerFault?: AnswerFault
  /** The network pays and reports 1.00 more than requested. */
  readonly wrongAmount?: true
  /** The answer has another currency than the order. */
  readonly wrongCurrency?: true
}

/** The first eight are for tenants, the rest for tests of the service. */
export type Scenario =
  | 'paid'
  | 'late'
  | 'refused'
  | 'no_liquidity'
  | 'limit'
  | 'refused_qr'
  | 'lost_answer'
  | 'short_quote'
  | 'late_refused'
  | 'late_refused_qr'
  | 'late_no_liquidity'
  | 'late_limit'
  | 'late_unsettled'
  | 'expired'
  | 'used'
  | 'usd'
  | 'pay_then_drop'
  | 'pay_then_error'
  | 'pay_then_garble'
  | 'drop_then_nothing'
  | 'wrong_amount'
  | 'wrong_currency'

const plans: Readonly<Record<Scenario, Plan>> = {
  paid: { outcome: 'paid' },
  late: { outcome: 'pending', finalOutcome: 'paid' },
  refused: { outcome: 'refused_payment' },
  no_liquidity: { outcome: 'no_liquidity' },
  limit: { outcome: 'limit' },
  /** Can be read, and is refused on payment. */
  refused_qr: { outcome: 'refused_qr' },
  /** The API runs these two; it knows them by their bank. */
  lost_answer: { outcome: 'paid' },
  short_quote: { outcome: 'paid' },

  late_refused: { outcome: 'pending', finalOutcome: 'refused_payment' },
  late_refused_qr: { outcome: 'pending', finalOutcome: 'refused_qr' },
  late_no_liquidity: { outcome: 'pending', finalOutcome: 'no_liquidity' },
  late_limit: { outcome: 'pending', finalOutcome: 'limit' },
  /** Stays late until `/sim/settle`. */
  late_unsettled: { outcome: 'pending' },
  /** Issued with an expiry in the past. */
  expired: { outcome: 'paid' },
  used: { outcome: 'paid', unreadable: 'QR_USED' },
  /** Issued in US dollars. */
  usd: { outcome: 'paid' },
  pay_then_drop: { outcome: 'paid', answerFault: 'drop' },
  pay_then_error: { outcome: 'paid', answerFault: 'error' },
  pay_then_garble: { outcome: 'paid', answerFault: 'garble' },
  drop_then_nothing: { outcome: 'paid', dropRequest: true },
  wrong_amount: { outcome: 'paid', wrongAmount: true },
  wrong_currency: { outcome: 'paid', wrongCurrency: true },
}

/** The names that a QR may be issued with. */
export const scenarios: readonly [Scenario, ...Scenario[]] = Object.keys(plans) as [Scenario, ...Scenario[]]

export const planOf = (scenario: Scenario): Plan => plans[scenario]
