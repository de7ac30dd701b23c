import type { DemoClient, Payout } from './demo-client.ts'
import type { Step } from './step.ts'

const pageSize = 5
const statuses = ['completed', 'failed', 'rejected', 'cancelled']

/**
 * Lists the payments of this run: in pages, by status, and by `transaction_id`.
 *
 * @param since  a time before the first payment
 */
export const listStep = (since: Date): Step => ({
  title: 'the list of these payments, newest first',
  async run({ client }) {
    const created = [...client.payments.values()]
    const from = `from=${since.toISOString()}`
    const found = await allPages(client, from)
    const expected: string[] = []
    const actual: string[] = []
    for (const status of statuses) {
      expected.push(`${created.filter((payout) => payout.status === status).length} ${status}`)
      actual.push(`${(await client.list(`${from}&status=${status}&limit=100`)).data.length} ${status}`)
    }
    const one = await client.list(`transaction_id=${created[0]?.transaction_id ?? ''}`)
    const order = isNewestFirst(found) ? 'in order' : 'not in order'
    return {
      expected: `${created.length} payouts in order, ${expected.join(', ')}, 1 by transaction_id`,
      actual: `${found.length} payouts ${order}, ${actual.join(', ')}, ${one.data.length} by transaction_id`,
      debited: 0n,
    }
  },
})

async function allPages(client: DemoClient, query: string): Promise<Payout[]> {
  const found: Payout[] = []
  for (let from = ''; ;) {
    const page = await client.list(`${query}&limit=${pageSize}${from}`)
    found.push(...page.data)
    if (page.next_cursor === null) return found
    from = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
}

/** Ids sort by creation time. */
const isNewestFirst = (payouts: readonly Payout[]): boolean =>
  payouts.every((payout, index) => index === 0 || payout.id < (payouts[index - 1]?.id ?? ''))
