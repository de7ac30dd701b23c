/** Something that does not work now, and that no row records: its alert lasts as long. */
export const faultCodes = [
  /** A process is silent and was not replaced. */
  'PROCESS_MISSING',
  /** No worker runs: payouts are late, and nothing is checked. */
  'NO_WORKER',
  /** The clocks of a process and of the database differ by `clockApartMs` or more. */
  'CLOCK_APART',
  /** The ledger check has stopped, or is too slow. */
  'LEDGER_UNCHECKED',
  /** A scan of the chain has stopped, or is too slow: deposits are late. */
  'SCAN_BEHIND',
  /** Deposits that solid blocks have decided are not settled: a provider has stopped, or fails. */
  'DEPOSITS_BEHIND',
  /** Notices to technical contacts are not accepted: the mail gateway, or every worker, has stopped. */
  'NOTICES_BEHIND',
  /** Deposits in review wait for people too long. */
  'REVIEWS_WAIT',
  /** Deposits in review are a large amount. */
  'REVIEWS_LARGE',
  /** The operator's gateway does not accept alerts. */
  'ALERTS_BEHIND',
  /** A session of the processes' role holds a lock: operators' writes or payouts wait for it. */
  'LOCK_HELD',
  /** An operator's token ends soon, and the person has no other of its role. */
  'TOKEN_ENDS_SOON',
  /** No reconciliation run of a check was completed for `reconciledSeconds`, or one is open for as long. */
  'RECONCILIATION_LATE',
  /** A completed reconciliation run compared nothing, although there was something to compare, or no process completed it. */
  'RECONCILIATION_EMPTY',
  /** A process uses another QR network than the database's, or the network has lost its ledger: nothing is paid or settled. */
  'NETWORK_CHANGED',
  /** A source of the rate gives none. */
  'RATE_SOURCE_FAILED',
  /** The sources of the rate contradict each other: one of them is wrong. */
  'RATE_SOURCES_DISAGREE',
  /** There is no rate: quotes are answered with 503. */
  'RATE_UNAVAILABLE',
  /** More USDT was received than the limit allows for the BOB that is left: quotes are answered with 503. */
  'EXPOSURE_ABOVE_LIMIT',
  /** The database went back to an earlier moment, or a person says so: no payment begins until a restore is confirmed. */
  'PAYMENTS_HALTED',
  /** The database was started, and the network's newest payments could not be compared with it: no payment begins. */
  'PAYMENTS_UNCHECKED',
  /** An operator has stopped payouts: new ones are answered with 503 until two people start them again. */
  'PAYOUTS_STOPPED',
] as const
/** The code of a fault. */
export type FaultCode = (typeof faultCodes)[number]

