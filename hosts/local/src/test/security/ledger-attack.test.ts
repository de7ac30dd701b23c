import { presentedBy } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { type RoleDatabase, roleDatabase } from '../harness/database-role.fixture.ts'
import { openDepositHarness, topUpAddressOf } from '../harness/deposit-harness.fixture.ts'
import { alertLines } from '../faults/faults.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { alertAbout } from '../reconciliation/reconciliation.fixture.ts'
import type { Payout } from '../harness/tenant.fixture.ts'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'

async function one(database: RoleDatabase, sql: string): Promise<string> {
  const [row] = await database.asOwner(sql)
  return String(row?.['id'])
}

/** Accepts a payout without the API. */
const accept = (of: { tenant: string; quote: string; payout: string; hold: bigint; clock?: string }): string => `
  select quipu.accept_payouts(array['${of.tenant}'], array[1], array['${of.payout}'],
    array['${of.payout}'], array['x'], array['${of.quote}']::uuid[], array[${of.hold}]::bigint[],
    array[now()], array['{}'], array[null::text], array[60000], ${of.clock ?? 'null'}) as results`

/** Settles a payout without the API. */
const settle = (of: { tenant: string; payout: string; status: 'completed' | 'failed' }): string => `
  select s.results
  from (select uuidv7() as id) e,
    quipu.settle_payouts(array['${of.tenant}'], array[1], array['${of.payout}'], array[1],
      array['${of.status}'],
      array[${of.status === 'failed' ? `'PAYMENT_FAILED'` : 'null::text'}], array[null::text],
      array[null::text], array[uuid_extract_timestamp(e.id)], array[e.id], array[null::text]) s`

/** Inserts a quote like the first one, but for the given SQL, without the API. */
const quoted = (of: {
  rate?: string
  principal?: string
  fee?: string
  source?: string
  lifeMs?: string
  clock?: string
}) => `
  select quipu.insert_quotes(array[tenant_id], array[gen_random_uuid()], array[null], array[${of.rate ?? 'rate'}],
    array[target], array[${of.principal ?? 'principal'}], array[${of.fee ?? 'fee'}::bigint], array[${of.source ?? 'source'}],
    array[bid], array['x'], array[${of.lifeMs ?? '60000'}], array[null], ${of.clock ?? 'null'})
  from (select * from quipu.quote limit 1) q`

const tenth = 'div(target * 10000000::numeric + rate - 1, rate)::bigint'

/** BOB 100.00 at 9.8007, in micro-USDT. */
const cost = 10_203_353n

