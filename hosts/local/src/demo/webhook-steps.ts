import { z } from 'zod'
import type { Chapter, Stage } from './payment-steps.ts'
import type { Receiver } from './receiver.ts'

const Events = z.object({
  data: z.array(z.object({ id: z.string(), type: z.string() })),
  next_cursor: z.string().nullable(),
})

const perPage = 100

/** The tenant's endpoint at its own receiver, and what it hears. */
export function webhookChapters(
  receiver: Receiver,
  since: Date,
): {
  readonly first: Chapter
  readonly last: Chapter
} {
  let id = ''
  return {
    first: {
      title: 'a webhook endpoint, and a first signed event',
      async play({ shop }) {
        const endpoint = await shop.addWebhook(receiver.url)
        id = endpoint.id
        receiver.secret = endpoint.secret
        const { event_id, outcome } = await shop.testWebhook(id)
        const heard = receiver.events.get(event_id)?.type ?? 'nothing'
        const expected = '200 delivered, webhook.test verified'
        return { expected, got: `${outcome}, ${heard} verified`, debited: 0n }
      },
    },
    last: {
      title: 'every event of it, signed, at the endpoint',
      async play(stage) {
        const made = await eventsSince(stage, since)
        await untilHeard(stage, receiver, made.length)
        const heard = made.filter((event) => receiver.events.get(event.id)?.type === event.type)
        for (const [type, count] of countsOf(heard)) stage.remark(`${count} × ${type} verified`)
        await stage.shop.removeWebhook(id)
        return {
          expected: `${made.length} of ${made.length} events verified`,
          got: `${heard.length} of ${made.length} events verified`,
          debited: 0n,
        }
      },
    },
  }
}

async function eventsSince({ shop }: Stage, since: Date) {
  const from = `/v1/events?limit=${perPage}&from=${since.toISOString()}`
  const made: z.output<typeof Events>['data'] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: z.output<typeof Events> = await shop.read(
      cursor === '' ? from : `${from}&cursor=${encodeURIComponent(cursor)}`,
      Events,
    )
    made.push(...page.data)
    cursor = page.next_cursor
  }
  return made
}

/** Waits for a while; who comes late is counted as missing. */
async function untilHeard({ pause }: Stage, { events }: Receiver, count: number): Promise<void> {
  const tests = 1
  for (let times = 0; times < 200 && events.size < count + tests; times++) await pause(50)
}

function countsOf(events: readonly { readonly type: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1)
  return counts
}
