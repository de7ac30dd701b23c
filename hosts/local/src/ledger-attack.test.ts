import { expect, test } from 'vitest'
import { type RoleDatabase, roleDatabase } from './database-role.fixture.ts'
import { openFundingWorld, topUpAddressOf } from './funding-world.fixture.ts'
import { type Program, until } from './process.fixture.ts'
import { openWorld } from './world.fixture.ts'

/** What a worker has written to its log with `alarm`. */
type Alert = { readonly alarm: string; readonly subject: string; readonly detail: string }

const alertsOf = (worker: Program): readonly Alert[] =>
  worker
    .output()
    .split('\n')
    .filter((line) => line.includes('"alarm":'))
    .map((line) => JSON.parse(line) as Alert)

const alerted = (worker: Program, subject: string, detail: RegExp): Promise<Alert> =>
  until(`an alert about ${subject} that says ${String(detail)}: ${worker.output()}`, () =>
    alertsOf(worker).find((each) => each.subject === subject && detail.test(each.detail)),
  )

async function one(database: RoleDatabase, sql: string): Promise<string> {
  const [row] = await database.asOwner(sql)
  return String(row?.['id'])
}

const quickly = { LEDGER_CHECK_SECONDS: '1' }

test('as the processes’ role: each change of money, prices, keys and audit entries is refused, or a worker raises an alert unasked', async () => {
  await using database = await roleDatabase()
  await using world = await openWorld(database)
  const { asRole, asOwner } = database
  const api = await world.openApi()
  const paid = await api.pay(await world.order(api))
  expect(paid.json).toMatchObject({ status: 'completed' })
  await api.pay(await world.order(api, 'refused'))
  const worker = await world.startWorker(quickly)
  const tenant = await one(database, 'select tenant_id as id from quipu.wallet')
  const wallet = await one(database, 'select id from quipu.wallet')
  const quote = await one(
    database,
    'select id from quipu.quote where payout_id is not null limit 1',
  )
  const key = await one(database, 'select id from quipu.api_key limit 1')
  await until('the wallet was checked', async () => {
    const [row] = await asOwner(`select from quipu.ledger_check where checked_at > '-infinity'`)
    return row
  })
  expect(alertsOf(worker)).toEqual([])

  await asOwner(`select quipu.revoke_api_key('${tenant}', '${key}', 'ana', now())`)
  const unrevoke = `update quipu.api_key set revoked_at = null where id = '${key}'`
  await expect(asOwner(unrevoke)).rejects.toThrow('revoked_once')
  for (const [sql, why] of [
    // Books that are balanced again.
    [
      `insert into quipu.closing values ('${tenant}', 'infinity', 1, 1, 1, 1, 1, 1)`,
      /permission denied for table closing/,
    ],
    [`update quipu.closing set deposit = 1`, /permission denied for table closing/],
    // BOB 30,000 for nothing.
    [`update quipu.quote set source = 1, principal = 1`, /permission denied for table quote/],
    [`update quipu.quote set target = 3000000`, /permission denied for table quote/],
    [
      `insert into quipu.quote select * from quipu.quote limit 1`,
      /permission denied for table quote/,
    ],
    [
      `select quipu.insert_quote(tenant_id, gen_random_uuid(), null, rate, target, 1, 0, 1, bid, 'x', 60, null)
       from quipu.quote limit 1`,
      /does not add up/,
    ],
    [
      `select quipu.insert_quote(tenant_id, gen_random_uuid(), null, rate * 10, target,
         div(target * 10000000::numeric + rate - 1, rate)::bigint, 0,
         div(target * 10000000::numeric + rate - 1, rate)::bigint, bid, 'x', 60, null)
       from quipu.quote limit 1`,
      /is not at the pricing of/,
    ],
    // A quote that is used twice.
    [`update quipu.quote set payout_id = null where id = '${quote}'`, /used_once/],
    [`delete from quipu.quote`, /permission denied for table quote/],
    // A key that is as good as new, or belongs to somebody else.
    [unrevoke, /permission denied for table api_key/],
    [`update quipu.api_key set revoked_at = now()`, /permission denied for table api_key/],
    [`update quipu.api_key set last_used_at = null`, /permission denied for table api_key/],
    [`update quipu.api_key set hash = 'x'`, /permission denied for table api_key/],
    [`update quipu.api_key set scopes = '{payouts:write}'`, /permission denied for table api_key/],
    [`delete from quipu.api_key`, /permission denied for table api_key/],
    [`insert into quipu.api_key select * from quipu.api_key`, /denied for table api_key/],
    // Better conditions.
    [`update quipu.tenant set fee_fixed = 0`, /permission denied for table tenant/],
    [`insert into quipu.tenant select * from quipu.tenant`, /permission denied for table tenant/],
    // Calls with lies.
    [
      `select quipu.record_refusal('ana', 'wallet.adjust', '${tenant}', '${tenant}', now(), null)`,
      /wallet\.adjust is no refusal/,
    ],
    [
      `select quipu.write_audit('ana', 'tenant.suspend', null, '${tenant}', now(), null, null)`,
      /permission denied for function write_audit/,
    ],
    [
      `select quipu.change_tenant('${tenant}', 1, 'active', 1, 0, 0, 0, 'tenant.suspend', 'ana', now())`,
      /another change/,
    ],
    [
      `select quipu.insert_top_up_address('${tenant}', 'tron', 999, 'a', 'a', 'x', now())`,
      /index 999 was not drawn/,
    ],
    // What is on record.
    [`update quipu.audit_log set actor = 'ana'`, /permission denied for table audit_log/],
    [`delete from quipu.transfer`, /permission denied for table transfer/],
    [`update quipu.payout_end set status = 'failed'`, /permission denied for table payout_end/],
    [`delete from quipu.wallet`, /permission denied for table wallet/],
    // A check that looks away.
    [`update quipu.ledger_check set sums = '{}'`, /permission denied for table ledger_check/],
    [`select from quipu.ledger_check for update`, /permission denied for table ledger_check/],
    [`delete from quipu.ledger_difference`, /permission denied for table ledger_difference/],
    [`update quipu.ledger_difference set gone_at = now()`, /permission denied/],
  ] as const)
    await expect(asRole(sql), sql).rejects.toThrow(why)

  // A balance out of nothing.
  await asRole('update quipu.wallet set available = available + 40000000000')
  await alerted(worker, wallet, /available is .*: 40000\.000000 USDT off/)
  // What was found before is said once.
  await asRole('update quipu.wallet set available = available - 40000000000')
  await until('the difference is gone', async () => {
    const [row] = await asOwner(
      `select from quipu.ledger_difference where kind = 'balance' and gone_at is not null`,
    )
    return row
  })
  expect(alertsOf(worker).filter(({ subject }) => subject === wallet)).toHaveLength(1)

  // An entry in somebody's name, about what has never happened; and once more about what has.
  const entry = async (values: string): Promise<string> => {
    await asRole(
      `insert into quipu.audit_log (actor, action, subject, at, before, after) ${values}`,
    )
    return one(database, `select 'audit_log ' || max(id) as id from quipu.audit_log`)
  }
  const suspended = await entry(`values ('ana', 'tenant.suspend', '${tenant}', now(), null, null)`)
  await alerted(worker, suspended, /in the name of ana/)
  const repeated = await entry(
    `select 'ana', action, subject, at, before, after from quipu.audit_log
     where action = 'api_key.issue' limit 1`,
  )
  await alerted(worker, repeated, /in the name of ana/)

  // What the owner has written counts no more than what a process has. A key of one's own.
  await asOwner(
    `insert into quipu.api_key (id, tenant_id, name, prefix, last_four, hash, scopes, created_at)
     values ('key_forged', '${tenant}', 'x', 'qpu_test_', 'abcd', 'x', '{payouts:write}', now())`,
  )
  await alerted(worker, 'key_forged', /no entry in the audit log/)

  // A price that does not add up, and a payout at it.
  await asOwner(
    `insert into quipu.quote (tenant_id, id, rate, target, principal, fee, source, bid, rate_source,
       created_at, expires_at)
     select tenant_id, gen_random_uuid(), rate, target, 1, 0, 1, bid, 'forged', now(),
       now() + interval '1 minute' from quipu.quote limit 1`,
  )
  const forged = await one(database, `select id from quipu.quote where rate_source = 'forged'`)
  // Better conditions than the tenant was given.
  await asOwner(`update quipu.tenant set fee_fixed = 0, payment_cap = 999999999, margin_bps = 1`)
  await alerted(worker, tenant, /not what the audit log says/)
  await asRole(
    `select quipu.open_payouts(array[jsonb_populate_record(null::quipu.opening, jsonb_build_object(
       'tenant_id', '${tenant}', 'payout_id', 'po_forged', 'transaction_id', 'forged',
       'fingerprint', 'x', 'quote_id', '${forged}', 'target', 10000, 'created_at', now(),
       'qr_mode', 'open', 'merchant_name', 'x', 'bank_code', '1', 'network_ref', 'x', 'hold', 1,
       'lease_seconds', 60))], '', null)`,
  )
  await alerted(worker, 'po_forged', /its quote does not add up/)

  // An adjustment that no operator made.
  await asRole(`select quipu.adjust_wallet('${tenant}', 'forged', 'in', 7, 'x', 'ana', null)`)
  await alerted(worker, 'forged', /an adjustment of 0\.000007 USDT has no entry/)
})

