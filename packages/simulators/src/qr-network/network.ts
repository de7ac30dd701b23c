import { createRequestLog, type RequestLog } from '../control/request-log.ts'
import { openJournal, type Journal } from '../journal.ts'
import { createTimers, type Timers } from '../timers.ts'
import { BobAmount } from './payment/amount.ts'
import { createCallbacks, type Callbacks } from './callback/callbacks.ts'
import {
  countedOperations,
  createNetworkFaults,
  operations,
  type NetworkFaults,
  type Operation,
} from './admin/faults.ts'
import { ledgerStateOf, entriesOf, type Entry } from './ledger/ledger-state.ts'
import { EntryJson } from './ledger/entry-json.ts'
import { createLedger, type Ledger } from './ledger/ledger.ts'
import { networkRefs, type NetworkRefs } from './payment/network-ref.ts'
import type { Payment } from './payment/payment.ts'
import { qrCodec, type QrCodec } from './qr/qr-code.ts'
import { sandboxKey } from './qr/sandbox-key.ts'

/** A network, without where it listens. */
export type NetworkOptions = {
  /** Signing secret of callbacks. */
  readonly callbackSecret: string
  /** URL of callbacks; none are sent without it. */
  readonly callbackUrl?: string | undefined
  /** A stepped clock; see `tick`. Real time by default. */
  readonly now?: (() => Date) | undefined
  /** Folder of the stored state. In memory by default. */
  readonly storage?: string | undefined
  /** Initial balance in BOB; `"1000000000.00"` by default. */
  readonly liquidity?: string | undefined
  /** Delay until a late payment is settled; 3,000 by default. */
  readonly lateMs?: number | undefined
  /** 100 by default. */
  readonly statementRowsMax?: number | undefined
}

/** The network's state and parts, shared by both listeners. */
export type Network = {
  readonly timers: Timers
  readonly faults: NetworkFaults
  readonly requests: RequestLog<Operation, (typeof countedOperations)[number]>
  readonly callbacks: Callbacks
  readonly codec: QrCodec
  readonly refs: NetworkRefs
  readonly publicKey: string
  readonly ledger: Ledger
  readonly journal: Journal<Entry>
  readonly lateMs: number
  readonly statementRowsMax: number
  /** Called after every new payment: schedules the settlement of a late one. */
  paymentRecorded(payment: Payment): void
  /** Removes all payments, requests and faults. */
  reset(): Promise<void>
  stop(): Promise<void>
}

export async function openNetwork(options: NetworkOptions): Promise<Network> {
  const { storage, callbackSecret, callbackUrl } = options
  const key = await sandboxKey(storage)
  const timers = createTimers(options.now)
  const faults = createNetworkFaults(timers)
  const callbacks = createCallbacks({ timers, faults, secret: callbackSecret, url: callbackUrl })
  const requests = createRequestLog(operations, countedOperations, timers.now)

  const liquidity = BobAmount.parse(options.liquidity ?? '1000000000.00')
  const { ledger, journal } = await openLedger(storage, liquidity, timers)
  const sendCallback = (payment: Payment): void => {
    const notify = (): void => callbacks.notify(payment.reference, payment.outcome)
    journal.flushed().then(notify, () => {})
  }
  const settleWhenDue = lateSettler(ledger, timers, sendCallback)
  for (const item of ledger.state().byReference.values()) if (item.outcome === 'pending') settleWhenDue(item)

  return {
    timers,
    faults,
    requests,
    callbacks,
    codec: qrCodec(key),
    refs: networkRefs(key.privateKey),
    publicKey: key.publicKey,
    ledger,
    journal,
    lateMs: options.lateMs ?? 3_000,
    statementRowsMax: options.statementRowsMax ?? 100,
    paymentRecorded(payment) {
      if (payment.outcome === 'pending') settleWhenDue(payment)
    },
    async reset() {
      faults.gate.abort()
      faults.reset()
      requests.clear()
      ledger.reset(liquidity)
      await journal.rewrite(entriesOf(ledger.state()))
    },
    async stop() {
      timers.stop()
      callbacks.stop()
      await journal.close()
    },
  }
}

async function openLedger(
  storage: string | undefined,
  liquidity: bigint,
  { now }: Timers,
): Promise<Pick<Network, 'ledger' | 'journal'>> {
  const { past, start } = await openJournal(storage, 'qr-network.jsonl', EntryJson)
  const state = ledgerStateOf(past.length === 0 ? [{ type: 'funded', total: liquidity }] : past)
  const journal = await start(entriesOf(state))
  return { ledger: createLedger(state, journal.append, now), journal }
}

/** Schedules the settlement of a late payment, with its callback. */
const lateSettler =
  (ledger: Ledger, timers: Timers, sendCallback: (payment: Payment) => void) =>
  (payment: Payment): void => {
    const { reference, finalOutcome, settleAt } = payment
    if (finalOutcome === null || settleAt === null) return
    timers.after(Math.max(0, settleAt - timers.now()), () => {
      // Skip a payment that was settled or reset in the meantime.
      if (ledger.find(reference) !== payment) return
      const settled = ledger.settle(reference, finalOutcome)
      if (typeof settled === 'object') sendCallback(settled)
    })
  }
