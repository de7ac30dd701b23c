import { presentedBy } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { attemptAt, eventsHappen, everything, newReceiver, recordAll } from '../test/deliveries.fixture.ts'
import { openOtherSession, openTransaction, untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

// Two calls about one endpoint at once: the second one waits, and sees what the first one has changed.

const harness = useStoreHarness()

/** An endpoint with events that are due. */
async function receiver(count: number) {
  const [tenantId, id] = await newReceiver(harness)
  await harness.sql(eventsHappen, [tenantId, count])
  const log = await harness.sql('select event_id from quipu.tenant_log where tenant_id = $1 order by seq', [tenantId])
  const [event = '', next = ''] = log.map((row) => String(row['event_id']))
  return { tenantId, id, event, next }
}
type Receiver = Awaited<ReturnType<typeof receiver>>
type Call = (of: Receiver) => string

const claim: Call = ({ id, event }) =>
  `select fencing_token as token from quipu.claim_delivery('${id}', '${event}', 60, null)`
const record: Call = ({ id, event }) =>
  `select counts from quipu.record_attempts('{${id}}', array['${event}']::uuid[], '{1}', array['{}'], '{delivered}',
     '{1000}', '{false}', '{5}', '{900}', null)`
const recordPart: Call = ({ id, event }) =>
  `select quipu.record_runs('{${id}}', array[r.first_seq], '{1}', array['${event}']::uuid[], array[now()], '{200}',
     '{1}', '{null}', null) as recorded from quipu.delivery_run r where r.endpoint_id = '${id}'`
const turn: Call = () => `select from quipu.claim_deliveries(99, 60, 99, 99, false, 50, true, '', true, null)`
const resend: Call = ({ tenantId, id, event }) =>
  `select quipu.resend_delivery('${tenantId}', '${id}', '${event}', null) as result`
const requeue: Call = ({ id, event }) => `select from quipu.requeue_deliveries('{${id}}', '{${event}}', null)`
const reactivateAt =
  (clock: string): Call =>
  ({ tenantId, id }) =>
    `select requeued::int, redelivered::int from quipu.reactivate_endpoint('${tenantId}', '${id}', 1800, now(), ${clock})`
const reactivate = reactivateAt('null')
const pause: Call = ({ tenantId, id }) =>
  `select quipu.pause_endpoint('${tenantId}', '${id}', '${presentedBy('ana')}', now(), 'x') as result`
const unfilter: Call = ({ tenantId, id }) =>
  `select quipu.change_endpoint('${tenantId}', '${id}', null, true, '{}', false, null, now()) as changed`
const commit: Call = ({ tenantId }) => eventsHappen.replaceAll('$1', `'${tenantId}'::text`).replaceAll('$2', '1')
const ofNext =
  (call: Call): Call =>
  (of) =>
    call({ ...of, event: of.next })

const claimAll = (leaseSeconds = 60) => harness.stores.deliveries.claimDue({ ...everything, leaseSeconds })
const recordEach = async (type: 'delivered' | 'exhausted') =>
  void (await recordAll(harness.stores.deliveries, await claimAll(), { type }))
const enqueue = async () => void (await harness.stores.deliveries.enqueue(everything))

const open = `select is_leased as leased, fencing_token as token, return_to, in_flight_until is null as is_free
  from quipu.delivery_open where endpoint_id = $1`
const run = 'select cardinality(event_ids) as size from quipu.delivery_run where endpoint_id = $1'
const leased = { leased: true, return_to: null, is_free: false }

type Case = {
  /** Puts the deliveries of the endpoint into their state. */
  readonly before?: (of: Receiver) => Promise<unknown>
  readonly first: Call
  readonly second: Call
  /** The rows of both calls. */
  readonly answers?: readonly unknown[]
  /** A statement about the endpoint, and its rows after both calls. */
  readonly left?: readonly [statement: string, rows: readonly unknown[]]
}
const committed = [{ result: 'committed' }]

test.each<[string, Case]>([
  ['of two claims of a delivery by name one has it', { first: claim, second: claim, answers: [[{ token: 1 }], []] }],
  [
    'two deliveries of a lost run that are claimed by name both leave it',
    {
      before: () => claimAll(0),
      first: claim,
      second: ofNext(claim),
      answers: [[{ token: 2 }], [{ token: 2 }]],
      left: [run, [{ size: 1 }]],
    },
  ],
  [
    'a claim by name takes nothing that the turn of its endpoint has taken',
    { first: turn, second: claim, answers: [[{}], []], left: [run, [{ size: 3 }]] },
  ],
  [
    'two attempts of one run both leave it',
    { before: () => claimAll(), first: record, second: ofNext(record), left: [run, [{ size: 1 }]] },
  ],
  [
    'parts of one run both leave it',
    { before: () => claimAll(), first: recordPart, second: ofNext(recordPart), left: [run, [{ size: 1 }]] },
  ],
  [
    'two deliveries of a run that are resent are both due',
    { before: () => recordEach('delivered'), first: resend, second: ofNext(resend), answers: [committed, committed] },
  ],
  [
    'a requeue leaves a claim by name its delivery',
    { before: enqueue, first: claim, second: requeue, left: [`${open} and is_leased`, [{ ...leased, token: 1 }]] },
  ],
  [
    'a reactivation does not make a retry due that has been claimed',
    {
      before: async () => {
        const [retried] = await claimAll()
        if (retried) await harness.stores.deliveries.record(attemptAt(retried, { type: 'retry', inMs: 0 }))
      },
      first: claim,
      second: reactivateAt(`now() - interval '1 hour'`), // The retry is due later than that.
      answers: [[{ token: 2 }], [{ requeued: 0, redelivered: 0 }]],
      left: [open, [{ ...leased, token: 2 }]],
    },
  ],
  [
    'a resend that has been claimed becomes an ordinary delivery by a reactivation',
    {
      before: async (of) => {
        await recordEach('exhausted')
        await harness.sql(resend(of))
      },
      first: claim,
      second: reactivate,
      left: [`${open} and is_leased`, [{ ...leased, token: 2 }]],
    },
  ],
  [
    'a delivery that a reactivation has changed is due again when the queue refuses it',
    {
      before: async (of) => {
        await recordEach('exhausted')
        await harness.sql(resend(of))
        await enqueue()
      },
      first: reactivate,
      second: requeue,
      left: [`${open} and in_flight_until is not null`, []],
    },
  ],
  [
    'of two pauses of operators the first one holds',
    { first: pause, second: pause, answers: [committed, [{ result: 'stale' }]] },
  ],
  [
    'a reactivation ends no pause of an operator',
    { first: pause, second: reactivate, answers: [committed, [{ requeued: null, redelivered: null }]] },
  ],
  [
    'a filter is of the events that are committed after it',
    { first: commit, second: unfilter, left: ['select quipu.count_queued($1)::int as queued', [{ queued: 4 }]] },
  ],
])('at once, %s', async (_, { before, first, second, answers, left }) => {
  const of = await receiver(3)
  await before?.(of)
  const earlier = await openTransaction(harness.stores.url)
  const rows = await earlier.sql(first(of))
  await using later = await openOtherSession(harness.stores.url)
  const waiting = later.sql(second(of))
  await untilWaiting(harness.sql, 1, waiting)
  await earlier.commit()
  const others = await waiting
  if (answers) expect([rows, others]).toEqual(answers)
  if (left) expect(await harness.sql(left[0], [of.id])).toEqual(left[1])
  await harness.stores.webhooks.remove(of.tenantId, of.id)
})
