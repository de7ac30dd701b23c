import type { Sql } from './stores.fixture.ts'
import { eventId } from './delivery-states.fixture.ts'

// Calls of functions with all that they change: of the delivery or endpoint that they name, and of no other.

/** The tables of endpoints and deliveries, each with what identifies a row. */
const tables = {
  webhook_endpoint: 'id',
  delivery_cursor: 'endpoint_id',
  endpoint_filter: `endpoint_id || ' ' || until_seq`,
  delivery_run: `endpoint_id || ' ' || first_seq`,
  delivered_run: `endpoint_id || ' ' || first_seq || '.' || part`,
  delivery_open: `endpoint_id || ' ' || event_id`,
  delivery: `endpoint_id || ' ' || event_id`,
  delivery_signal: `''`,
  audit_log: `subject || ' ' || action`,
} as const

type Row = Readonly<Record<string, unknown>>

const everyRow = Object.entries(tables)
  .map(
    ([table, key]) =>
      `select '${table} ' || ${key} as key, to_jsonb(t) - '{tenant_id,hash}'::text[] as row from quipu.${table} t`,
  )
  .join(' union all ')

/** Ids of events as the number of their tenant and entry. */
export const named = (text: string): string =>
  text.replaceAll(
    /[\da-f]{8}-[\da-f]{4}-7000-8000-0{9}(\d)(\d\d)/g,
    (_, tenant: string, rest: string) => `${tenant}-${99 - Number(rest)}`,
  )

/** A value as a short text; instants of the test's day without their date. */
function textOf(value: unknown): string {
  if (Buffer.isBuffer(value)) return value.toString()
  if (value instanceof Date) return textOf(value.toISOString())
  if (Array.isArray(value)) return `[${value.map(textOf).join(' ')}]`
  if (typeof value === 'object') return JSON.stringify(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return named(text).replace(/^2026-05-01T([\d:.]+?)(?:\.000)?(?:Z|\+00:00)$/, '$1')
}

/** Values that a row has unless something sets them. */
const isDefault = (value: unknown): boolean =>
  value === null || value === false || value === 0 || (Array.isArray(value) && value.length === 0)

const keys = new Set(['id', 'tenant_id', 'endpoint_id', 'event_id'])

/** The columns of a row that differ from another one, or are set. */
const lineOf = (key: string, row: Row, old?: Row): string[] => {
  const shown = Object.entries(row).filter(([column, value]) =>
    old ? textOf(old[column]) !== textOf(value) : !isDefault(value) && !keys.has(column),
  )
  const columns = shown.map(([column, value]) => `${column}=${textOf(value)}`).toSorted()
  return columns.length > 0 ? [`${key}: ${columns.join(' ')}`] : []
}

async function rowsNow(sql: Sql): Promise<Map<string, Row>> {
  const rows = await sql(everyRow)
  return new Map(rows.map(({ key, row }) => [named(String(key)), row as Row]))
}

/** Replaces names of events by their ids. */
export const withIds = (text: string): string =>
  text.replaceAll(/'([12])-(\d+)'/g, (_, tenant: string, seq: string) => `'${eventId(Number(tenant), Number(seq))}'`)

/**
 * Runs a statement, and rolls it back.
 *
 * @param text names events by tenant and entry, as `'1-16'`
 * @param prepare statements that run before it
 * @returns a line for each row that it returns, and for each that it inserted, changed or deleted
 */
export async function effectOf(sql: Sql, text: string, prepare: readonly string[]): Promise<readonly string[]> {
  await sql('begin')
  try {
    for (const each of prepare) await sql(withIds(each))
    const before = await rowsNow(sql)
    const result = await sql(withIds(text))
    const after = await rowsNow(sql)
    const found = [...new Set([...before.keys(), ...after.keys()])].toSorted()
    const changes = found.flatMap((key) => {
      const row = after.get(key)
      return row ? lineOf(key, row, before.get(key)) : [`${key}: deleted`]
    })
    return [...result.flatMap((row) => returned(row)), ...changes]
  } finally {
    await sql('rollback')
  }
}

/** A row that a statement returns, with its endpoint. Of a single column any value is shown. */
function returned({ endpoint_id: id, ...row }: Row): string[] {
  const [only, ...others] = Object.values(row)
  if (others.length === 0) return [`returns: ${textOf(only)}`]
  return lineOf(id === undefined ? 'returns' : `returns ${textOf(id)}`, row)
}
