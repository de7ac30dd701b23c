import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EventRecord } from '../event/event.ts'
import { usdt } from '../money.ts'
import { anyInstant, anyText } from './arbitraries.ts'
import { someInstant } from './given.ts'
import { type OpenHarness, useWorld, type World } from './harness.ts'
import type { Runs } from './runs.ts'

/** What every `EventStore` must do, as tests. Which writes make events is in `payoutStoreContract`. */
export function eventStoreContract(
  name: string,
  open: OpenHarness,
  { runs = 50 }: Runs = {},
): void {
  describe(`event store in ${name}`, () => {
    const world = useWorld(open)

    test('an event’s bytes and instants are exactly those that were committed', async () => {
      const w = world()
      const tenantId = await w.newWallet(usdt(0n))
      const quote = await w.newQuote(tenantId)
      await fc.assert(
        fc.asyncProperty(anyBody, anyInstant, anyInstant, async (body, occurredAt, recordedAt) => {
          const write = w.refusing(quote)
          const event = eventIn(write, { body, occurredAt, recordedAt })
          expect(await w.payouts.commit({ ...write, event })).toBe('committed')
          expect(await plainEvents(w, tenantId, event.subjectId)).toEqual([plain(event)])
        }),
        { numRuns: runs },
      )
    })

    test('another tenant’s events are not there, nor are those of an unknown subject', async () => {
      const w = world()
      const [owner, stranger] = [await w.newWallet(usdt(0n)), await w.newWallet(usdt(0n))]
      const write = w.refusing(await w.newQuote(owner))
      await w.payouts.commit(write)
      expect(await w.events.listBySubject(stranger, write.step.payout.id)).toEqual([])
      const unknown = w.ids.next('po', someInstant)
      expect(await w.events.listBySubject(owner, unknown)).toEqual([])
    })
  })
}

/** JSON that only a byte-for-byte copy equals: its spaces, escapes and order of members are free. */
const anyBody: fc.Arbitrary<Uint8Array> = fc
  .record({ value: fc.jsonValue(), note: anyText, indent: fc.constantFrom(0, 1, 3, '\t') })
  .map(({ value, note, indent }) =>
    new TextEncoder().encode(` ${JSON.stringify({ z: value, a: note, é: 1 }, null, indent)}\n`),
  )

function eventIn(
  write: { readonly event: EventRecord | null },
  over: Partial<EventRecord>,
): EventRecord {
  if (write.event === null) throw new Error('this write has no event')
  return { ...write.event, ...over }
}

/** Compared as plain arrays: a subclass of Uint8Array is as good. */
const plain = (event: EventRecord) => ({ ...event, body: [...event.body] })

async function plainEvents({ events }: World, tenantId: string, subjectId: string) {
  return (await events.listBySubject(tenantId, subjectId)).map(plain)
}
