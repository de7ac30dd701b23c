import { expect, test } from 'vitest'
import { at, completed, processing } from '../payout/payout.fixture.ts'
import { readPayoutHistory, type ReadPayoutHistoryPorts } from './payout-history.ts'
import type { PayoutRecord } from './ports.ts'

/** The subjects of the audit log's entries from 10 down to 3. */
const log = ['prp_2', 'po_1', 'dif_2', 'po_2', 'prp_1', 'prp_2', 'po_1', 'dif_1'].map((subject, i) => ({
  id: BigInt(10 - i),
  subject,
}))

/** Reads the history over stores in which everything is an id, newest first; and what they were asked. */
async function read(record: PayoutRecord) {
  const questions: unknown[] = []
  const answer =
    (found: unknown) =>
    async (...question: unknown[]) => {
      questions.push(question)
      return found
    }
  const page = (...ids: string[]) => ({ list: answer({ items: ids.map((id) => ({ id })), next: null }) })
  const ports = {
    overview: { payout: async (id: string) => (id === 'po_1' ? record : undefined), deliveriesOf: answer(['dlv']) },
    quotes: { find: answer('quote') },
    resolutions: { find: answer('resolution') },
    networkCalls: page('nwc_2', 'nwc_1'),
    events: { get: answer('event') },
    proposals: page('prp_2', 'prp_1'),
    differences: page('dif_2', 'dif_1'),
    audit: { list: async ({ subject }: { subject: string }) => log.filter((each) => each.subject === subject) },
    now: () => at,
  } as unknown as ReadPayoutHistoryPorts
  const history = readPayoutHistory(ports)
  expect(await history('po_2')).toBeUndefined()
  return { history: await history('po_1'), questions }
}

test('has everything about a payout, each list oldest first, and the entries of the log in one order', async () => {
  const payout = { ...completed.payout, resolutionId: 'qrr_1' }
  const record: PayoutRecord = { payout, open: null, postings: [], eventId: 'evt-1' }
  const { history, questions } = await read(record)
  expect(history).toEqual({
    record,
    quote: 'quote',
    resolution: 'resolution',
    event: 'event',
    deliveries: ['dlv'],
    networkCalls: [{ id: 'nwc_1' }, { id: 'nwc_2' }],
    proposals: [{ id: 'prp_1' }, { id: 'prp_2' }],
    differences: [{ id: 'dif_1' }, { id: 'dif_2' }],
    audit: log.filter(({ subject }) => subject !== 'po_2').toReversed(),
  })
  expect(questions).toEqual([
    ['ten_1', 'q-1'],
    ['ten_1', 'qrr_1'],
    [{ tenantId: 'ten_1', payoutId: 'po_1' }, { limit: 100 }],
    ['ten_1', 'evt-1'],
    ['ten_1', 'evt-1'],
    [{ subject: 'po_1', limit: 20, now: at }],
    [{ subject: 'po_1', limit: 20 }],
  ])
})

test('without a reading of the QR and without an event there is neither, and no delivery', async () => {
  const open = { claimCount: 0, unanswered: 0, dueAt: at, raised: {} } as const
  const { history } = await read({ payout: processing, open, postings: [], eventId: null })
  expect(history).toMatchObject({ resolution: undefined, event: undefined, deliveries: [] })
})
