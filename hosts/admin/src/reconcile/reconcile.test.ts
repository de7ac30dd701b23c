import { expect, test } from 'vitest'
import { admin, apiServer, type Answered, type RunOptions } from '../test/admin.fixture.ts'

const run = {
  id: 'rcn_01KAGZ8M88000000000000000A',
  check: 'network',
  status: 'running',
  from: '2026-11-19T00:00:00.000Z',
  to: '2026-11-20T00:00:00.000Z',
  reached: '2026-11-19T00:00:00.000Z',
  compared: 0,
  differences: 0,
  failure: null,
  created_at: '2026-11-20T15:04:05.000Z',
}
const half = { ...run, reached: '2026-11-19T12:00:00.000Z', compared: 20 }
const failed = { ...half, failure: 'the QR network did not answer' }
const completed = { ...run, status: 'completed', reached: run.to, compared: 40 }
const difference = {
  id: 'dif_01KAGZ8M88000000000000000A',
  check: 'network',
  kind: 'absent_there',
  tenant_id: 'ten_01KAGZ8M88000000000000000A',
  subject: 'po_01KAGZ8M88000000000000000A',
  detail: 'the statement has no payment',
  expected: { currency: 'BOB', amount: '100.00' },
  found: null,
  last_seen_at: '2026-11-20T15:04:09.000Z',
}
const contradicted = { ...difference, id: 'dif_contradicted', kind: 'contradicts' }
const older = { ...difference, id: 'dif_older', last_seen_at: '2026-11-20T15:04:02.000Z' }

const ok = (body: unknown): Answered => ({ status: 200, body })
const page = (...data: object[]): Answered => ok({ data, next_cursor: null })
const requested: Answered = { status: 202, body: run }

async function reconciled(args: readonly string[], answers: readonly Answered[], options: RunOptions = {}) {
  await using server = await apiServer(...answers)
  const ended = await admin(['reconcile', ...args], { ...options, env: server.env })
  return { ...ended, received: server.received }
}

test('without differences the exit code is 0, after a line for each progress', async () => {
  const answers = [requested, ok(run), ok(half), ok(half), ok(failed), ok(completed), page()]
  const { code, out, error, received } = await reconciled(['network'], answers)
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(error.split('\n')).toEqual([
    `Run ${run.id}. To wait for it later: quipu-admin reconcile --run ${run.id}`,
    'compared 0, up to 2026-11-19T00:00:00.000Z',
    'compared 20, up to 2026-11-19T12:00:00.000Z',
    'compared 20, up to 2026-11-19T12:00:00.000Z; repeating a slice in a minute: the QR network did not answer',
    `Compared 40 (network, ${run.from} to ${run.to}); open differences: 0.`,
    '',
  ])
  const midnight = new Date().setUTCHours(0, 0, 0, 0)
  expect(received[0]?.body).toEqual({
    check: 'network',
    from: new Date(midnight - 86_400_000).toISOString(),
    to: new Date(midnight).toISOString(),
  })
})

test('differences that the run saw are a table, with exit code 4', async () => {
  const answers = [requested, ok(completed), page(difference, older, contradicted)]
  const period = ['--from', run.from, '--to', run.to]
  const { code, out, error, received } = await reconciled(['network', ...period], answers)
  expect(code).toBe(4)
  const [header, row, end] = out.split('\n')
  expect(header).toMatch(/^ID +KIND +SUBJECT +EXPECTED +FOUND +TENANT_ID +DETAIL$/)
  expect(row).toMatch(/^dif_01KAGZ8M88000000000000000A +absent_there +po_\w+ +100\.00 BOB +– /)
  expect(end).toBe('')
  expect(error).toMatch(/\nCompared 40 \(network, .*\); open differences: 1\. What to do about each kind: /)
  expect(received[0]?.body).toEqual({ check: 'network', from: run.from, to: run.to })
  expect(received.at(-1)?.path).toBe('/operator/v1/differences?check=network&status=open&limit=100')
})

test('--json has the run and its differences, with the same exit code', async () => {
  const answers = [requested, ok(completed), page(difference)]
  const { code, out } = await reconciled(['chain', '--json'], answers)
  expect(code).toBe(4)
  expect(JSON.parse(out)).toEqual({ run: completed, differences: [difference] })
})

test('on a terminal the progress of a period is a bar', async () => {
  const answers = [requested, ok(half), ok(completed), page()]
  const { error } = await reconciled(['network'], answers, { showsProgress: true })
  expect(error).toContain('[############            ] 50 % compared 20, up to 2026-11-19T12')
})

test('--no-wait prints the id, and --run waits for that run', async () => {
  const { out, error } = await reconciled(['chain', '--no-wait'], [requested])
  expect({ out, error }).toEqual({ out: `${run.id}\n`, error: '' })
  const { code, received } = await reconciled(['--run', run.id], [ok(completed), page()])
  expect(code).toBe(0)
  expect(received.map(({ method }) => method)).toEqual(['GET', 'GET'])
})

test('a run without progress for two minutes says where to look', async () => {
  const waiting = Array.from({ length: 70 }, () => ok(run))
  const { error } = await reconciled(['network'], [requested, ...waiting, ok(completed), page()])
  expect(error.match(/No progress for 2 minutes/g)).toHaveLength(1)
})

test.each([
  [[], 'Missing: network or chain, or --run.'],
  [['liquidity'], 'Allowed choices are network, chain'],
  [['chain', '--run', run.id], '--run takes neither a check nor a period.'],
  [['chain', '--interval', '0'], '--interval must be whole seconds'],
])('reconcile %j is a wrong command line', async (args, message) => {
  const { code, error, received } = await reconciled(args, [requested])
  expect({ code, received }).toEqual({ code: 2, received: [] })
  expect(error).toContain(message)
})
