import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PayoutHistory } from './payout-history.ts'
import { payoutTimeline, type TimelineEntry } from './timeline.ts'

/** Few instants, so that many entries share one. */
const anyInstant = fc.integer({ min: 0, max: 3 }).map((ms) => new Date(ms))
const anyEvent = anyInstant.map((recordedAt) => ({ recordedAt }))
const anyDelivery = fc.record({
  attempts: fc.array(
    anyInstant.map((at) => ({ at })),
    { maxLength: 3 },
  ),
  endedAt: fc.option(anyInstant),
})
const anyPayout = fc.oneof(
  fc.record({ status: fc.constant('processing'), createdAt: anyInstant }),
  fc.record({ status: fc.constant('completed'), createdAt: anyInstant, endedAt: anyInstant }),
)
/** A history with those members alone that the time line reads. */
const anyHistory = fc
  .record({
    record: fc.record({
      payout: anyPayout,
      postings: fc.array(
        anyInstant.map((at) => ({ at })),
        { maxLength: 2 },
      ),
    }),
    quote: fc.option(
      anyInstant.map((createdAt) => ({ quote: { createdAt } })),
      { nil: undefined },
    ),
    resolution: fc.option(
      anyInstant.map((createdAt) => ({ createdAt })),
      { nil: undefined },
    ),
    networkCalls: fc.array(
      anyInstant.map((createdAt) => ({ createdAt })),
      { maxLength: 3 },
    ),
    event: fc.option(anyEvent, { nil: undefined }),
    deliveries: fc.array(anyDelivery, { maxLength: 3 }),
    differences: fc.array(fc.record({ foundAt: anyInstant, goneAt: fc.option(anyInstant) }), { maxLength: 2 }),
    audit: fc.array(
      anyInstant.map((at) => ({ at })),
      { maxLength: 3 },
    ),
  })
  .map((history) => history as unknown as PayoutHistory)

const causes: readonly TimelineEntry['kind'][] = [
  'qr_resolved',
  'quoted',
  'requested',
  'posted',
  'network_called',
  'ended',
  'event_recorded',
  'delivery_attempted',
  'delivery_ended',
  'difference_found',
  'difference_gone',
  'operator_acted',
]

test('is ordered by time', () => {
  fc.assert(
    fc.property(anyHistory, (history) => {
      const instants = payoutTimeline(history).map(({ at }) => at.getTime())
      expect(instants).toEqual(instants.toSorted((a, b) => a - b))
    }),
  )
})

test('orders entries of one instant by cause; deliveries and differences stay together, and so do money and network', () => {
  const isOfDelivery = (kind: TimelineEntry['kind']) => kind.startsWith('delivery')
  const isOfDifference = (kind: TimelineEntry['kind']) => kind.startsWith('difference')
  const isOfMoney = (kind: TimelineEntry['kind']) => kind === 'posted' || kind === 'network_called'
  fc.assert(
    fc.property(anyHistory, (history) => {
      const line = payoutTimeline(history)
      for (const [i, { at, kind }] of line.entries()) {
        const next = line[i + 1]
        if (next?.at.getTime() !== at.getTime()) continue
        if (isOfDelivery(kind) && isOfDelivery(next.kind)) continue
        if (isOfDifference(kind) && isOfDifference(next.kind)) continue
        if (isOfMoney(kind) && isOfMoney(next.kind)) continue
        expect(causes.indexOf(kind)).toBeLessThanOrEqual(causes.indexOf(next.kind))
      }
    }),
  )
})

test('shows everything that is stored, once', () => {
  fc.assert(
    fc.property(anyHistory, (history) => {
      const { record, quote, resolution, networkCalls, event } = history
      const { deliveries, differences, audit } = history
      const { payout, postings } = record
      const stored: unknown[] = [
        ...[resolution, quote?.quote, payout, event].filter((each) => each !== undefined),
        ...('endedAt' in payout ? [payout] : []),
        ...postings,
        ...audit,
        ...differences,
        ...differences.filter(({ goneAt }) => goneAt !== null),
        ...networkCalls,
        ...deliveries.flatMap(({ attempts }) => attempts),
        ...deliveries.filter(({ endedAt }) => endedAt !== null),
      ]
      const line = payoutTimeline(history)
      expect(line).toHaveLength(stored.length)
      const shown = new Set(line.flatMap((entry) => Object.values<unknown>(entry)))
      expect(stored.filter((each) => !shown.has(each))).toEqual([])
    }),
  )
})
