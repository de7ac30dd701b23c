/** How a payment stands. All but `late` are final. */
export type Outcome = 'paid' | 'refused_qr' | 'refused_payment' | 'no_liquidity' | 'limit' | 'late'

export type FinalOutcome = Exclude<Outcome, 'late'>

export const finalOutcomes: readonly [FinalOutcome, ...FinalOutcome[]] = [
  'paid',
  'refused_qr',
  'refused_payment',
  'no_liquidity',
  'limit',
]

/** What goes wrong with the answer once the payment is in the ledger. */
export type Mishap = 'drop' | 'error' | 'garble'

/** What a QR makes the network do. Absent members mean nothing out of the ordinary. */
export type Plan = {
  /** Reading the QR is refused with this code. */
  readonly unreadable?: 'QR_USED'
  /** How asking to pay is answered. */
  readonly outcome: Outcome
  /** How a late payment ends after its delay; absent: only when settled by hand. */
  readonly then?: FinalOutcome
  /** The connection is dropped before anything is written. */
  readonly dropFirst?: true
  readonly mishap?: Mishap
  /** The network moves and reports 1.00 more than it was asked to. */
  readonly wrongAmount?: true
  /** The answer names another currency than it was asked to pay in. */
  readonly wrongCurrency?: true
}

/** The first six are for tenants; the rest are for tests of the service. */
export type Scenario =
  | 'paid'
  | 'late'
  | 'refused'
  | 'no_liquidity'
  | 'limit'
  | 'refused_qr'
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
  late: { outcome: 'late', then: 'paid' },
  refused: { outcome: 'refused_payment' },
  no_liquidity: { outcome: 'no_liquidity' },
  limit: { outcome: 'limit' },
  /** Reads well, is refused when asked to pay. */
  refused_qr: { outcome: 'refused_qr' },

  late_refused: { outcome: 'late', then: 'refused_payment' },
  late_refused_qr: { outcome: 'late', then: 'refused_qr' },
  late_no_liquidity: { outcome: 'late', then: 'no_liquidity' },
  late_limit: { outcome: 'late', then: 'limit' },
  /** Late until `/sim/settle`. */
  late_unsettled: { outcome: 'late' },
  /** Issued with an end in the past. */
  expired: { outcome: 'paid' },
  used: { outcome: 'paid', unreadable: 'QR_USED' },
  /** Issued in US dollars. */
  usd: { outcome: 'paid' },
  pay_then_drop: { outcome: 'paid', mishap: 'drop' },
  pay_then_error: { outcome: 'paid', mishap: 'error' },
  pay_then_garble: { outcome: 'paid', mishap: 'garble' },
  drop_then_nothing: { outcome: 'paid', dropFirst: true },
  wrong_amount: { outcome: 'paid', wrongAmount: true },
  wrong_currency: { outcome: 'paid', wrongCurrency: true },
}

export const scenarios: readonly [Scenario, ...Scenario[]] = Object.keys(plans) as [
  Scenario,
  ...Scenario[],
]

export const planOf = (scenario: Scenario): Plan => plans[scenario]
