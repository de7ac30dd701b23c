import type { NetworkAnswer, StatementRow } from '@quipu/core/adapter'
import { dateOf } from './bolivian-time.ts'
import type { Plant } from './hub.fixture.ts'

const hourMs = 3_600_000
const reasonOf = (answer: NetworkAnswer): string => ('reason' in answer ? answer.reason : '')

/** Adapters that one mistake makes wrong; a test finds each. */
export const plants: Readonly<Record<string, Plant>> = {
  'code 14 is a refusal': (network) => ({
    ...network,
    async pay(order) {
      const answer = await network.pay(order)
      return reasonOf(answer).startsWith('code 14') ? { type: 'refused_qr' } : answer
    },
  }),
  'code 00 is paid': (network) => ({
    ...network,
    async pay(order) {
      const answer = await network.pay(order)
      return answer.type === 'pending' ? { type: 'paid', amount: order.amount, paymentId: null } : answer
    },
  }),
  'code 04 is unpaid': (network) => ({
    ...network,
    async status(reference, networkRef) {
      const answer = await network.status(reference, networkRef)
      return answer.type === 'not_seen' ? { type: 'cancelled' } : answer
    },
  }),
  'a closed QR is ordered with its amount': (network) => ({
    ...network,
    pay: (order) => network.pay({ ...order, amountMode: 'open' }),
  }),
  'an order is sent again after 401': (network) => ({
    ...network,
    async pay(order) {
      const answer = await network.pay(order)
      return reasonOf(answer).startsWith('status 401') ? network.pay(order) : answer
    },
  }),
  'a status counts for any transaccionId': (network) => {
    const amounts = new Map<string, Extract<NetworkAnswer, { type: 'paid' }>['amount']>()
    return {
      ...network,
      pay(order) {
        amounts.set(order.reference, order.amount)
        return network.pay(order)
      },
      async status(reference, networkRef) {
        const answer = await network.status(reference, networkRef)
        const isAnothers = reasonOf(answer) === 'another transaccionId'
        return isAnothers ? { type: 'paid', amount: amounts.get(reference) ?? null, paymentId: null } : answer
      },
    }
  },
  'ids are floats': (network) => ({
    ...network,
    async readQr(content, signal) {
      const read = await network.readQr(content, signal)
      return read.type === 'read' ? { ...read, networkRef: String(Number(read.networkRef)) } : read
    },
  }),
  'four hours are taken off, not added': (network) => ({
    ...network,
    statement: (from, to) =>
      mapped(network.statement(from, to), (row) => ({ ...row, paidAt: new Date(row.paidAt.getTime() - 8 * hourMs) })),
  }),
  'debits are read by UTC dates': (network) => ({
    ...network,
    statement: (from, to) =>
      mapped(network.statement(from, to), (row) =>
        dateOf(row.paidAt) < from.toISOString().slice(0, 10) ? undefined : row,
      ),
  }),
}

async function* mapped(
  rows: AsyncIterable<StatementRow>,
  change: (row: StatementRow) => StatementRow | undefined,
): AsyncGenerator<StatementRow, void, undefined> {
  for await (const row of rows) {
    const changed = change(row)
    if (changed) yield changed
  }
}
