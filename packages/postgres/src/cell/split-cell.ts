import { setTimeout as wait } from 'node:timers/promises'
import type pg from 'pg'
import { requireDirect } from '../connection/own-session.ts'
import { type OwnerConnection, type OwnerSession, withOwnerSession } from '../connection/owner-session.ts'

/** The cells and the tenants of a move. */
export type Split = {
  /** The cell that has the tenants, as the role that migrates. */
  readonly from: OwnerConnection
  /** Its asynchronous standby, as a role that may promote it: it becomes the new cell. */
  readonly to: OwnerConnection
  readonly tenants: readonly string[]
  /** The letter of the new cell. */
  readonly cell: string
}

/** The steps of a split, in their order. */
export type SplitStep = 'prepare' | 'drain' | 'stop' | 'replay' | 'promote' | 'enter' | 'leave' | 'freeze'

/** Who learns of the steps of a move, and when it waits. */
export type SplitOptions = {
  /** Called before each step, and while one waits. */
  readonly report?: (step: SplitStep, detail: string) => void
  /** How long workers may take to finish what they have claimed. Later their work is done again there. Default 60. */
  readonly drainSeconds?: number
  /** Waits between two looks; tests step it. */
  readonly pause?: (ms: number) => Promise<unknown>
}

/** The split cannot go on, or not back; nothing was changed by this call. */
export class SplitRefused extends Error {
  override readonly name = 'SplitRefused'
}

const pollMs = 20
/** Polls without progress after which the standby is given up: a new connection takes 5 s. */
const stillPolls = 500
const dayMs = 86_400_000

// Decided by migrations/0041-cells.sql.

/**
 * Moves tenants to a new cell, whose database is a standby of theirs until now. Safe to kill in every step: the same call
 * goes on where it ended.
 *
 * Payments of these tenants stop from `stop` to `enter`; others go on. Processes of the new cell start afterwards.
 *
 * @throws SplitRefused, or the error of a database: Unavailable when it did not confirm a step, which may be done
 */
export async function splitCell(split: Split, options: SplitOptions = {}): Promise<void> {
  const { report = () => undefined, pause = wait } = options
  const { tenants, cell } = split
  await withBoth(split, async (from, to) => {
    const [old, next] = [from.client, to.client]
    if (!(await isPromotedCopy(old, next, split))) {
      await drain(from, next, split, options)
      report('stop', 'their payments stop')
      await from.commit('select quipu.stop_tenants($1)', [tenants])
      report('replay', 'waiting until the standby has the stop')
      await caughtUp(old, next, pause, () => report('replay', 'the standby catches up'))
      // After a fail-over the old cell may lack it.
      if (!(await areStopped(old, split))) throw new SplitRefused('the old cell has lost the stop: repeat the split')
      if (!(await areStopped(next, split)))
        throw new SplitRefused('the standby follows another server: repeat the split')
      report('promote', 'the standby becomes a primary')
      // The session waits with its lock, also when this process dies: nobody goes back meanwhile.
      await one(next, `select pg_promote(true, ${dayMs / 1000})`, [])
    }
    report('enter', `cell ${cell} begins`)
    await to.commit('select quipu.enter_cell($1, $2)', [tenants, cell])
    report('leave', 'the old cell leaves them to it')
    await from.commit('select quipu.leave_cell($1)', [tenants])
    report('freeze', 'copies of tenants are taken out of the queues, in both')
    for (const { commit } of [from, to]) await commit('select quipu.freeze_tenants()')
  })
}

/** Ends with a standby that has everything until now, so that payments are stopped only for the rest. */
async function drain(
  { client: old, commit }: OwnerSession,
  next: pg.Client,
  { tenants, cell }: Split,
  options: SplitOptions,
): Promise<void> {
  const { report = () => undefined, drainSeconds = 60, pause = wait } = options
  report('prepare', 'the copy gets to know who stays')
  await commit('select quipu.prepare_copy($1)', [tenants])
  for (let waited = 0; ; waited += 100) {
    const [row] = await commit<{ leased: string }>('select quipu.drain_tenants($1, $2) as leased', [tenants, cell])
    const leased = row?.leased
    report('drain', `${leased} claims of workers are left`)
    // A claim that had begun before the first look shows in the second one.
    if ((leased === '0' && waited > 0) || waited >= drainSeconds * 1000) break
    await pause(100)
  }
  await caughtUp(old, next, pause, () => report('drain', 'the standby catches up'))
}

/**
 * Ends a split whose standby is not promoted: the tenants stay.
 *
 * @throws SplitRefused when it is promoted: only forwards is safe
 */
export async function undoSplit(split: Split): Promise<void> {
  await withBoth(split, async ({ client: old, commit }, { client: next }) => {
    const { h } = await requireCopy(old, next)
    if (!h.is_standby) throw new SplitRefused('the standby is promoted, and may have the tenants: go on with the split')
    const { tenants, cell } = split
    const elsewhere = 'select from quipu.moving_tenant m where m.tenant_id = any ($1) and m.cell <> $2'
    if ((await old.query(elsewhere, [tenants, cell])).rowCount !== 0)
      throw new SplitRefused(`the tenants do not move to ${cell}: give the standby of their split`)
    await commit('select quipu.stay_tenants($1)', [tenants])
  })
}

