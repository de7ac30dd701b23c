import { z } from 'zod'
import type { Receiver } from './receiver.ts'
import type { Step, StepContext } from './step.ts'

const Events = z.object({
  data: z.array(z.object({ id: z.string(), type: z.string() })),
  next_cursor: z.string().nullable(),
})

const perPage = 100

/** The first step registers the receiver; the last one checks that every event arrived at it. */
export function webhookSteps(receiver: Receiver, since: Date): { readonly first: Step; readonly last: Step } {
  let id = ''
  return {
    first: {
      title: 'a webhook endpoint and its first signed event',
      async run({ client }) {
        const endpoint = await client.addWebhook(receiver.url)
        id = endpoint.id
        receiver.secret = endpoint.secret
        const { event_id, outcome } = await client.testWebhook(id)
        const received = receiver.events.get(event_id)?.type ?? 'nothing'
        const expected = '200 delivered, webhook.test verified'
        return { expected, actual: `${outcome}, ${received} verified`, debited: 0n }
      },
    },
    last: {
      title: 'every event of this run, signed, at the endpoint',
      async run(context) {
        const created = await eventsSince(context, since)
        await untilReceived(context, receiver, created.length)
        const received = created.filter((event) => receiver.events.get(event.id)?.type === event.type)
        for (const [type, count] of countsOf(received)) context.note(`${count} × ${type} verified`)
        await context.client.removeWebhook(id)
        return {
          expected: `${created.length} of ${created.length} events verified`,
          actual: `${received.length} of ${created.length} events verified`,
          debited: 0n,
        }
      },
    },
  }
}

async function eventsSince({ client }: StepContext, since: Date) {
  const from = `/v1/events?limit=${perPage}&from=${since.toISOString()}`
  const events: z.output<typeof Events>['data'] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: z.output<typeof Events> = await client.read(
      cursor === '' ? from : `${from}&cursor=${encodeURIComponent(cursor)}`,
      Events,
    )
    events.push(...page.data)
    cursor = page.next_cursor
  }
  return events
}

/** Waits up to 10 s. Events that arrive later count as missing. */
async function untilReceived({ pause }: StepContext, { events }: Receiver, count: number): Promise<void> {
  const tests = 1
  for (let times = 0; times < 200 && events.size < count + tests; times++) await pause(50)
}

function countsOf(events: readonly { readonly type: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { type } of events) counts.set(type, (counts.get(type) ?? 0) + 1)
  return counts
}
