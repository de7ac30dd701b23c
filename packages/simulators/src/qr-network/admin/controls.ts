import type { JsonServer } from '../../json-server.ts'
import { BobAmount, formatBob } from '../payment/amount.ts'
import type { Faults, FaultsPatch } from './faults.ts'
import type { SettleRefusal } from '../ledger/ledger.ts'
import type { Network } from '../network.ts'
import { paymentJson, type Payment, type PaymentJson } from '../payment/payment.ts'
import type { ReferenceRequests } from './request-log.ts'
import type { FinalOutcome } from '../qr/scenario.ts'

/** A payment with what only the network's own books show. */
export type LedgerPayment = PaymentJson & {
  readonly requested_amount: string
  /** How often money moved to the merchant for this reference: 0 or 1, or the network is broken. */
  readonly times_paid: number
  readonly description: string
  readonly merchant: { readonly name: string; readonly bank_code: string }
}

/** The books: `spent` is the sum of the paid payments and of what the merchants were credited. */
export type LedgerView = {
  readonly currency: 'BOB'
  readonly available: string
  readonly spent: string
  readonly merchants: readonly { name: string; bank_code: string; credited: string }[]
  readonly payments: readonly LedgerPayment[]
  /** References that were closed unpaid. */
  readonly closed: readonly string[]
}

/** What a test, or the admin port, can do to a running network. */
export type Controls = {
  /** The books, whole or of one reference. */
  ledger(reference?: string): LedgerView
  /** What was asked, by reference. */
  requests(reference?: string): ReferenceRequests[]
  /** Changes the faults named and keeps the others. */
  setFaults(patch: FaultsPatch): Promise<Faults>
  /** Clears every fault, lets waiting requests go, and listens again. */
  clearFaults(): Promise<void>
  /** Ends a late payment now; by force also a final one, as a network that contradicts itself. */
  settle(reference: string, outcome?: FinalOutcome, force?: boolean): PaymentJson | SettleRefusal
  /** References of the requests that are waiting at the hold point. */
  held(): string[]
  /** Resolves as soon as `count` requests (1 by default) are waiting. */
  untilHeld(count?: number): Promise<void>
  /** Lets one reference's requests go, or all and stops holding. @returns how many went */
  release(reference?: string): number
  /** @param available  BOB, such as `"0.00"` */
  setBalance(available: string): void
  /** Forgets payments, requests and faults; the paying account is as at the first start. */
  reset(): Promise<void>
}

export function createControls(network: Network, server: JsonServer): Controls {
  const { faults, ledger, requests, callbacks, journal } = network
  const connect = (down: Faults['down']): Promise<void> =>
    down === true || down === 'refuse' ? server.pause() : server.resume()
  return {
    ledger: (reference) => ledgerView(network, reference),
    requests: (reference) => requests.references(reference),
    async setFaults(patch) {
      faults.change(patch)
      if (patch.down !== undefined) await connect(patch.down)
      return faults.current()
    },
    async clearFaults() {
      faults.reset()
      await server.resume()
    },
    settle(reference, outcome = 'paid', force = false) {
      const settled = ledger.settle(reference, outcome, force)
      if (typeof settled === 'string') return settled
      journal.flushed().then(
        () => callbacks.notify(reference, settled.outcome),
        () => {},
      )
      return paymentJson(settled)
    },
    held: () => faults.gate.held(),
    untilHeld: (count = 1) => faults.gate.untilHeld(count),
    release(reference) {
      const went = faults.gate.release(reference)
      if (reference === undefined) faults.change({ hold: null })
      return went
    },
    setBalance: (available) => ledger.setAvailable(BobAmount.parse(available)),
    async reset() {
      await network.reset()
      await server.resume()
    },
  }
}

function ledgerView({ ledger }: Network, reference: string | undefined): LedgerView {
  const { byReference, merchants, spent } = ledger.books()
  const payments: LedgerPayment[] = []
  const closed: string[] = []
  for (const item of byReference.values()) {
    if (reference !== undefined && item.reference !== reference) continue
    if (item.outcome === 'closed_unpaid') closed.push(item.reference)
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
    closed,
  }
}

const ledgerPayment = (payment: Payment): LedgerPayment => ({
  ...paymentJson(payment),
  requested_amount: formatBob(payment.requested),
  times_paid: payment.timesPaid,
  description: payment.description,
  merchant: { name: payment.merchant.name, bank_code: payment.merchant.bankCode },
})