test('every change of money, prices, keys and audit entries by the process role is refused', async () => {
  await using database = await roleDatabase()
  await using harness = await openPayoutHarness(database)
  const { asRole, asOwner } = database
  const api = await harness.openApi()
  const paid = await api.pay(await harness.order(api))
  expect(paid.json).toMatchObject({ status: 'completed' })
  await api.pay(await harness.order(api, 'refused'))
  const late = await api.pay(await harness.order(api, 'pay_then_drop'))
  expect(late.json).toMatchObject({ status: 'processing' })
  const ended = (paid.json as Payout).id
  const { quote_id: unused } = await harness.order(api)
  const tenant = await one(database, 'select tenant_id as id from quipu.wallet')
  const quote = await one(database, `select quote_id as id from quipu.payout where id = '${ended}'`)
  // A payout that holds another amount. Captures and releases name none.
  const underpaid = accept({ tenant, quote: unused, payout: 'po_cheap', hold: 1n })
  await expect(asRole(underpaid)).rejects.toThrow('a hold is not the price of its quote')
  // A quote used twice, and a payout that ends twice.
  const price = await one(database, `select source::text as id from quipu.quote where id = '${quote}'`)
  const again = accept({ tenant, quote, payout: 'po_again', hold: BigInt(price) })
  expect(await asRole(again)).toEqual([{ results: ['quote_used'] }])
  const released = settle({ tenant, payout: ended, status: 'failed' })
  expect(await asRole(released)).toEqual([{ results: ['stale'] }])

  const key = await one(database, 'select id from quipu.api_key limit 1')
  await asOwner(`select quipu.revoke_api_key('${tenant}', '${key}', '${presentedBy('ana')}', now())`)
  const unrevoke = `update quipu.api_key set revoked_at = null where id = '${key}'`
  await expect(asOwner(unrevoke)).rejects.toThrow('revocation_is_final')
  // No table can be written or locked; roles.test.ts of packages/postgres has every table and statement.
  const tables =
    'adjustment api_key audit_log balance_checkpoint difference funding_entry ledger_check operator_token payout payout_end quote'
  for (const table of `${tables} tenant test_clock wallet`.split(' '))
    for (const sql of [`insert into quipu.${table} default values`, `delete from quipu.${table}`])
      await expect(asRole(sql), sql).rejects.toThrow(`permission denied for table ${table}`)
  for (const [sql, why] of [
    // A higher balance, and entries that explain it.
    [
      `select quipu.log_funding('${tenant}', 'adjustment_in', 'x', 1, null, now(), null, null, null)`,
      /permission denied for function log_funding/,
    ],
    // Cheaper quotes.
    [quoted({ principal: '1::bigint', fee: '0', source: '1::bigint' }), /does not add up/],
    [quoted({ rate: 'rate * 10', principal: tenth, fee: '0', source: tenth }), /does not follow from the pricing of/],
    // Quotes that do not expire, and the clock of another day.
    [quoted({ lifeMs: '315000000' }), /15 to 300 are allowed/],
    [quoted({ clock: `now() - interval '1 day'` }), /clock_override is refused/],
    [
      accept({ tenant, quote: unused, payout: 'po_early', hold: cost, clock: `now() - interval '1 day'` }),
      /clock_override is refused/,
    ],
    // A payout that was paid without a hold, with an event that says so.
    [
      `select quipu.insert_ended_payouts(array['${tenant}'], array['po_x'], array['tx-x'], array['x'],
         array['${unused}']::uuid[], array[null::text], array[100]::bigint[], array[now()], array['{}'],
         array[null::text], array['completed'], array[null::text], array[null::text], array[now()],
         array[uuidv7()], array[null::text])`,
      /payout_end_sound/,
    ],
    // Function calls with false arguments.
    [
      `select quipu.write_audit(null, 'tenant.suspend', null, '${tenant}', now(), null, null)`,
      /permission denied for function write_audit/,
    ],
    [
      `select quipu.change_tenant('${tenant}', 1, to_jsonb(t), 'tenant.suspend', '${presentedBy('ada')}', now()) from quipu.tenant t
         where t.id = '${tenant}'`,
      /does not match the change/,
    ],
    [`select quipu.insert_top_up_address('${tenant}', 'tron', 999, 'a', 'a', 'x', now())`, /index 999 was not drawn/],
    // The ledger check's own state.
    [`select quipu.resolve_differences('ledger', '', now())`, /resolved by the store alone/],
    // The check of a day to come, and a difference that is never gone.
    [
      `select quipu.open_reconciliation('rcn_x', 'chain', null, null, (now() at time zone 'UTC')::date + 1, null,
         now(), 0, null, null)`,
      /has not begun/,
    ],
    [
      `select quipu.record_differences('[{"check_name": "chain", "kind": "short"}]', now() + interval '2 h')`,
      /after the database/,
    ],
    [
      `select quipu.record_differences('[{"check_name": "ledger", "kind": "available"}]', now())`,
      /no process finds a difference/,
    ],
    // Differences of an invented payout, and of another tenant's.
    [
      `select quipu.record_differences('[{"check_name": "network", "kind": "paid_twice", "tenant_id": "${tenant}",
         "subject": "po_01K6HZ8M00000000000000000A"}]', now())`,
      /no process finds a difference/,
    ],
    [
      `select quipu.record_differences('[{"check_name": "network", "kind": "paid_twice",
         "tenant_id": "ten_01K6HZ8M00000000000000000A", "subject": "${ended}"}]', now())`,
      /no process finds a difference/,
    ],
  ] as const)
    await expect(asRole(sql), sql).rejects.toThrow(why)

  // An adjustment takes a proposal of two people, whose tokens the role has not seen.
  const adjust = `select quipu.adjust_wallets('{${tenant}}', '{adjusted}', '{in}', '{7}', '{x}', '{ana}', null)
    as results`
  const proposeAs = (by: string, isWithinLimit: boolean) =>
    asRole(`select quipu.open_proposal('${tenant}', 'adjusted', 'adjust_wallet', '${tenant}',
       '{"direction": "in", "amount_minor": "7"}', 'x', null, null, now(), now() + interval '1 h',
       ${isWithinLimit}, '${by}') as result`)
  const approve = (by: string) =>
    asRole(`select quipu.approve_proposal('${tenant}', 'adjusted', '${by}', now()) as result`)
  const unknown = JSON.stringify({ token_hash: 'ab'.repeat(32) })
  for (const isWithinLimit of [true, false])
    expect(await proposeAs(unknown, isWithinLimit)).toEqual([{ result: 'unauthorized' }])
  expect(await asRole(adjust)).toEqual([{ results: ['not_approved'] }])
  // With one token that the thief has seen, nobody else can be invented.
  expect(await proposeAs(presentedBy('ana'), false)).toEqual([{ result: 'committed' }])
  expect(await approve(unknown)).toEqual([{ result: 'unauthorized' }])
  await expect(approve(presentedBy('ana'))).rejects.toThrow('approver_is_another_person')
  expect(await asRole(adjust)).toEqual([{ results: ['not_approved'] }])
  for (const [sql, why] of [
    ['select hash from quipu.operator_token', /permission denied for table operator_token/],
    ['select * from quipu.operator_token', /permission denied for table operator_token/],
    [
      `select quipu.bootstrap_operator_token('opt_x', 'eve', 'x', 'admin', '${'cd'.repeat(32)}', now(),
         now() + interval '1 day')`,
      /permission denied for function bootstrap_operator_token/,
    ],
    [`select quipu.acting_operator('{}', '{admin}', now())`, /permission denied for function/],
  ] as const)
    await expect(asRole(sql), sql).rejects.toThrow(why)
  expect(
    await asOwner(
      `select actor, action from quipu.audit_log
       where subject = 'adjusted' or after ->> 'adjustment_id' = 'adjusted' order by id`,
    ),
  ).toEqual([{ actor: 'ana', action: 'proposal.open' }])
})

