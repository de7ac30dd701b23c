import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientConfig } from '../connection/connection.ts'
import type { Statement } from '../connection/database.ts'
import { openTestStores, type TestStores } from './stores.fixture.ts'

/**
 * Which index finds the rows of each table, and by how many of its columns at least, for each
 * statement by its name. An index of partitions goes by its name without theirs.
 */
export type ExpectedPlans = Readonly<Record<string, Readonly<Record<string, number>>>>

/**
 * Plans that are made once and kept: what matters is that they are right before the first row.
 *
 * @param swept tables that empty themselves again and again, and are analyzed when they have
 */
export function expectPlans(
  statements: readonly Statement[],
  expected: ExpectedPlans,
  swept: readonly string[] = [],
): void {
  const states = [
    ['without rows or statistics', []],
    ...(swept.length > 0 ? [[`that was found empty`, swept] as const] : []),
  ] as const
  describe.each(states)('on a database %s', (_, analyzed) => {
    let stores: TestStores
    let client: pg.Client
    beforeAll(async () => {
      stores = await openTestStores()
      client = new pg.Client(clientConfig({ url: stores.url }))
      await client.connect()
      for (const table of analyzed) await client.query(`vacuum analyze ${table}`)
    })
    afterAll(async () => {
      await client.end()
      await stores.close()
    })

    test.each(statements)('$name finds its rows by the index made for it', async (statement) => {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (generic_plan) ${statement.text}`,
      )
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      // A lease is a row of the last seconds: all of them are read.
      expect(plan).not.toMatch(/Seq Scan (?!on payout_lease )|Hash Join|Merge Join|Sort Method/)
      const used = indexesIn(plan)
      for (const [index, columns] of Object.entries(expected[statement.name] ?? { none: 1 }))
        expect(used[index] ?? 0, `${index} in\n${plan}`).toBeGreaterThanOrEqual(columns)
    })
  })
}

/**
 * Calls a function as the stores would, takes back what it has written, and tells how its statements were
 * planned: those that it has reached, also when it fails.
 *
 * @returns the fewest columns by which each index was searched
 */
export async function plansWithin(
  url: string,
  call: string,
  values: readonly unknown[],
): Promise<Record<string, number>> {
  const client = new pg.Client(clientConfig({ url }))
  const plans: string[] = []
  client.on('notice', ({ message = '' }) => plans.push(message))
  await client.connect()
  await client.query(`load 'auto_explain'; set auto_explain.log_min_duration = 0;
    set auto_explain.log_nested_statements = on; set client_min_messages = log; begin`)
  await client.query(call, [...values]).catch(() => undefined)
  await client.end()
  const all = plans.filter((plan) => plan.includes('plan:')).join('\n')
  expect(all).toContain('Index')
  expect(all).not.toMatch(/Seq Scan|Hash Join|Merge Join/)
  return indexesIn(all)
}

/** The indexes of a plan, each with the fewest conditions by which it is searched. */
function indexesIn(plan: string): Record<string, number> {
  const used: Record<string, number> = {}
  const scan = /Index (?:Only )?Scan(?: Backward)? using (\w+) .*\n(?:\s+Index Cond: (.*))?/g
  for (const [, name = '', condition] of plan.matchAll(scan)) {
    const index = name.replace(/_(?:\d{4}_\d\d|default)_/, '_')
    const columns = condition === undefined ? 0 : condition.split(' AND ').length
    used[index] = Math.min(used[index] ?? columns, columns)
  }
  return used
}
