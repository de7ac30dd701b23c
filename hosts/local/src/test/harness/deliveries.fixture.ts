import type { DatabaseProbe } from './database-probe.fixture.ts'

/** The deliveries of all endpoints, from the database. */
export type DeliveryState = {
  /** Number of deliveries that have not ended. */
  queued(): Promise<number>
  /** Ids of events that workers have claimed and not recorded yet. */
  leased(): Promise<readonly string[]>
  /** Ids of events that are recorded as delivered. */
  delivered(): Promise<readonly string[]>
  /** Ends the leases of a worker that is dead. */
  endLeases(): Promise<void>
}

const queued = `
  select coalesce(sum(quipu.count_queued(id)), 0)::int as queued from quipu.webhook_endpoint`
const leased = `
  select unnest(event_ids) as id from quipu.delivery_run
  union all
  select event_id from quipu.delivery_open where is_leased`
const delivered = `
  select unnest(event_ids) as id from quipu.delivered_run
  union all
  select event_id from quipu.delivery where status = 'delivered'`

export function deliveryState({ query }: DatabaseProbe): DeliveryState {
  const idsOf = async (sql: string) => (await query<{ id: string }>(sql)).map(({ id }) => id)
  return {
    queued: async () => (await query<{ queued: number }>(queued))[0]?.queued ?? 0,
    leased: () => idsOf(leased),
    delivered: () => idsOf(delivered),
    async endLeases() {
      await query('update quipu.delivery_run set leased_until = now()')
      await query('update quipu.delivery_open set next_at = now(), in_flight_until = now() where is_leased')
    },
  }
}