test('as the processes’ role: a forged confirmed deposit is not credited, and an alert is raised', async () => {
  await using database = await roleDatabase()
  await using world = await openFundingWorld(database)
  const api = await world.openApi()
  const to = await topUpAddressOf(api)
  const worker = await world.startWorker(quickly)
  world.solidify()
  await database.asRole(
    `insert into quipu.deposit (id, tenant_id, chain, tx_hash, transfer_index, address, from_address,
       sender, amount, created_at, first_block, expires_at, solid, solid_block, due_at)
     select 'dep_01KJKB3Q000000000000000001', tenant_id, chain, '${'ab'.repeat(32)}', 0, address, 'T',
       '${'5e'.repeat(20)}', 9000000000, now(), 2, now(), 'confirmed', 2, now()
     from quipu.top_up_address where address = '${to}'`,
  )
  const [deposit] = await world.untilDeposits(api, 'in_review')
  expect(deposit).toMatchObject({ review_code: 'SOURCES_DISAGREE' })
  expect(alertsOf(worker)).toMatchObject([{ alarm: 'SOURCES_DISAGREE', subject: deposit?.id }])
  expect((await api.get('/v1/wallets')).json).toMatchObject({ available: '0.000000' })

  // A credit that the role writes past the worker raises an alert too.
  const forgedId = 'dep_01KJKB3Q000000000000000002'
  await database.asRole(
    `begin;
     insert into quipu.deposit (id, tenant_id, chain, tx_hash, transfer_index, address, from_address,
       sender, amount, created_at, first_block, expires_at, solid, solid_block, due_at, fence)
     select '${forgedId}', tenant_id, chain, '${'cd'.repeat(32)}', 0, address, 'T', '${'5e'.repeat(20)}',
       9000000000, now(), 2, now(), 'confirmed', 2, now(), 1
     from quipu.top_up_address where address = '${to}';
     select quipu.end_deposit(tenant_id, id, 1, false, 'credited', 9000000000, now(), null, null, null,
       null, null, null, null, null, null, null, null, null) from quipu.deposit where id = '${forgedId}';
     commit`,
  )
  expect((await api.get('/v1/wallets')).json).toMatchObject({ available: '9000.000000' })
  await alerted(
    worker,
    forgedId,
    /9000\.000000 USDT were credited, and solid block 2 shows no such/,
  )
})
