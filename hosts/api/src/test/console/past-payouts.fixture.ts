import { systemIds } from '@quipu/core/system'
import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** Share of payouts that end otherwise, by their place in the list. */
const outcomeAt = (at: number): string =>
  at % 53 === 0 ? 'failed' : at % 31 === 0 ? 'cancelled' : at % 71 === 0 ? 'rejected' : 'completed'

/**
 * Copies a completed payout into the past 24 hours, more by day than by night, so that charts have something to show.
 *
 * @param ownerUrl  of the database's superuser
 */
export async function addPastPayouts(ownerUrl: string, id: string, now: Date): Promise<void> {
  const copies = Array.from({ length: 900 }, (_, at) => {
    const createdAt = new Date(now.getTime() - momentAt(at / 900) * 86_400_000)
    const tookMs = 140 + ((at * 37) % 160) + (at % 19 === 0 ? 900 : 0)
    const endedAt = new Date(createdAt.getTime() + tookMs)
    const ids = { id: systemIds.next('po', createdAt), quoteId: randomUUID() }
    return { ...ids, at, createdAt, endedAt, status: outcomeAt(at) }
  })
  const client = new pg.Client(ownerUrl)
  await client.connect()
  const quoteIds = copies.map(({ quoteId }) => quoteId)
  await client.query(
    `insert into quipu.quote select c.* from quipu.quote r
     cross join unnest($2::uuid[]) new_id
     cross join lateral jsonb_populate_record(r, jsonb_build_object('id', new_id)) c
     where r.id = (select quote_id from quipu.payout where id = $1)`,
    [id, quoteIds],
  )
  await client.query(
    `insert into quipu.payout select c.* from quipu.payout r
     cross join unnest($2::text[], $3::timestamptz[], $4::uuid[]) u (new_id, created_at, new_quote)
     cross join lateral jsonb_populate_record(r, jsonb_build_object('id', u.new_id, 'created_at',
       u.created_at, 'transaction_id', u.new_id, 'quote_id', u.new_quote)) c where r.id = $1`,
    [id, copies.map((copy) => copy.id), copies.map(({ createdAt }) => createdAt), quoteIds],
  )
  await client.query(
    `insert into quipu.payout_end select c.* from quipu.payout_end r
     cross join unnest($2::text[], $3::timestamptz[], $4::text[], $5::int[]) u (new_id, ended_at, status, n)
     cross join lateral jsonb_populate_record(r, jsonb_build_object('payout_id', u.new_id,
       'ended_at', u.ended_at, 'status', u.status, 'seq', r.seq + 1000 + u.n,
       'event_id', case when u.status = 'rejected' then null else uuidv7() end,
       'body', case when u.status = 'rejected' then null else r.body end,
       'error_code', case u.status when 'failed' then 'PAYMENT_FAILED' when 'rejected' then 'QR_REFUSED'
         when 'cancelled' then 'PAYMENT_CANCELLED' end,
       'error_message', case when u.status = 'completed' then null else 'The payment failed.' end,
       'network_payment_id', case when u.status = 'completed' then r.network_payment_id end)) c
     where r.payout_id = $1`,
    [
      id,
      copies.map((copy) => copy.id),
      copies.map(({ endedAt }) => endedAt),
      copies.map(({ status }) => status),
      copies.map(({ at }) => at),
    ],
  )
  await client.end()
}

/** How many days ago a payout was made: denser around two times of the day. */
const momentAt = (share: number): number =>
  Math.min(0.99, Math.max(0.001, share + 0.06 * Math.sin(share * 4 * Math.PI)))
