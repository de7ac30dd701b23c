import { mkdir } from 'node:fs/promises'
import { createTimers, type Timers } from '../timers.ts'
import { PositiveBobAmount, BobAmount } from './payment/amount.ts'
import { createCallbacks, type Callbacks } from './callback/callbacks.ts'
import { createFaultBox, type FaultBox } from './admin/faults.ts'
import { booksOf, entriesOf, type Entry } from './ledger/books.ts'
import { memoryJournal, readJournal, startJournal, type Journal } from './ledger/journal.ts'
import { createLedger, type Ledger } from './ledger/ledger.ts'
import { networkRefs, type NetworkRefs } from './payment/network-ref.ts'
import type { Payment } from './payment/payment.ts'
import { qrCodec, type QrCodec } from './qr/qr-code.ts'
import { createRequestLog, type RequestLog } from './admin/request-log.ts'
import { sandboxKey } from './qr/sandbox-key.ts'

export type NetworkOptions = {
  /** The secret that callbacks are signed with. */
  readonly callbackSecret: string
  /** Where callbacks go; none are sent without it. */
  readonly callbackUrl?: string | undefined
  /** Which payments are told of: those that end after having been late (default), or all. */
  readonly callbacks?: 'late' | 'all' | undefined
  /** A clock that the caller steps; see `tick`. Without it the network runs by real time. */
  readonly now?: (() => Date) | undefined
  /** A folder that outlives the process. Without it everything is in memory. */
  readonly storage?: string | undefined
  /** What the paying account begins with, in BOB; `"1000000000.00"` by default. */
  readonly liquidity?: string | undefined
  /** The most that one payment may be, in BOB; `"50000.00"` by default. */
  readonly maxAmount?: string | undefined
  /** After how long a late payment ends; 3,000 by default. */
  readonly lateMs?: number | undefined
  /** 100 by default. */
  readonly statementRowsMax?: number | undefined
}

/** The network's parts, put together; both listeners work on this. */
export type Network = {
  readonly timers: Timers
  readonly faults: FaultBox
  readonly requests: RequestLog
  readonly callbacks: Callbacks
  readonly codec: QrCodec
  readonly refs: NetworkRefs
  readonly publicKey: string
  readonly ledger: Ledger
  readonly journal: Journal
  readonly maxAmount: bigint
  readonly lateMs: number
  readonly statementRowsMax: number
  /** To be called with every payment recorded: plans its end, or tells of it. */
  recorded(payment: Payment): void
  /** Forgets every payment, request and fault. */
  reset(): Promise<void>
  stop(): Promise<void>
}

export async function openNetwork(options: NetworkOptions): Promise<Network> {
  const { storage, callbackSecret, callbackUrl } = options
  if (storage !== undefined) await mkdir(storage, { recursive: true })
  const key = await sandboxKey(storage)
  const timers = createTimers(options.now)
  const faults = createFaultBox(timers)
  const callbacks = createCallbacks({ timers, faults, secret: callbackSecret, url: callbackUrl })
  const requests = createRequestLog(timers.now)

  const liquidity = BobAmount.parse(options.liquidity ?? '1000000000.00')
  const { ledger, journal } = await openLedger(storage, liquidity, timers)
  const tell = (payment: Payment): void => {
    const notify = (): void => callbacks.notify(payment.reference, payment.outcome)
    journal.flushed().then(notify, () => {})
  }
  const settleWhenDue = lateSettler(ledger, timers, tell)
  for (const item of ledger.books().byReference.values())
    if (item.outcome === 'late') settleWhenDue(item)

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
    maxAmount: PositiveBobAmount.parse(options.maxAmount ?? '50000.00'),
    lateMs: options.lateMs ?? 3_000,
    statementRowsMax: options.statementRowsMax ?? 100,
    recorded(payment) {
      if (payment.outcome === 'late') settleWhenDue(payment)
      else if (options.callbacks === 'all') tell(payment)
    },
    async reset() {
      faults.gate.abandon()
      faults.reset()
      requests.clear()
      ledger.reset(liquidity)
      await journal.rewrite(entriesOf(ledger.books()))
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
  const past: Entry[] = storage === undefined ? [] : await readJournal(storage)
  if (past.length === 0) past.push({ type: 'funded', total: liquidity })
  const books = booksOf(past)
  const journal =
    storage === undefined ? memoryJournal : await startJournal(storage, entriesOf(books))
  return { ledger: createLedger(books, journal.append, now), journal }
}

/** Ends a late payment when its time has come, and tells of it. */
const lateSettler =
  (ledger: Ledger, timers: Timers, tell: (payment: Payment) => void) =>
  (payment: Payment): void => {
    const { reference, then, settleAt } = payment
    if (then === null || settleAt === null) return
    timers.after(Math.max(0, settleAt - timers.now()), () => {
      // It may have been settled by hand, or forgotten and made anew, in the meantime.
      if (ledger.find(reference) !== payment) return
      const settled = ledger.settle(reference, then)
      if (typeof settled === 'object') tell(settled)
    })
  }