const occurrenceCodes = [
  /** The network paid another amount or currency than ordered; the hold stays. */
  'PAID_WRONG_AMOUNT',
  /** The network did not accept an order: the configuration or the order is wrong. */
  'ORDER_NOT_SENT',
  /** An answer of the network that its protocol does not allow. */
  'UNEXPECTED_ANSWER',
  /** The network contradicts a payout that has ended; its status never changes. */
  'NETWORK_CONTRADICTS',
  /** A payout in `processing` for more than `processingAlertSeconds`. */
  'PROCESSING_TOO_LONG',
  /** A payout in `processing` for more than `operatorAfterSeconds`, or one that only an operator can settle. */
  'NEEDS_OPERATOR',
  /** A row of a payout or event that no writer can have written: lists and claims leave it out. */
  'ROW_UNREADABLE',
  /** A top-up address whose MAC does not match, or that its index does not derive: deposits there go to review. */
  'ADDRESS_MAC_MISMATCH',
  /** The token's issuer has frozen a top-up address: what is or arrives there can never move. */
  'ADDRESS_FROZEN',
  /** This process lacks a key that top-up addresses need to be checked: it does not scan. */
  'ADDRESS_KEYS_MISSING',
  /** The token's contract was paused or replaced, or charges a fee, or no longer. */
  'TOKEN_STATE_CHANGED',
  /** Solid blocks that do not link, or that show a transfer which earlier ones had ruled out. */
  'CHAIN_CONTRADICTS',
  /** The node answers, but a block that a scan needs was not read in several polls: it finds no deposit until then. */
  'BLOCK_UNREADABLE',
  /** The node or the second provider does not show a transfer that the database has. */
  'SOURCES_DISAGREE',
  /** No attempt at a webhook endpoint has succeeded for `failingAlertSeconds`, or as the settings say. */
  'WEBHOOK_FAILING',
  /** Consecutive events exhausted their attempts at a webhook endpoint, which is paused. */
  'WEBHOOK_PAUSED',
  /** The dead-letter queue has new messages; the database's schedule sends their deliveries anyway. */
  'DEAD_LETTERS',
  /** A quote whose rate no process can have read: it is not paid. */
  'QUOTE_OFF_MARKET',
  /** Half of the last ordered payouts of a process were not paid. */
  'PAYOUTS_FAIL',
  /** The queue takes messages, and hands them over late, to others or not at all. */
  'QUEUE_UNCLAIMED',
  /** A balance, posting, price, key or audit entry differs from what it derives from. */
  'LEDGER_DIFFERENCE',
  /** The QR network's statement and the payouts differ. */
  'NETWORK_DIFFERENCE',
  /** A top-up address has another balance than its deposits give. */
  'CHAIN_DIFFERENCE',
  /** The balance at the QR network is below its floor. */
  'LIQUIDITY_LOW',
  /** A signed sweep is not sent: its address lacks TRX, its fee limit is too low, it would revert, or the node refuses it. */
  'SWEEP_UNSENT',
  /** Solid blocks are past the expiry of a sweep without it: its tokens are still at the top-up address. */
  'SWEEP_EXPIRED',
  /** A solid block has a sweep that moved nothing; its fee is spent. */
  'SWEEP_FAILED',
  /** The mail gateway can never send a notice to a technical contact; no later one waits for it. */
  'NOTICE_REFUSED',
  /** A sender, merchant or tenant is on a list: its case is new. */
  'SCREENING_CASE',
  /** Screening gives no answer: no merchant is paid, and deposits go to review. */
  'SCREENING_UNANSWERED',
  /** The file of the screening list was changed, and is no list: the one before is in force. */
  'SCREENING_LIST_REFUSED',
  /** The database confirms no commit: payouts are answered with 503. */
  'DATABASE_CANNOT_COMMIT',
  /** A standby is required, and the server requires none: payouts are answered with 503. */
  'STANDBY_NOT_REQUIRED',
] as const

/** The codes of alerts: of what happened once, and of faults. */
export const alertCodes: readonly Alert['code'][] = [...occurrenceCodes, ...faultCodes]

/** Something that an operator must look at. */
export type Alert = {
  readonly code: FaultCode | (typeof occurrenceCodes)[number]
  /** Null when no single tenant is concerned. */
  readonly tenantId: string | null
  /** The id of the wallet, payout, deposit, key, endpoint or notice concerned; or an address, a transfer, a chain. */
  readonly subject: string
  readonly detail: string
}

/** `page` wakes the person on duty, `ticket` waits for working hours. */
export type AlertSeverity = 'page' | 'ticket'

const tickets: ReadonlySet<Alert['code']> = new Set([
  'WEBHOOK_FAILING',
  'WEBHOOK_PAUSED',
  'DEAD_LETTERS',
  'QUEUE_UNCLAIMED',
  'NOTICE_REFUSED',
  'SWEEP_UNSENT',
  'SWEEP_EXPIRED',
  'SWEEP_FAILED',
  'TOKEN_ENDS_SOON',
  'REVIEWS_WAIT',
  'SCREENING_CASE',
  'SCREENING_LIST_REFUSED',
])

/** The severity of each alert of a code, in the log, at the gateway and in Prometheus alike. */
export const severityOf = (code: Alert['code']): AlertSeverity => (tickets.has(code) ? 'ticket' : 'page')

/** Notifies an operator. Must not throw. */
export type RaiseAlert = (alert: Alert) => void
