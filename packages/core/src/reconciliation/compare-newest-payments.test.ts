import { expect, test } from 'vitest'
import { cellIds, idSource, installationIds } from '../ids.ts'
import { bob } from '../money.ts'
import type { StatementRow } from '../network/qr-network.ts'
import { Unavailable } from '../unavailable.ts'
import { compareNewestPayments } from './compare-newest-payments.ts'
import type { PaymentGate } from '../restore/ports.ts'

const at = new Date('2026-11-28T10:00:00.000Z')
let counted = 0
const random = idSource((size) => {
  const bytes = new Uint8Array(size)
  new DataView(bytes.buffer).setUint32(2, ++counted)
  return bytes
})
const ids = installationIds(() => 'WXYZ', random)

const line = (reference: string): StatementRow => ({
  type: 'payment',
  reference,
  networkRef: 'n',
  paymentId: 'p-1',
  amount: bob(500n),
  paidAt: at,
})

const unchecked: PaymentGate = {
  stop: null,
  halt: null,
  confirmations: 2,
  installation: 'WXYZ',
  unchecked: { start: 'start-2', comparedFrom: at },
}

function harness(gate: PaymentGate, known: readonly string[], lines: readonly StatementRow[], cell?: string) {
  const did: unknown[] = []
  const periods: Date[] = []
  let isReadable = true
  const compare = compareNewestPayments({
    restores: {
      gate: async () => gate,
      accept: async ({ start }) => {
        did.push(['accept', start])
        return start === 'start-2'
      },
      stop: () => expect.fail('nothing stops payouts'),
      haltForgotten: async ({ confirmations }, detail) => {
        did.push(['halt', confirmations, detail])
      },
    },
    reconciliations: {
      findPayments: async (references) =>
        references
          .filter((each) => known.includes(each))
          .map((payoutId) => ({
            payoutId,
            tenantId: 't',
            status: 'completed',
            target: bob(500n),
            createdAt: at,
            endedAt: at,
            networkPaymentId: null,
            settledPaid: null,
            isRefunded: false,
            isElsewhere: false,
          })),
    },
    network: {
      statement: async function* (from, to) {
        periods.push(from, to)
        yield* lines
        if (!isReadable) throw new Unavailable('qr_network', 'no answer')
      },
    },
    now: () => new Date('2026-11-28T11:00:00.000Z'),
    ids: cellIds(cell, random),
  })
  return { compare, did, periods, breakStatement: () => void (isReadable = false) }
}

test('payments begin on a server whose newest payments are all here; those of others do not count', async () => {
  const [own, others] = [ids.next('po', at), random.next('po', at)]
  const manual = 'TREASURY-WXYZ'
  const { compare, did, periods } = harness(unchecked, [own], [own, others, manual].map(line))
  expect(await compare()).toEqual({ type: 'accepted', compared: 3 })
  expect(did).toEqual([['accept', 'start-2']])
  // From before the newest payout until now, with the difference of clocks.
  expect(periods.map((each) => each.toISOString())).toEqual(['2026-11-28T09:55:00.000Z', '2026-11-28T11:05:00.000Z'])
})

test('one payment of this installation that is not here halts them, behind any number of others', async () => {
  const known = Array.from({ length: 1_001 }, () => ids.next('po', at))
  const forgotten = ids.next('po', at)
  const { compare, did } = harness(unchecked, known, [...known, forgotten].map(line))
  expect(await compare()).toMatchObject({ type: 'halted' })
  expect(did).toEqual([
    [
      'halt',
      2,
      `the network paid 5.00 BOB at 2026-11-28T10:00:00.000Z (payment p-1) for ${forgotten}, which is not here`,
    ],
  ])
})

test('a statement that cannot be read to its end accepts nothing', async () => {
  const own = ids.next('po', at)
  const { compare, did, breakStatement } = harness(unchecked, [own], [line(own)])
  breakStatement()
  await expect(compare()).rejects.toThrow(Unavailable)
  expect(did).toEqual([])
})

test('a server that has started again meanwhile is compared again', async () => {
  const gate = { ...unchecked, unchecked: { start: 'start-1', comparedFrom: at } }
  expect(await harness(gate, [], []).compare()).toEqual({ type: 'stale', compared: 0 })
})

test('nothing is read while payments begin, or are halted', async () => {
  const halt = { reason: 'declared', detail: 'a snapshot', at } as const
  for (const gate of [
    { ...unchecked, unchecked: null },
    { ...unchecked, halt },
  ]) {
    const { compare, did, periods } = harness(gate, [], [])
    expect(await compare()).toEqual({ type: 'idle', compared: 0 })
    expect([did, periods]).toEqual([[], []])
  }
})

test('only payouts have the characters of the installation, and none is made before they are known', () => {
  expect(ids.next('po', at)).toMatch(/^po_[0-9A-Z]{22}WXYZ$/)
  expect(random.next('dep', at).slice(0, 14)).toBe(ids.next('dep', at).slice(0, 14))
  expect(ids.next('dep', at)).not.toMatch(/WXYZ$/)
  const early = installationIds(() => undefined, random)
  expect(early.next('dep', at)).toMatch(/^dep_/)
  expect(() => early.next('po', at)).toThrow(Unavailable)
})

test('a cell leaves to others the payments with their letter, whose installation it shares', async () => {
  const of = (cell: string) => installationIds(() => 'WXYZ', cellIds(cell, random)).next('po', at)
  const [own, others] = [of('g'), of('h')]
  expect(await harness(unchecked, [own], [own, others].map(line), 'g').compare()).toEqual({
    type: 'accepted',
    compared: 2,
  })
  expect(await harness(unchecked, [], [own].map(line), 'g').compare()).toEqual({ type: 'halted', compared: 1 })
  expect(await harness(unchecked, [own], [own, others].map(line)).compare()).toEqual({ type: 'halted', compared: 2 })
})