/** Adds a forged transfer of 9,000 USDT in block 2 to the solid scan, with an invented next block. */
const observe = (of: { id: string; to: string; txHash: string }): string => `
  select quipu.advance_scan('tron', 'solid', s.fencing_token, s.block_number, s.block_id,
    jsonb_build_array(jsonb_build_object('number', s.block_number + 1, 'id', repeat('f', 64), 'at', s.block_at)), '[]',
    jsonb_build_array(jsonb_build_object('deposit_id', '${of.id}', 'tenant_id', a.tenant_id, 'tx_hash', '${of.txHash}',
      'transfer_index', 0, 'address', a.address, 'from_address', 'T', 'sender', '${'5e'.repeat(20)}',
      'amount', 9000000000, 'block_number', 2, 'created_at', now(), 'expires_at', now(), 'occurred_at', now(),
      'recorded_at', uuid_extract_timestamp(e.id), 'event_id', e.id)),
    null) as contradicting
  from (select uuidv7() as id) e, quipu.scan s, quipu.top_up_address a
  where s.view = 'solid' and s.block_number is not null and a.address = '${of.to}'`

/** Records the difference that the worker would find, and closes it at once, in a person's name. */
const hide = (deposit: string): string => `
  select quipu.record_differences(jsonb_build_array(jsonb_build_object('id', 'dif_' || gen_random_uuid(),
    'check_name', 'ledger', 'kind', 'credit', 'scope', d.id, 'tenant_id', d.tenant_id, 'subject', d.id,
    'detail', '9000.000000 USDT were credited, and solid block 2 shows no such transfer')), now())
  from quipu.deposit d where d.id = '${deposit}' and d.status = 'credited';
  select quipu.close_difference(d.id, '{"token_hash": "${'ab'.repeat(32)}"}', now(), 'It is fine.', null)
  from quipu.difference d where d.subject = '${deposit}';
  select quipu.resolve_differences('chain', '', now())`

test('a confirmed deposit that the process role forges is not credited and raises an alert', async () => {
  await using database = await roleDatabase()
  await using harness = await openDepositHarness(database)
  const api = await harness.openApi()
  const to = await topUpAddressOf(api)
  const worker = await harness.startWorker({ LEDGER_CHECK_SECONDS: '1' })
  harness.solidify()
  const forgedId = 'dep_01KJKB3Q000000000000000001'
  for (const sql of [
    'insert into quipu.deposit select * from quipu.deposit',
    `update quipu.deposit set status = 'credited'`,
    `update quipu.scan set block_number = 0`,
  ])
    await expect(database.asRole(sql), sql).rejects.toThrow('permission denied for table')
  await until('the forged transfer is observed', async () => {
    const [row] = await database.asRole(observe({ id: forgedId, to, txHash: 'ab'.repeat(32) }))
    return row?.['contradicting']
  })
  const [deposit] = await harness.untilDeposits(api, 'in_review')
  expect(deposit).toMatchObject({ id: forgedId, review_code: 'SOURCES_DISAGREE' })
  await alertAbout(worker, forgedId, /(?:)/) // The worker writes it once the deposit is in review.
  expect(alertLines(worker.output())).toContainEqual(
    expect.objectContaining({ alert: 'SOURCES_DISAGREE', subject: forgedId }),
  )
  expect((await api.get('/v1/wallets')).json).toMatchObject({ available: '0.000000' })

  // A credit that the role writes without a worker raises an alert too.
  const creditedId = 'dep_01KJKB3Q000000000000000002'
  const credit = (): Promise<unknown> =>
    database.asRole(
      `begin;
     ${observe({ id: creditedId, to, txHash: 'cd'.repeat(32) })};
     select quipu.claim_deposits(1, 60, null);
     select s.* from (select uuidv7() as id) e, quipu.top_up_address a,
       quipu.settle_deposits(array[a.tenant_id], array['${creditedId}'], array[1], array[null::text],
         array[null::text], array[null::text], array[uuid_extract_timestamp(e.id)], array[null::bigint],
         array[null::bigint], array[e.id], array[null::text], null) s
     where a.address = '${to}';
     ${hide(creditedId)};
     commit`,
    )
  // Nothing is observed while the worker's own scan is ahead of what the statement read.
  await until('the role has credited it', async () => {
    await credit()
    return ((await api.get('/v1/wallets')).json as { available: string }).available !== '0.000000'
  })
  expect((await api.get('/v1/wallets')).json).toMatchObject({ available: '9000.000000' })
  // It is recorded, closed and gone within the transaction, as far as the role can: the alert comes all the same.
  expect(
    await database.asOwner(`select closed_at, closed_by from quipu.difference where subject = '${creditedId}'`),
  ).toEqual([{ closed_at: null, closed_by: null }])
  await alertAbout(worker, creditedId, /9000\.000000 USDT were credited, and solid block 2 shows no/)
})
