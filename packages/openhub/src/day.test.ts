import { bob, idSource, toDecimal } from '@quipu/core'
import type { StatementRow } from '@quipu/core/adapter'
import {
  type FoundDifference,
  type PaymentRecord,
  reconcileNetwork,
  type ReconcileNetworkPorts,
  type ReconciliationRun,
} from '@quipu/core/operator'
import type { MovementRequest } from '@quipu/simulators'
import { expect, test } from 'vitest'
import { type Plant, simulatedHub } from './hub.fixture.ts'

const period = { from: new Date('2026-11-20T00:00:00Z'), to: new Date('2026-11-21T00:00:00Z') }
const ids = idSource((size) => crypto.getRandomValues(new Uint8Array(size)))
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)

/** The payouts of one day, each paid in full: from BOB 1.00 in steps of 0.01, over all its hours. */
const booksOf = (count: number): readonly PaymentRecord[] =>
  Array.from({ length: count }, (_, n) => {
    const createdAt = new Date(period.from.getTime() + n * (86_000_000 / count))
    return {
      payoutId: ids.next('po', createdAt),
      tenantId: 'ten_1',
      status: 'completed',
      target: bob(BigInt(100 + n)),
      settledPaid: null,
      isRefunded: false,
      isElsewhere: false,
      createdAt,
      endedAt: new Date(createdAt.getTime() + 2_000),
      networkPaymentId: null,
    }
  })
/** Debits that are of no payout, most of them in one half hour. */
const foreign: readonly MovementRequest[] = [
  { amount: '0.01', times: 60, at: '2026-11-20T13:07:00Z' },
  { amount: '7.77', operation: 'COMISION', at: '2026-11-20T00:00:00Z' },
  { amount: '9.99', transaction_id: 'LOTE-7', at: '2026-11-20T23:59:59.999Z' },
]

/** Reconciles the day slice by slice. `unexplained` is what left the account and is in no payout and no difference. */
async function reconciledDay(books: readonly PaymentRecord[], plant?: Plant) {
  const { hub, network, now, advance } = await simulatedHub({}, plant)
  const debits = books.map(({ payoutId, target, createdAt }) => ({
    amount: toDecimal(target),
    transaction_id: payoutId,
    at: createdAt.toISOString(),
  }))
  hub.addMovements([...debits, ...foreign])
  await advance(86_400_000)
  const differences = new Map<string, FoundDifference>()
  const byId = new Map(books.map((payment) => [payment.payoutId, payment]))
  const run: ReconciliationRun = {
    id: 'rcn_1',
    check: 'network',
    period,
    scheduledFor: null,
    requestedBy: 'ana',
    createdAt: now(),
    position: period.from.getTime(),
    slices: 0,
    compared: 0,
    differences: 0,
    completedAt: null,
    failure: null,
    mac: null,
  }
  let { position, compared } = run
  const ports: ReconcileNetworkPorts = {
    network,
    now,
    ids,
    runMacKeys: undefined,
    reconciliations: {
      claimDue: async () => ({ claim: { id: run.id, fencingToken: 1 }, run: { ...run, position } }),
      advance: async (_claim, slice) => {
        position = slice.position
        compared += slice.compared
        return true
      },
      yieldClaim: async () => true,
      findPayments: async (references) => references.flatMap((reference) => byId.get(reference) ?? []),
      async *completedPayments({ from, to }) {
        yield books.filter(({ endedAt }) => endedAt !== null && endedAt >= from && endedAt < to)
      },
    },
    differences: {
      record: async (found) => found.forEach((each) => differences.set(`${each.kind} ${each.subject}`, each)),
      resolveUnseen: async () => 0,
      list: async () => ({ items: [], next: null }),
    },
  }
  const reconcile = reconcileNetwork(ports, { leaseSeconds: 300, retrySeconds: 60 })
  let slice = await reconcile()
  for (; slice.type === 'advanced'; slice = await reconcile());
  expect(slice).toMatchObject({ type: 'completed' })
  const found = Array.from(differences.values())
  const explained = sum(found.map((each) => (each.found?.minor ?? 0n) - (each.expected?.minor ?? 0n)))
  const [account] = hub.ledger().accounts
  const left = BigInt(account?.lost.replace('.', '') ?? '')
  return {
    compared,
    found: found.map(({ kind, subject }) => `${kind} ${subject}`).toSorted(),
    unexplained: left - sum(books.map(({ target }) => target.minor)) - explained,
  }
}

test('a day of 20,000 debits agrees with the account to the cent, and rows without our id are differences', async () => {
  const { compared, found, unexplained } = await reconciledDay(booksOf(20_000))
  expect({ compared, unexplained, differences: found.length }).toEqual({
    compared: 20_062,
    unexplained: 0n,
    differences: 62,
  })
  expect(found.every((each) => /^unknown_here (openhub:15\d+|LOTE-7|\d+)$/.test(each))).toBe(true)
})

const few = booksOf(500)
const isOurs = ({ reference }: StatementRow): boolean => reference.startsWith('po_')

/** Mistakes of an adapter in one row, and the difference that shows each; the account alone shows a lost foreign row. */
const mistakes: readonly [string, (row: StatementRow) => StatementRow | undefined, string][] = [
  ['a dropped payment', (row) => (row.reference === few[70]?.payoutId ? undefined : row), 'absent_there'],
  ['a dropped debit without our id', (row) => (!isOurs(row) && row.amount.minor === 777n ? undefined : row), 'none'],
  [
    'an amount as a float',
    (row) => ({ ...row, amount: bob(BigInt(Math.trunc(Number(toDecimal(row.amount)) * 100))) }),
    'other_amount',
  ],
]

test.each(mistakes)('it is found: %s', async (_name, change, kind) => {
  const { found, unexplained } = await reconciledDay(few, (network) => ({
    ...network,
    async *statement(from, to) {
      for await (const row of network.statement(from, to)) {
        const changed = change(row)
        if (changed) yield changed
      }
    },
  }))
  expect(unexplained).not.toBe(0n)
  const kinds = new Set(found.map((each) => each.split(' ')[0]))
  expect(kinds).toEqual(new Set(['unknown_here', ...(kind === 'none' ? [] : [kind])]))
})
