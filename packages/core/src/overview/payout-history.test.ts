import { expect, test } from 'vitest'
import type { Difference } from '../difference/difference.ts'
import type { EventRecord } from '../event/event.ts'
import type { NetworkCall } from '../network/network-call.ts'
import { at, completed, processing, quote } from '../payout/payout.fixture.ts'
import { draft } from '../proposal/proposal.fixture.ts'
import type { Proposal } from '../proposal/proposal.ts'
import type { Resolution } from '../quote/resolution.ts'
import type { AuditRecord } from '../audit/ports.ts'
import type { Delivery } from '../webhook/delivery.ts'
import { readPayoutHistory, type ReadPayoutHistoryPorts } from './payout-history.ts'
import type { PayoutRecord } from './ports.ts'
import { originOf } from '../audit/operator.fixture.ts'

const page = <T>(items: readonly T[]) => ({ items, next: null })

const callOf = (id: string): NetworkCall => ({
  id,
  kind: 'status',
  queriedBy: 'worker',
  actor: null,
  createdAt: at,
  durationMs: 1,
  answer: 'not_seen',
  detail: null,
})
const proposalOf = (id: string): Proposal => ({ ...draft, id, status: 'open' })
const differenceOf = (id: string): Difference => ({
  id,
  check: 'network',
  kind: 'paid_twice',
  scope: '',
  tenantId: 'ten_1',
  subject: 'po_1',
  detail: '',
  expected: null,
  found: null,
  foundAt: at,
  lastSeenAt: at,
  goneAt: null,
  closure: null,
  status: 'open',
  change: 1n,
})
const entryOf = (id: bigint, subject: string): AuditRecord => ({
  id,
  hash: '',
  ...originOf('ana'),
  action: 'payout.query',
  tenantId: 'ten_1',
  subject,
  at,
  before: null,
  after: null,
})
const event: EventRecord = {
  id: 'evt-1',
  tenantId: 'ten_1',
  type: 'payout.completed',
  subjectId: 'po_1',
  occurredAt: at,
  recordedAt: at,
  body: new Uint8Array(),
}
const delivery: Delivery = {
  tenantId: 'ten_1',
  endpointId: 'we_1',
  eventId: 'evt-1',
  eventType: 'payout.completed',
  createdAt: at,
  status: 'pending',
  nextAttemptAt: at,
  endedAt: null,
  attempts: [],
}
const resolution: Resolution = {
  id: 'qrr_1',
  tenantId: 'ten_1',
  contentHash: '',
  createdAt: at,
  networkRef: 'nr-1',
  amountMode: 'open',
  amount: null,
  description: null,
  expiresAt: null,
  merchant: { name: 'Doña Elvira', bankCode: '1016' },
}
const view = { quote, status: 'used', payoutId: 'po_1' } as const

/** Newest first. */
const log = [
  entryOf(10n, 'prp_2'),
  entryOf(9n, 'po_1'),
  entryOf(8n, 'dif_2'),
  entryOf(7n, 'po_2'),
  entryOf(6n, 'prp_1'),
  entryOf(5n, 'prp_2'),
  entryOf(4n, 'po_1'),
  entryOf(3n, 'dif_1'),
]

/** Stores with this payout alone, and the questions to them. */
function harness(record: PayoutRecord) {
  const questions: unknown[] = []
  const answer = async <T>(question: unknown, found: T): Promise<T> => {
    questions.push(question)
    return found
  }
  const ports: ReadPayoutHistoryPorts = {
    overview: {
      payout: async (id) => (id === record.payout.id ? record : undefined),
      deliveriesOf: (...of) => answer({ deliveriesOf: of }, [delivery]),
    },
    quotes: { find: (...of) => answer({ quote: of }, view) },
    resolutions: { find: (...of) => answer({ resolution: of }, resolution) },
    networkCalls: { list: (...of) => answer({ calls: of }, page([callOf('nwc_2'), callOf('nwc_1')])) },
    events: { get: (...of) => answer({ event: of }, event) },
    proposals: { list: (of) => answer({ proposals: of }, page([proposalOf('prp_2'), proposalOf('prp_1')])) },
    differences: { list: (of) => answer({ differences: of }, page([differenceOf('dif_2'), differenceOf('dif_1')])) },
    audit: { list: async ({ subject }) => log.filter((each) => each.subject === subject) },
    now: () => at,
  }
  return { questions, read: readPayoutHistory(ports) }
}

const open = { claimCount: 0, unanswered: 0, dueAt: at, raised: {} } as const
const ended: PayoutRecord = {
  payout: { ...completed.payout, resolutionId: 'qrr_1' },
  open: null,
  postings: [],
  eventId: 'evt-1',
}
const unsettled: PayoutRecord = { payout: processing, open, postings: [], eventId: null }

test('there is no history of a payout that does not exist', async () => {
  expect(await harness(unsettled).read('po_2')).toBeUndefined()
})

test('a history has everything about a payout that has ended, each list oldest first', async () => {
  const { read, questions } = harness(ended)
  expect(await read('po_1')).toEqual({
    record: ended,
    quote: view,
    resolution,
    event,
    deliveries: [delivery],
    networkCalls: [callOf('nwc_1'), callOf('nwc_2')],
    proposals: [proposalOf('prp_1'), proposalOf('prp_2')],
    differences: [differenceOf('dif_1'), differenceOf('dif_2')],
    audit: expect.any(Array),
  })
  expect(questions).toEqual([
    { quote: ['ten_1', 'q-1'] },
    { resolution: ['ten_1', 'qrr_1'] },
    { calls: [{ tenantId: 'ten_1', payoutId: 'po_1' }, { limit: 100 }] },
    { event: ['ten_1', 'evt-1'] },
    { deliveriesOf: ['ten_1', 'evt-1'] },
    { proposals: { subject: 'po_1', limit: 20, now: at } },
    { differences: { subject: 'po_1', limit: 20 } },
  ])
})

test('entries of the audit log about a payout, its proposals and its differences are in one order', async () => {
  const history = await harness(ended).read('po_1')
  expect(history?.audit.map(({ id }) => id)).toEqual([3n, 4n, 5n, 6n, 8n, 9n, 10n])
})

test('without a reading of the QR and without an event there is neither, and no delivery', async () => {
  const { read, questions } = harness(unsettled)
  expect(await read('po_1')).toMatchObject({ resolution: undefined, event: undefined, deliveries: [] })
  for (const name of ['resolution', 'event', 'deliveriesOf'])
    expect(questions).not.toContainEqual(expect.objectContaining({ [name]: expect.anything() }))
})
