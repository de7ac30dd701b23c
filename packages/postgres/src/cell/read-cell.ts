import type pg from 'pg'
import { withConnection } from '../connection/connection.ts'

/** A cell as its database has it. */
export type CellState = {
  /** Null: no cell. */
  readonly letter: string | null
  readonly isStandby: boolean
  /** How many tenants it has. */
  readonly tenants: number
  /** Tenants that move to another cell, or have moved. */
  readonly moving: readonly {
    readonly cell: string
    readonly step: 'draining' | 'stopped' | 'left'
    readonly tenants: number
  }[]
}

// Decided by migrations/0041-cells.sql.

/** Reads what moves between cells. */
export const readCell = (connection: string | pg.ClientConfig): Promise<CellState> =>
  withConnection(connection, async (client) => {
    const { rows } = await client.query<CellState>(`
      select c.letter, pg_is_in_recovery() as "isStandby", (
          select count(*)::int from quipu.tenant t
          where not exists (select from quipu.moving_tenant m where m.tenant_id = t.id and m.left_at is not null)
        ) as tenants, (
          select coalesce(json_agg(s order by s.cell, s.step), '[]') from (
            select m.cell, count(*)::int as tenants, case when m.left_at is not null then 'left'
              when w.moved_to is not null then 'stopped' else 'draining' end as step
            from quipu.moving_tenant m join quipu.wallet w on w.tenant_id = m.tenant_id
            group by m.cell, 3
          ) s
        ) as moving
      from quipu.cell c`)
    const [state] = rows
    if (state === undefined) throw new Error('the database has no migration of cells')
    return state
  })

/**
 * The SHA-256 of the usable keys that do not show by their letter that they belong to this cell: those of tenants that
 * came from another one, from before.
 */
export const movedKeys = (
  connection: string | pg.ClientConfig,
): Promise<{ readonly letter: string | null; readonly hashes: readonly string[] }> =>
  withConnection(connection, async (client) => {
    const { rows } = await client.query<{ letter: string | null; hashes: string[] }>(`
      select c.letter, array(
        select k.hash from quipu.api_key k
        where k.created_at <= c.entered_at and k.revoked_at is null and coalesce(k.expires_at > now(), true)
          and not exists (select from quipu.moving_tenant m where m.tenant_id = k.tenant_id and m.left_at is not null)
        order by k.hash
      ) as hashes
      from quipu.cell c`)
    return rows[0] ?? { letter: null, hashes: [] }
  })
