/** Statements of chaos in the service’s tables, each with one parameter. */
export const statements = {
  openPayouts: 'select count(*)::int as count from quipu.held_payout where accepted_at < $1::timestamptz',
  /** Payouts that have been open for longer than a number of seconds. */
  openFor: `
    select payout_id as id from quipu.held_payout where accepted_at < now() - $1 * interval '1 s'`,
  /** The newest completed payouts, as many as the number. */
  newestCompleted: `
    select payout_id as id from quipu.payout_end where status = 'completed' order by payout_id desc limit $1`,
  /** Endpoints with an event that has been due for two seconds. */
  endpointsBehind: `
    select count(*)::int as count from quipu.webhook_endpoint w
    where w.id = any($1::text[]) and (
      exists (select from quipu.delivery_open d
        where d.endpoint_id = w.id and d.next_at < now() - interval '2 s')
      or exists (select from quipu.delivery_run r
        where r.endpoint_id = w.id and r.leased_until < now() - interval '2 s')
      or exists (select from quipu.delivery_cursor c
        cross join lateral quipu.next_events(c.tenant_id, w.events, c.logged_at, c.seq, 1) n
        where c.endpoint_id = w.id and n.logged_at < now() - interval '2 s'))`,
  makeDeliveriesDue: `
    update quipu.delivery_open set next_at = now()
    where endpoint_id = any($1::text[]) and in_flight_until is null and next_at > now()`,
  queuedDeliveries: 'select coalesce(sum(quipu.count_queued(id)), 0)::int as count from unnest($1::text[]) id',
} as const
