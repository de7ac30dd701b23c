import { expect, test } from 'vitest'
import { startFixture, type Fixture } from '../qr-network.fixture.ts'
import type { StatementRow } from './statement.ts'

async function rowsOf({ ask }: Fixture, query: Record<string, string> = {}): Promise<StatementRow[]> {
  const rows: StatementRow[] = []
  let page = new URLSearchParams(query)
  for (;;) {
    const { body } = await ask('GET', `/v1/statement?${page.toString()}`)
    rows.push(...(body['data'] as StatementRow[]))
    const cursor = body['next_cursor'] as string | null
    if (cursor === null) return rows
    page = new URLSearchParams({ ...query, cursor })
  }
}

const referencesOf = async (fixture: Fixture, query?: Record<string, string>): Promise<string[]> =>
  (await rowsOf(fixture, query)).map(({ reference }) => reference)

test('pages have each payment once, also while others are paid', async () => {
  const fixture = await startFixture({ statementRowsMax: 3 })
  const order = await fixture.order(fixture.qr())
  for (let i = 0; i < 7; i++) await fixture.pay(`po_${i}`, order)
  const first = await fixture.ask('GET', '/v1/statement')
  for (let i = 7; i < 10; i++) await fixture.pay(`po_${i}`, order)

  const rest = await referencesOf(fixture, { cursor: String(first.body['next_cursor']) })

  const met = (first.body['data'] as StatementRow[]).map(({ reference }) => reference)
  expect(met).toHaveLength(3)
  expect([...met, ...rest]).toEqual(Array.from({ length: 10 }, (_, i) => `po_${i}`))
})

test('from and to are inclusive', async () => {
  const fixture = await startFixture()
  for (const reference of ['po_1', 'po_2', 'po_3']) {
    await fixture.payScenario(reference, 'paid')
    fixture.step(1_000)
  }
  const at = '2026-11-21T12:00:01.000Z'
  expect(await referencesOf(fixture, { from: at })).toEqual(['po_2', 'po_3'])
  expect(await referencesOf(fixture, { to: at })).toEqual(['po_1', 'po_2'])
  expect(await referencesOf(fixture, { from: at, to: '2026-11-21T08:00:01-04:00' })).toEqual(['po_2'])
})

test.each([
  'from=yesterday',
  'from=2026-11-21T12:00:00',
  'cursor=-1',
  'cursor=x',
  'page=2',
  'from=2026-11-22T00:00:00Z&to=2026-11-21T00:00:00Z',
])('a statement asked with %s is a 400', async (query) => {
  const { ask } = await startFixture()
  expect((await ask('GET', `/v1/statement?${query}`)).status).toBe(400)
})

test('faults omit, add and change rows of the statement, not of the ledger', async () => {
  const fixture = await startFixture()
  await fixture.payScenario('po_1', 'paid')
  await fixture.payScenario('po_2', 'paid')
  const addedRow: StatementRow = {
    reference: 'po_x',
    network_ref: '1',
    network_payment_id: 'QN9',
    amount: '5.00',
    paid_at: '2026-11-21T12:00:00.000Z',
    state: 'paid',
  }
  await fixture.network.setFaults({ statement: { omit: ['po_1'], add: [addedRow], amounts: { po_2: '100.01' } } })

  const rows = await rowsOf(fixture)

  expect(rows).toMatchObject([{ reference: 'po_2', amount: '100.01' }, addedRow])
  expect(await referencesOf(fixture, { from: '2026-11-21T12:00:00.001Z' })).toEqual([])
  expect(fixture.network.ledger().spent).toBe('200.00')
})

test('a returned payment is on the statement as reversed', async () => {
  const fixture = await startFixture()
  await fixture.payScenario('po_1', 'paid')
  fixture.network.settle('po_1', 'refused_payment', true)
  expect(await rowsOf(fixture)).toMatchObject([{ reference: 'po_1', state: 'reversed' }])
  expect(fixture.network.ledger().spent).toBe('0.00')
})
