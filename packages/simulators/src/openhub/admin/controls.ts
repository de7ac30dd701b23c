import { Refusal, type JsonServer } from '../../json-server.ts'
import { BobAmount, PositiveBobAmount } from '../../qr-network/payment/amount.ts'
import { issueQr, type IssuedQr, type QrRequest } from '../../qr-network/qr/issue-qr.ts'
import { faultControls, type HangControls } from '../../control/fault-controls.ts'
import type { ReferenceRequests } from '../../control/request-log.ts'
import type { CountedOperation, Hub } from '../hub.ts'
import type { Movement, State } from '../ledger/ledger-state.ts'
import type { Plan } from '../switches/replies.ts'
import type { Operation, Switches, SwitchesPatch } from '../switches/switches.ts'
import { ledgerView, orderView, type OpenHubLedger, type OrderView } from './ledger-view.ts'

/** A test QR; a plan replaces what its scenario does. */
export type PlannedQrRequest = QrRequest & Plan

/** Movements that are of no order. */
export type MovementRequest = {
  readonly amount: string
  /** A debit by default. */
  readonly type?: 'D' | 'C' | undefined
  /** The first account by default. */
  readonly account?: string | undefined
  /** `""` by default. */
  readonly transaction_id?: string | undefined
  /** `PAYOUT QR` by default. */
  readonly operation?: string | undefined
  /** An instant; now by default. */
  readonly at?: string | undefined
  /** Number of equal movements, each with its number at the end of its id; 1 by default. */
  readonly times?: number | undefined
}

/** Controls of a running network, for tests and the admin port. */
export type OpenHubControls = HangControls & {
  /** Changes the switches in `patch` and keeps the others. */
  setSwitches(patch: SwitchesPatch): Promise<Switches>
  /** Restores all switches, releases the requests that hang, and accepts connections again. */
  resetSwitches(): Promise<void>
  /** Issues a test QR, payable any number of times until it expires. @throws ZodError if the request is invalid */
  issueQr(request: PlannedQrRequest): IssuedQr
  /** The ledger, with all orders or those of one `transaccionId`. */
  ledger(transaccionId?: string): OpenHubLedger
  /** Requests by `transaccionId` (confirm) or `numeroReferencia` (status). */
  requests(reference?: string): ReferenceRequests<Operation, CountedOperation>[]
  /** Changes the state of the newest order of the id; `APROBADA` by default, `REVERTIDO` returns its money as a credit. */
  settle(transaccionId: string, state?: State): OrderView | 'not_seen' | 'not_possible'
  /** Adds movements that are of no order, and moves their money. @throws Refusal for another account, or without balance */
  addMovements(movements: readonly MovementRequest[]): void
  /** Ends all access tokens. */
  endTokens(): void
  /** @param available  BOB, such as `"0.00"`. @throws Refusal for another account */
  setBalance(available: string, account?: string): void
}

export function createOpenHubControls(hub: Hub, server: JsonServer): OpenHubControls {
  const { switches, ledger, requests, accounts, codec, plans, timers, tokens } = hub
  const { change, clear, hangs } = faultControls(switches, server)
  return {
    ...hangs,
    setSwitches: change,
    resetSwitches: clear,
    issueQr({ scan, confirm, status, course, later_ms, ...request }) {
      const issued = issueQr(codec, request, timers.now())
      const plan = { scan, confirm, status, course, later_ms }
      if (Object.values(plan).some((part) => part !== undefined)) plans.set(issued.content, plan)
      return issued
    },
    ledger: (transaccionId) => ledgerView(hub, transaccionId),
    requests: (reference) => requests.references(reference),
    settle(transaccionId, state = 'APROBADA') {
      const order = ledger.byTransaction(transaccionId).at(-1)
      if (!order) return 'not_seen'
      const changed = ledger.change(order.id, state)
      return typeof changed === 'string' ? changed : orderView(changed)
    },
    addMovements(requested) {
      const movements = requested.flatMap((movement) => movementsOf(hub, movement))
      for (const account of accounts) checkBalance(hub, account, movements)
      ledger.move(movements)
    },
    endTokens: () => tokens.end(),
    setBalance: (available, account) => ledger.setAvailable(knownAccount(hub, account), BobAmount.parse(available)),
  }
}

function knownAccount({ accounts }: Hub, account = accounts[0]): string {
  if (accounts.includes(account)) return account
  throw new Refusal(400, 'BAD_REQUEST', `account must be one of ${accounts.join(', ')}.`)
}

function checkBalance({ ledger }: Hub, account: string, movements: readonly Movement[]): void {
  const left = movements
    .filter((movement) => movement.account === account)
    .reduce((total, { type, amount }) => total + (type === 'C' ? amount : -amount), ledger.available(account))
  if (left < 0n) throw new Refusal(409, 'NO_BALANCE', `The account ${account} has not enough balance.`)
}

function movementsOf(hub: Hub, movement: MovementRequest): Movement[] {
  const { transaction_id = '', times = 1, at } = movement
  const amount = PositiveBobAmount.parse(movement.amount)
  const account = knownAccount(hub, movement.account)
  return Array.from({ length: times }, (_, index) => ({
    account,
    type: movement.type ?? 'D',
    transactionId: times === 1 ? transaction_id : `${transaction_id}${index + 1}`,
    operation: movement.operation ?? 'PAYOUT QR',
    amount,
    at: at === undefined ? hub.timers.now() : Date.parse(at),
  }))
}
