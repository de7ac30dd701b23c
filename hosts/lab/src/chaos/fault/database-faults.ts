import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Heal } from '../system/network.ts'
import { halfOpen, type Injection, none, oneOf, pairOf, several } from './injection.ts'
import type { System } from '../system/system.ts'

/** Faults of the connections to the database. */
export const databaseFaults = {
  'cut-database': async (context) => {
    const { database } = oneOf(context.system.programs, context)
    await several(context, database.cut)
    return none
  },
  'half-open-database': (context) => halfOpen(oneOf(context.system.programs, context).database),
  'slow-database': (context) => {
    const { database } = oneOf(context.system.programs, context)
    database.delay(context.between(40, 400))
    return () => database.delay(0)
  },
  'ended-sessions': async (context) => {
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'quipu_app'`
    await context.system.database.query(end).catch(() => undefined)
    return none
  },
  connections: ({ system }) => takeConnections(system),
} satisfies Readonly<Record<string, Injection>>

/** Faults of a primary with one standby. */
export const pairFaults = {
  'stalled-database': (context) => {
    const { address } = pairOf(context)
    address.stall()
    return () => address.resume()
  },
  'disk-full': async (context) => {
    const { disk } = pairOf(context)
    if (!disk) throw new Error('no disk is mounted')
    await disk.fill()
    return async () => {
      await disk.free()
      await context.system.database.restore()
    }
  },
  'crash-database': (context) => {
    const pair = pairOf(context)
    const crash = (): Promise<void> => pair.writer().crash()
    // With another fault the server may have ended already.
    void pair.exclusively(crash).catch(() => undefined)
    return () => context.system.database.restore()
  },
  'restart-database': async (context) => {
    const pair = pairOf(context)
    return pair.takeDown(pair.writer())
  },
  'standby-down': async (context) => {
    const pair = pairOf(context)
    return pair.hasFailedOver() ? none : pair.takeDown(pair.standby)
  },
  'replication-stall': (context) => {
    const { replication } = pairOf(context)
    replication.stall()
    return () => replication.resume()
  },

  'fail-over': async (context) => {
    const pair = pairOf(context)
    await pair.losePrimary()
    return () => pair.promote()
  },
} satisfies Readonly<Record<string, Injection>>

/** Takes every free connection, then ends the service's sessions, and takes theirs. */
async function takeConnections({ database }: System): Promise<Heal> {
  const held: pg.Client[] = []
  let isOver = false
  const full = Promise.withResolvers<void>()
  const take = async (): Promise<void> => {
    while (!isOver) {
      const client = new pg.Client({ connectionString: database.roleUrl, application_name: taker })
      client.on('error', () => undefined) // Another fault may end it.
      const connected = await client.connect().then(
        () => held.push(client),
        () => full.resolve(),
      )
      if (connected === undefined) await pause(5)
    }
  }
  const taking = Promise.all(Array.from({ length: 4 }, take))
  await full.promise
  const end = `select pg_terminate_backend(pid) from pg_stat_activity
    where usename = 'quipu_app' and application_name <> '${taker}'`
  await database.query(end).catch(() => undefined)
  return async () => {
    isOver = true
    await taking
    await Promise.all(held.map((client) => client.end().catch(() => undefined)))
  }
}

const taker = 'chaos'
