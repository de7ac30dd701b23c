import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { clientConfig } from '../connection/connection.ts'
import type { Statement } from '../connection/database.ts'
import { openTestStores, type TestStores } from './stores.fixture.ts'

/**
 * For each statement, by name: the indexes that it must use, with the least number of columns that it
 * searches by. The name of a partition's index is given without the partition's suffix.
 */
export type ExpectedPlans = Readonly<Record<string, Readonly<Record<string, number>>>>

/**
 * Tests the generic plans of statements on empty tables, as a session keeps such a plan while the tables grow.
 *
 * @param queues tables that are often empty, and may be analyzed then: tests the plans after that as well
 */
export function expectPlans(
  statements: readonly Statement[],
  expected: ExpectedPlans,
  queues: readonly string[] = [],
): void {
  const states = [
    ['without rows or statistics', []],
    ...(queues.length > 0 ? [['that was analyzed while its queues were empty', queues] as const] : []),
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

    test.each(statements)('$name uses the index that was created for it', async (statement) => {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain (generic_plan) ${statement.text}`)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      // A lease is a row for some seconds, and a signal until the next claim, so these scans read few rows.
      expect(plan).not.toMatch(/Seq Scan (?!on (?:payout_lease|delivery_signal) )|Hash Join|Merge Join|Sort Method/)
      const used = indexesIn(plan)
      for (const [index, columns] of Object.entries(expected[statement.name] ?? { none: 1 }))
        expect(used[index] ?? 0, `${index} in\n${plan}`).toBeGreaterThanOrEqual(columns)
    })
  })
}

/**
 * Calls a function with the settings of the stores, rolls back, and returns the indexes that its statements
 * used. A call that fails counts as far as it ran.
 *
 * @returns for each index the least number of columns that it was searched by
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
  expect(all).not.toMatch(/Seq Scan (?!on (?:payout_lease|operator_token) )|Hash Join|Merge Join/)
  return indexesIn(all)
}

/** The indexes of a plan, each with the least number of conditions that it is searched by. */
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
