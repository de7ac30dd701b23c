import type { Chapter } from './payment-steps.ts'
import type { Payout, Shop } from './demo-client.ts'

const pageSize = 5
const statuses = ['completed', 'failed', 'rejected', 'cancelled']

/**
 * The payments of this demo, found again: in pages, by status, and by `transaction_id`.
 *
 * @param since  before the first of them
 */
export const listing = (since: Date): Chapter => ({
  title: 'the list of all that, newest first',
  async play({ shop }) {
    const made = [...shop.payments.values()]
    const from = `from=${since.toISOString()}`
    const found = await allPages(shop, from)
    const expected: string[] = []
    const got: string[] = []
    for (const status of statuses) {
      expected.push(`${made.filter((payout) => payout.status === status).length} ${status}`)
      got.push(`${(await shop.list(`${from}&status=${status}&limit=100`)).data.length} ${status}`)
    }
    const one = await shop.list(`transaction_id=${made[0]?.transaction_id ?? ''}`)
    const order = isNewestFirst(found) ? 'in order' : 'in disorder'
    return {
      expected: `${made.length} payouts in order, ${expected.join(', ')}, 1 by transaction_id`,
      got: `${found.length} payouts ${order}, ${got.join(', ')}, ${one.data.length} by transaction_id`,
      debited: 0n,
    }
  },
})

async function allPages(shop: Shop, query: string): Promise<Payout[]> {
  const found: Payout[] = []
  for (let from = ''; ;) {
    const page = await shop.list(`${query}&limit=${pageSize}${from}`)
    found.push(...page.data)
    if (page.next_cursor === null) return found
    from = `&cursor=${encodeURIComponent(page.next_cursor)}`
  }
}

/** Ids sort by the instant they were made. */
const isNewestFirst = (payouts: readonly Payout[]): boolean =>
  payouts.every((payout, index) => index === 0 || payout.id < (payouts[index - 1]?.id ?? ''))
