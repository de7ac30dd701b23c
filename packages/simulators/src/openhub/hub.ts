import { createRequestLog, type RequestLog } from '../control/request-log.ts'
import { openJournal, type Journal } from '../journal.ts'
import { createTimers, type Timers } from '../timers.ts'
import { BobAmount } from '../qr-network/payment/amount.ts'
import { qrCodec, type QrCodec } from '../qr-network/qr/qr-code.ts'
import { sandboxKey } from '../qr-network/qr/sandbox-key.ts'
import { createLedger, type Ledger } from './ledger/ledger.ts'
import { EntryJson } from './ledger/entry-json.ts'
import { entriesOf, ledgerStateOf, type Entry, type Order } from './ledger/ledger-state.ts'
import type { Plan } from './switches/replies.ts'
import { createSwitches, operations, type Operation, type SwitchBox, type SwitchesPatch } from './switches/switches.ts'
import { createTokens, type Tokens } from './tokens.ts'

export type HubOptions = {
  readonly clientId: string
  readonly clientSecret: string
  /** Whose accounts these are; `1029384756` by default. */
  readonly nit?: string | undefined
  /** The paying accounts; `7010999001` and `7010999002` by default. */
  readonly accounts?: readonly [string, string] | undefined
  /** A stepped clock; see `tick`. Real time by default. */
  readonly now?: (() => Date) | undefined
  /** Folder of the stored state. In memory by default. */
  readonly storage?: string | undefined
  /** Initial balance of each account in BOB; `"1000000000.00"` by default. */
  readonly liquidity?: string | undefined
  /** Switches that differ from the defaults. */
  readonly switches?: SwitchesPatch | undefined
}

/** The operations that are counted by reference: confirm by `transaccionId`, status by `numeroReferencia`. */
export const countedOperations = ['confirm', 'status'] as const
export type CountedOperation = (typeof countedOperations)[number]

/** Counts of a caller's acts against the documented rules. */
export type Breaches = {
  /** Confirms of a reading that has an order. */
  reading_confirmed_again: number
  /** Confirms with a `transaccionId` that has an order. */
  transaction_id_again: number
  /** Confirms of a closed QR with an amount. */
  closed_amount_sent: number
}
/** The network's state and parts, shared by both listeners. */
export type Hub = {
  readonly options: HubOptions
  readonly nit: string
  readonly accounts: readonly [string, string]
  readonly timers: Timers
  readonly switches: SwitchBox
  readonly requests: RequestLog<Operation, CountedOperation>
  readonly codec: QrCodec
  readonly tokens: Tokens
  readonly ledger: Ledger
  readonly journal: Journal<Entry>
  /** Plans by QR content. */
  readonly plans: Map<string, Plan>
  readonly breaches: Breaches
  /** Schedules the next change of an order. */
  schedule(order: Order): void
  stop(): Promise<void>
}

export async function openHub(options: HubOptions): Promise<Hub> {
  const { storage, nit = '1029384756', accounts = ['7010999001', '7010999002'] } = options
  const { privateKey, publicKey, serial } = await sandboxKey(storage)
  const timers = createTimers(options.now)
  const switches = createSwitches(timers, options.switches ?? {})
  const requests = createRequestLog(operations, countedOperations, timers.now)
  const total = BobAmount.parse(options.liquidity ?? '1000000000.00')
  const first = accounts.map((account): Entry => ({ type: 'funded', account, total }))
  const { ledger, journal } = await openLedger(storage, first, timers)
  const schedule = scheduler(ledger, timers)
  for (const order of ledger.state().orders) schedule(order)
  const plans = new Map<string, Plan>()
  return {
    options,
    nit,
    accounts,
    timers,
    switches,
    requests,
    codec: qrCodec({ privateKey, publicKey, serial }),
    tokens: createTokens(privateKey, timers.now, switches.current),
    ledger,
    journal,
    plans,
    breaches: { reading_confirmed_again: 0, transaction_id_again: 0, closed_amount_sent: 0 },
    schedule,
    async stop() {
      timers.stop()
      await journal.close()
    },
  }
}

async function openLedger(
  storage: string | undefined,
  first: readonly Entry[],
  { now }: Timers,
): Promise<Pick<Hub, 'ledger' | 'journal'>> {
  const { past, start } = await openJournal(storage, 'openhub.jsonl', EntryJson)
  const state = ledgerStateOf(past.length === 0 ? first : past)
  const journal = await start(entriesOf(state))
  return { ledger: createLedger(state, journal.append, now), journal }
}

const scheduler = (ledger: Ledger, timers: Timers) =>
  function schedule(order: Order): void {
    const { id, next } = order
    if (next === null) return
    timers.after(Math.max(0, next.at - timers.now()), () => {
      // Skip an order that was changed in the meantime.
      if (ledger.state().orders[id - 1] === order) ledger.change(id, next.state)
    })
  }