/** Runs `use` while no other split or way back has one of both databases. */
async function withBoth(
  { from, to }: Pick<Split, 'from' | 'to'>,
  use: (old: OwnerSession, next: OwnerSession) => Promise<void>,
): Promise<void> {
  await withOwnerSession(from, dayMs, (old) =>
    withOwnerSession(to, dayMs, async (next) => {
      const clients = [old.client, next.client]
      for (const client of clients) await requireDirect(client)
      await requireCopy(old.client, next.client) // A wrong file is named as such; what is read here may change until the locks are held.
      for (const client of clients) {
        await client.query('set statement_timeout = 0')
        const lock = await one<{ is: boolean }>(
          client,
          `select pg_try_advisory_lock(hashtextextended('quipu.split', 0)) as is`,
          [],
        )
        if (!lock.is) throw new SplitRefused('another split has this database, or both files name one server')
      }
      await use(old, next)
    }),
  )
}

/**
 * Waits until the standby has replayed what the primary has written until now, in the primary's own history: one that is
 * ahead of a server that took over has a longer log, without what the tenants have paid since.
 *
 * @throws SplitRefused when it gets nothing any more, as such a one never does again
 */
async function caughtUp(
  old: pg.Client,
  next: pg.Client,
  pause: NonNullable<SplitOptions['pause']>,
  waiting: () => void,
): Promise<void> {
  const written = 'select pg_current_wal_flush_lsn()::text as at, quipu.current_timeline()::int as timeline'
  const { at, timeline } = await one<{ at: string; timeline: number }>(old, written, [])
  const progress = `
    select pg_last_wal_replay_lsn() >= $1::pg_lsn and ${isStreaming('r.received_tli = $2')} as has,
      concat(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) as position`
  let last = ''
  for (let still = 0; still < stillPolls;) {
    const { has, position } = await one<{ has: boolean; position: string }>(next, progress, [at, timeline])
    if (has) return
    still = position === last ? still + 1 : 0
    last = position
    waiting()
    await pause(pollMs)
  }
  throw new SplitRefused('the standby no longer streams: repeat the split, or go back, with another one')
}

/** @returns what the databases of both cells say of themselves. @throws SplitRefused when the new one is no copy */
async function requireCopy(old: pg.Client, next: pg.Client): Promise<{ readonly g: Identity; readonly h: Identity }> {
  const [g, h] = [await identityOf(old), await identityOf(next)]
  if (g.is_standby) throw new SplitRefused('the old cell is a standby: give its primary')
  if (g.letter === null) throw new SplitRefused('the old cell has no letter: run `quipu-admin migrate` with CELL first')
  if (g.system !== h.system || g.installation !== h.installation)
    throw new SplitRefused('the new cell’s database is no standby of the old one')
  return { g, h }
}

/** @returns whether the standby is promoted with the stop */
async function isPromotedCopy(old: pg.Client, next: pg.Client, split: Split): Promise<boolean> {
  const { g, h } = await requireCopy(old, next)
  if (g.letter === split.cell) throw new SplitRefused(`${split.cell} is the letter of the old cell`)
  const others = 'select from quipu.moving_tenant m where m.cell = $2 and m.tenant_id <> all ($1)'
  if ((await old.query(others, [split.tenants, split.cell])).rowCount !== 0)
    throw new SplitRefused(`other tenants move or have moved to ${split.cell}: name all of them, or another cell`)
  if (h.is_standby) {
    if (!h.is_streaming) throw new SplitRefused('the standby does not stream')
    return false
  }
  const isEntered = h.letter === split.cell && !(await areMoving(next, split))
  if (!isEntered && !(await areStopped(next, split)))
    throw new SplitRefused('the standby was promoted without the stop of these tenants: make a new one')
  if (!(await areStopped(old, split)))
    throw new SplitRefused('the tenants are not stopped in the old cell: stop the new one, and make a new standby')
  return true
}

type Identity = {
  readonly is_standby: boolean
  readonly is_streaming: boolean
  readonly system: string
  readonly letter: string | null
  readonly installation: string
}

const isStreaming = (condition = 'true'): string =>
  `exists (select from pg_stat_wal_receiver r where r.status = 'streaming' and ${condition})`

const identityOf = (client: pg.Client): Promise<Identity> =>
  one<Identity>(
    client,
    `select pg_is_in_recovery() as is_standby, c.letter, l.installation,
       ${isStreaming()} as is_streaming,
       (select s.system_identifier::text from pg_control_system() s) as system
     from quipu.cell c, quipu.lineage l`,
    [],
  )

const areStopped = async (client: pg.Client, { tenants, cell }: Split): Promise<boolean> =>
  (
    await one<{ are: boolean }>(
      client,
      `select bool_and(w.moved_to is not distinct from $2) as are
       from unnest($1::text[]) t (id) left join quipu.wallet w on w.tenant_id = t.id`,
      [tenants, cell],
    )
  ).are

const areMoving = async (client: pg.Client, { tenants }: Split): Promise<boolean> =>
  (
    await one<{ are: boolean }>(
      client,
      'select exists (select from quipu.moving_tenant m where m.tenant_id = any ($1)) as are',
      [tenants],
    )
  ).are

async function one<Row extends object>(client: pg.Client, text: string, values: readonly unknown[]): Promise<Row> {
  const { rows } = await client.query<Row>(text, [...values])
  const [row] = rows
  if (row === undefined) throw new Error('the database has no migration of cells')
  return row
}
