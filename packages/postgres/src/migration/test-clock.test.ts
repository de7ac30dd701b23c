import { usdt } from '@quipu/core'
import { paidAnswer, presentedBy } from '@quipu/contracts'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { withConnection } from '../connection/connection.ts'
import { postgresStores, type PostgresStores } from '../stores.ts'
import { openStoreHarness, type StoreHarness } from '../test/stores.fixture.ts'

/** A database whose owner has not allowed callers to set the clock, and stores whose clock is a year ahead. */
let harness: StoreHarness
let ahead: PostgresStores
const nextYear = new Date(Date.now() + 365 * 86_400_000)
beforeAll(async () => {
  harness = await openStoreHarness()
  ahead = postgresStores({ url: harness.stores.processUrl, clockOverride: () => nextYear })
})
afterAll(async () => {
  await ahead.close()
  await harness.close()
})
/** A wallet of a time that only a test sets, in a database that allows it no longer. */
let tenantId: string
beforeEach(async () => {
  await harness.sql('insert into quipu.test_clock default values on conflict do nothing')
  tenantId = await harness.newWallet(usdt(100n))
  await harness.sql('delete from quipu.test_clock')
})

test('the processes’ role cannot allow a clock of its own, nor set it', async () => {
  const allow = (client: pg.Client) => client.query('insert into quipu.test_clock default values')
  await expect(withConnection(harness.stores.processUrl, allow)).rejects.toThrow('permission denied')
  const quote = await harness.newQuote(tenantId, { source: usdt(10n) })
  const { createdAt: _at, expiresAt: _until, ...draft } = quote
  const refused = 'clock_override is refused'
  for (const call of [
    () => ahead.payouts.commit(harness.acceptCommit(quote, { createdAt: new Date() })),
    () => ahead.quotes.insert({ ...draft, id: harness.ids.uuid(new Date()) }, 60, null),
    () => ahead.quotes.find(tenantId, quote.id),
    () => ahead.payouts.claimDue(1, 15),
    () => ahead.wallets.find(tenantId),
  ])
    await expect(call()).rejects.toThrow(refused)
  expect(await harness.stores.wallets.find(tenantId)).toMatchObject({ available: usdt(100n) })
})

test('no function stores an instant that no clock shows', async () => {
  const far = ["'-infinity'", "'infinity'", "'4000-01-01 BC'", "'290000-01-01'"]
  const payout = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(10n) }), {
    createdAt: new Date(),
  })
  const calls = far.flatMap((at) => [
    `touch_api_key('${tenantId}', 'key_1', ${at})`,
    `insert_resolutions(array['${tenantId}'], array['qrr_1'], array['x'], array['open'], array[null::bigint], array['x'],
       array['1'], array[null], array[null::timestamptz], array['x'], array[${at}::timestamptz], array[null], null)`,
    `insert_top_up_address('${tenantId}', 'tron', 0, 'a', 'a', 'x', ${at})`,
    `register_endpoint('${tenantId}', 'we_1', 'x', '{}', null, 'active', 0, null, '[]', ${at}, now(), 9)`,
    `register_endpoint('${tenantId}', 'we_1', 'x', '{}', null, 'active', 0, null, '[]', now(), ${at}, 9)`,
    `register_endpoint('${tenantId}', 'we_1', 'x', '{}', null, 'paused', 0, ${at}, '[]', now(), now(), 9)`,
    `change_endpoint('${tenantId}', 'we_1', null, false, null, false, null, ${at})`,
    `replace_secrets('${tenantId}', 'we_1', '[]', ${at})`,
    `settle_sweep('swp_1', 1, 'expired', ${at})`,
    `record_differences('[]', ${at})`,
    `record_movement(jsonb_build_object('id', 'trm_1', 'kind', 'sale', 'usdt', 1, 'bob', 1, 'at', ${at}::timestamptz, 'reference', 'x',
       'reason', 'x', 'evidence_note', 'x', 'evidence_digest', 'x'), '${presentedBy('ana')}', now())`,
    `record_network_calls('${tenantId}', '${payout.id}', jsonb_build_array(jsonb_build_object('queried_at', ${at})))`,
    `insert_ended_payouts(array['${tenantId}'], array['po_1'], array['t'], array['f'], array[uuidv7()], array[null::text],
       array[1], array[${at}::timestamptz], array['{}'], array[null::text], array['rejected'], array['QR_REFUSED'],
       array['x'], array[now()], array[null::uuid], array[null::text])`,
  ])
  for (const call of calls)
    await expect(
      withConnection(harness.stores.processUrl, (client) => client.query(`select quipu.${call}`)),
      call,
    ).rejects.toThrow(/is (?:after|long before) the database's clock/)
})

test('entries of a log are not dated after the database’s clock', async () => {
  const newQuote = () => harness.newQuote(tenantId, { source: usdt(10n) })
  const { payouts } = harness.stores
  const at = new Date(Date.now() + 3_700_000)
  const future = "is after the database's clock"
  const createdLater = harness.acceptCommit(await newQuote(), { createdAt: at })
  await expect(payouts.commit(createdLater)).rejects.toThrow(future)
  const endedLater = harness.insertEndedCommit(await newQuote(), { at, createdAt: new Date() })
  await expect(payouts.commit(endedLater)).rejects.toThrow(future)
  const payout = await harness.newPayout(await newQuote(), { createdAt: new Date() })
  const settled = (instant: Date) => harness.settleCommit(payout, paidAnswer(payout), { at: instant })
  await expect(payouts.commit(settled(at))).rejects.toThrow(future)
  expect(await payouts.commit(settled(new Date()))).toBe('committed')
})
