import { faultControls, type HangControls } from '../../control/fault-controls.ts'
import type { JsonServer } from '../../json-server.ts'
import { BobAmount, formatBob } from '../payment/amount.ts'
import type { Faults, FaultsPatch, ReferenceRequests } from './faults.ts'
import type { SettleRefusal } from '../ledger/ledger.ts'
import type { Network } from '../network.ts'
import { paymentJson, type Payment, type PaymentJson } from '../payment/payment.ts'
import type { FinalOutcome } from '../qr/scenario.ts'

/** A payment with the members that only the network's ledger has. */
export type LedgerPayment = PaymentJson & {
  readonly requested_amount: string
  /** How often the merchant was paid for this reference; more than 1 is a double payment. */
  readonly times_paid: number
  readonly description: string
  readonly merchant: { readonly name: string; readonly bank_code: string }
}

/** The ledger. `spent` equals the sum of paid payments and the sum of merchants' credits. */
export type LedgerView = {
  readonly currency: 'BOB'
  readonly available: string
  readonly spent: string
  readonly merchants: readonly { name: string; bank_code: string; credited: string }[]
  readonly payments: readonly LedgerPayment[]
  /** References that were cancelled without a payment. */
  readonly cancelled: readonly string[]
}

/** Controls of a running network, for tests and the admin port. */
export type Controls = HangControls & {
  /** The ledger, with all references or one. */
  ledger(reference?: string): LedgerView
  /** Requests by reference. */
  requests(reference?: string): ReferenceRequests[]
  /** Changes the faults in `patch` and keeps the others. */
  setFaults(patch: FaultsPatch): Promise<Faults>
  /** Clears all faults, releases the requests that hang, and accepts connections again. */
  clearFaults(): Promise<void>
  /** Settles a late payment; with `force` also changes a final outcome. */
  settle(reference: string, outcome?: FinalOutcome, force?: boolean): PaymentJson | SettleRefusal
  /** @param available  BOB, such as `"0.00"` */
  setBalance(available: string): void
  /** Removes payments, requests and faults, and restores the initial balance. */
  reset(): Promise<void>
}

export function createControls(network: Network, server: JsonServer): Controls {
  const { faults, ledger, requests, callbacks, journal } = network
  const { change, clear, hangs } = faultControls(faults, server)
  return {
    ...hangs,
    ledger: (reference) => ledgerView(network, reference),
    requests: (reference) => requests.references(reference),
    setFaults: change,
    clearFaults: clear,
    settle(reference, outcome = 'paid', force = false) {
      const settled = ledger.settle(reference, outcome, force)
      if (typeof settled === 'string') return settled
      journal.flushed().then(
        () => callbacks.notify(reference, settled.outcome),
        () => {},
      )
      return paymentJson(settled)
    },
    setBalance: (available) => ledger.setAvailable(BobAmount.parse(available)),
    async reset() {
      await network.reset()
      await server.resume()
    },
  }
}

function ledgerView({ ledger }: Network, reference: string | undefined): LedgerView {
  const { byReference, merchants, spent } = ledger.state()
  const payments: LedgerPayment[] = []
  const cancelled: string[] = []
  for (const item of byReference.values()) {
    if (reference !== undefined && item.reference !== reference) continue
    if (item.outcome === 'closed_unpaid') cancelled.push(item.reference)
    else payments.push(ledgerPayment(item))
  }
  return {
    currency: 'BOB',
    available: formatBob(ledger.available()),
    spent: formatBob(spent),
    merchants: Array.from(merchants.values(), ({ name, bankCode, credited }) => ({
      name,
      bank_code: bankCode,
      credited: formatBob(credited),
    })),
    payments,
    cancelled,
  }
}

const ledgerPayment = (payment: Payment): LedgerPayment => ({
  ...paymentJson(payment),
  requested_amount: formatBob(payment.requested),
  times_paid: payment.timesPaid,
  description: payment.description,
  merchant: { name: payment.merchant.name, bank_code: payment.merchant.bankCode },
})
