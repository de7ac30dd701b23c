import { asRecorded, newPayoutEvent } from '../../fixtures/new-event.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { EventQuery, EventRecord, NewEvent, PagePosition } from '@quipu/core/adapter'
import { anyInstant, anyText } from '../../fixtures/arbitraries.ts'
import { anyPayoutQr } from '../../fixtures/payout/payout-arbitraries.ts'
import { type InsertEndedCommit } from '../../fixtures/builders.ts'
import { someInstant } from '../../fixtures/instants.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { expectPages, newestFirst } from '../../fixtures/pages.ts'
import type { Runs } from '../../fixtures/runs.ts'
import { eventsAbout, plainEvent } from '../../fixtures/events-about.ts'

type Needed = 'events' | 'payouts' | 'quotes' | 'tenants'

/** The contract of an `EventStore`. `payoutStoreContract` proves which writes make events. */
export function eventStoreContract(name: string, open: OpenHarness<Needed>, { runs = 50 }: Runs = {}): void {
  describe(`event store in ${name}`, () => {
    const w = useWorld(open)

    test('reads back an event’s bytes and instants exactly as committed', async () => {
      await fc.assert(
        fc.asyncProperty(anyPayoutQr, anyText, anyInstant, async (qr, message, at) => {
          const { id: tenantId } = await w.newTenant()
          const write = w.insertEndedCommit(await w.newQuote(tenantId), { at })
          const error = { code: 'QUOTE_EXPIRED', message } as const
          const payout = { ...write.step.payout, status: 'cancelled', qr, error } as const
          const event = newPayoutEvent(payout, 'payout.cancelled', w.ids)
          const step = { ...write.step, payout, event }
          expect(await w.payouts.commit({ ...write, step })).toBe('committed')
          expect(await plainEvents(w, tenantId, event.subjectId)).toEqual([plainEvent(event)])
          const found = await w.events.get(tenantId, event.id)
          expect(found && plainEvent(found)).toEqual(plainEvent(event))
        }),
        { numRuns: runs },
      )
    })

    test('finds neither another tenant’s events nor those of an unknown subject', async () => {
      const [{ id: owner }, { id: otherTenant }] = [await w.newTenant(), await w.newTenant()]
      const write = w.insertEndedCommit(await w.newQuote(owner))
      await w.payouts.commit(write)
      expect(await eventsAbout(w, otherTenant, write.step.payout.id)).toEqual([])
      const unknown = w.ids.next('po', someInstant)
      expect(await eventsAbout(w, owner, unknown)).toEqual([])
      expect(await w.events.get(otherTenant, write.step.event?.id ?? '')).toBeUndefined()
      expect(await w.events.get(owner, w.ids.uuid(someInstant))).toBeUndefined()
      expect((await w.events.list(otherTenant, { limit: 10 })).items).toEqual([])
    })

    test('lists a tenant’s events newest first, filtered by type and time, in pages, each once', async () => {
      const { id: tenantId } = await w.newTenant()
      const quote = await w.newQuote(tenantId)
      const events: EventRecord[] = []
      for (const second of [1, 2, 2, 3, 4, 5]) {
        const at = new Date(someInstant.getTime() + second * 1_000)
        const write = w.insertEndedCommit(quote, { at })
        await w.payouts.commit(write)
        events.push(asRecorded(eventIn(write)))
      }
      const rowsOf = async (query: Partial<EventQuery>): Promise<readonly PagePosition[]> =>
        (await listed(w, tenantId, query)).items
      const rows = events.map(positionOf)
      await expectPages(rows, (query) => listed(w, tenantId, query))
      const [from, to] = [new Date(someInstant.getTime() + 2_000), new Date(someInstant.getTime() + 4_000)]
      const between = rows.filter(({ createdAt }) => createdAt >= from && createdAt <= to)
      expect(await rowsOf({ from, to })).toEqual(newestFirst(between))
      expect(await rowsOf({ type: 'payout.cancelled' })).toHaveLength(events.length)
      expect(await rowsOf({ type: 'payout.completed' })).toEqual([])
    })
  })
}

const positionOf = ({ id, recordedAt }: EventRecord): PagePosition => ({ id, createdAt: recordedAt })

async function listed({ events }: World<Needed>, tenantId: string, query: Partial<EventQuery>) {
  const page = await events.list(tenantId, { limit: 50, ...query })
  return { ...page, items: page.items.map(positionOf) }
}

function eventIn({ step }: InsertEndedCommit): NewEvent {
  if (step.event === null) throw new Error('this write has no event')
  return step.event
}

async function plainEvents(world: World<Needed>, tenantId: string, subjectId: string) {
  return (await eventsAbout(world, tenantId, subjectId)).map(plainEvent)
}
