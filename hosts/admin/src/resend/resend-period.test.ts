import { expect, test } from 'vitest'
import { admin, type Answered, apiServer } from '../test/admin.fixture.ts'

const delivery = (n: number, type = 'payout.completed') => ({
  id: `dlv_${n}`,
  event_type: type,
  created_at: `2026-11-27T10:00:0${n}.000Z`,
})
const page = (rows: readonly object[], next: string | null): Answered => ({
  status: 200,
  body: { data: rows, next_cursor: next },
})
const pages = [
  page([delivery(5), delivery(4, 'payout.failed')], 'c'),
  page([delivery(3), delivery(2), delivery(1)], 'd'),
]
const args = ['webhooks', 'resend', 'we_1', '--from', '2026-11-27T10:00:02Z', '--to', '2026-11-27T10:00:04Z']
const accepted: Answered = { status: 202, body: {} }
const resent = (paths: readonly string[]) =>
  paths.flatMap((path) => /deliveries\/(dlv_\d)\/resend/.exec(path)?.[1] ?? [])

test('sends what the period has, the oldest first, at a bounded rate', async () => {
  await using server = await apiServer(...pages, accepted)
  const pauses: number[] = []
  const pause = async (ms: number): Promise<void> => void pauses.push(ms)
  const { code, out } = await admin([...args, '--per-second', '4'], { env: server.env, pause })
  expect([code, out]).toEqual([0, '3 sent again.\n'])
  const paths = server.received.map(({ path }) => path)
  expect(resent(paths)).toEqual(['dlv_2', 'dlv_3', 'dlv_4'])
  expect(paths[1]).toContain('cursor=c')
  expect(pauses).toEqual([250, 250])
})

test('types filter, and one that is under way is counted', async () => {
  const pending: Answered = {
    status: 409,
    body: { error: { code: 'DELIVERY_PENDING', message: 'x', request_id: 'r' } },
  }
  await using server = await apiServer(...pages, pending, accepted)
  const { out } = await admin([...args, '--type', 'payout.completed'], { env: server.env })
  expect(resent(server.received.map(({ path }) => path))).toEqual(['dlv_2', 'dlv_3'])
  expect(out).toBe('1 sent again, 1 with an attempt under way.\n')
})

test('after an interruption it goes on behind the last one', async () => {
  const failure: Answered = { status: 500, body: { error: { code: 'INTERNAL_ERROR', message: 'x', request_id: 'r' } } }
  await using broken = await apiServer(...pages, accepted, failure)
  const { code, error } = await admin(args, { env: broken.env })
  expect(code).not.toBe(0)
  expect(error).toContain('add --after dlv_2\n')
  await using server = await apiServer(...pages, accepted)
  await admin([...args, '--after', 'dlv_2'], { env: server.env })
  expect(resent(server.received.map(({ path }) => path))).toEqual(['dlv_3', 'dlv_4'])
  await using other = await apiServer(...pages)
  expect((await admin([...args, '--after', 'dlv_9'], { env: other.env })).code).toBe(2)
})
