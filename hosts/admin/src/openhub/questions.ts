/** A question to ATC that must be answered before production. */
export type Question = {
  readonly text: string
  /** A setting, or the code. */
  readonly decides: string
  /** Whether answers of a sandbox settle it. Otherwise only ATC’s written word does. */
  readonly isTried: boolean
}

const tried = (text: string, decides: string): Question => ({ text, decides, isTried: true })
const written = (text: string, decides: string): Question => ({ text, decides, isTried: false })

/** The questions by their names in docs/guides/openhub.md. */
export const questions = {
  T1: written('URLs; IP allow-list, VPN or client certificates in production?', 'OPENHUB_URL'),
  T2: written('Is payout sync v3 granted, not v1?', 'OPENHUB_QR_PATH'),
  T3: tried('Does a new token end the previous one?', 'several processes'),
  T4: tried('Is 401, 403, 404 or 429 answered before the payout service?', 'OPENHUB_GATEWAY_REFUSAL_IS_NOT_SENT'),
  T5: written('Rate limits and cut-off hours?', 'NETWORK_CATCH_UP_PER_SECOND'),
  Q1: tried('Does each reading get a new reference? How long is it good?', 'single-use readings'),
  Q2: tried('Which code has a QR that was paid?', 'the refusals'),
  C1: tried('Which reference does a status take: of the reading, or of the order?', 'status after a lost answer'),
  C2: tried('Is one reference paid at most once?', 'a repeated order'),
  C3: tried('Is a transaction id accepted once?', 'a repeated order'),
  C4: written('Is certainly nothing debited after 02, 04, 08–15?', 'which codes end a payout'),
  C5: written('After which time does no order follow 94–99 or a lost answer?', 'OPENHUB_UNPAID_AFTER_SECONDS'),
  C6: tried('Which transaction ids are accepted?', 'payout ids'),
  C7: tried('Does the answer to a closed QR carry the amount paid?', 'the amount of a closed QR'),
  C8: tried('How long may a description be, with accents?', 'OPENHUB_GLOSA_MAX'),
  C9: tried('Which state has a reading without an order? Which are final?', 'the states'),
  C12: written('Limits of amount per payment, day and account?', 'payment cap and daily limits'),
  C14: written('Who stops or recalls a payment, and with which data?', 'the runbook'),
  A2: written('Commission: inside a debit, or one of its own?', 'the statement'),
  A3: tried('Which operation and ids has a QR payment in the debits?', 'OPENHUB_QR_OPERATIONS'),
  A4: tried('When is a debit listed, and a day complete?', 'RECONCILIATION_SETTLE_SECONDS'),
  S: tried('Which code has an order above the balance?', 'INSUFFICIENT_FUNDS'),
  L2: written('Who answers about a payout in doubt, by when, with what evidence?', 'a settlement by evidence'),
  L3: written('May this account pay third parties’ QRs (ASFI, BCB)?', 'whether to operate'),
} as const satisfies Readonly<Record<string, Question>>

/** The name of a question. */
export type QuestionName = keyof typeof questions
