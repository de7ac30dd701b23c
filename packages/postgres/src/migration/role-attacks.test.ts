import { type Alert, Unavailable, usdt } from '@quipu/core'
import { defaultReconciliationTiming, findFaults, reconcileNetwork, scheduleReconciliation } from '@quipu/core/operator'
import { depositBuilders, presentedBy } from '@quipu/contracts'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openStoreHarness, type Sql, sqlOf, type StoreHarness } from '../test/stores.fixture.ts'

/** A database whose clock nobody sets, and a session of the processes' role that calls its functions by hand. */
let harness: StoreHarness
let thief: pg.Client
let steal: Sql
beforeAll(async () => {
  harness = await openStoreHarness()
  thief = new pg.Client(harness.stores.processUrl)
  await thief.connect()
  steal = sqlOf(thief)
})
afterAll(async () => {
  await thief.end()
  await harness.close()
})

let tenant: string
let other: string
beforeEach(async () => {
  await harness.sql('insert into quipu.test_clock default values on conflict do nothing')
  tenant = await harness.newWallet(usdt(100n))
  other = await harness.newWallet(usdt(100n))
  await harness.sql('delete from quipu.test_clock')
})

const wallet = async (tenantId: string) => {
  const { available, held } = (await harness.stores.wallets.find(tenantId)) ?? {}
  return [available?.minor, held?.minor]
}

const quoteOf = async (tenantId: string, source = 10n): Promise<string> =>
  (await harness.newQuote(tenantId, { source: usdt(source) })).id

type Accept = { readonly quotes: readonly string[]; readonly tenants?: string; readonly indexes?: string }

let count = 0
/** Accepts payouts with these quotes; `over` replaces arguments by SQL. */
async function accept({ quotes, tenants, indexes }: Accept, over: Record<string, string> = {}): Promise<string[]> {
  const ids = quotes.map(() => `po_${++count}`)
  const all = (value: string) => `array_fill(${value}, array[${quotes.length}])`
  const given: Record<string, string> = { holds: all('10::bigint'), created: all('now()'), ...over }
  await steal(
    `select quipu.accept_payouts(${tenants ?? `array['${tenant}']`}, ${indexes ?? all('1')}, $1, $1, ${all(`'f'::text`)}, $2,
       ${given['holds']}, ${given['created']}, ${all(`'{}'::text`)}, ${all('null::text')}, ${all('60000')}, null)`,
    [ids, quotes],
  )
  const rows = await harness.sql('select id from quipu.payout where id = any ($1) order by id', [ids])
  return rows.map(({ id }) => String(id))
}

type End = { readonly payout: string; readonly status?: string; readonly code?: string; readonly tenants?: string }

/** Settles a payout of `tenant`; `event` is an expression. */
const settle = ({ payout, status = 'completed', code }: End, at = 'now()', event = `uuidv7()`) =>
  steal(
    `select (quipu.settle_payouts(array['${tenant}'], array[1], array['${payout}'], array[1], array['${status}'],
       array[${code === undefined ? 'null::text' : `'${code}'`}], array[${code === undefined ? 'null::text' : `'x'`}],
       array[null::text], array[a.at], array[${event}], array[null::text])).*
     from (select date_trunc('milliseconds', ${at}) as at) a`,
  )

describe('a batch of payouts', () => {
  test('spends the balance of each tenant once, and no other tenant’s', async () => {
    const quotes = [await quoteOf(tenant), await quoteOf(tenant)]
    const twice = { quotes, tenants: `array['${tenant}', '${tenant}']`, indexes: 'array[1, 2]' }
    await expect(accept(twice)).rejects.toThrow('a tenant is given twice')
    const shifted = `'[0:1]={${tenant},${other}}'::text[]`
    const ofOther = { quotes: [await quoteOf(other)], tenants: shifted, indexes: 'array[1]' }
    await expect(accept(ofOther)).rejects.toThrow('a tenant is given twice')
    expect([await wallet(tenant), await wallet(other)]).toEqual([
      [100n, 0n],
      [100n, 0n],
    ])
  })

  test('settles each tenant’s payouts once', async () => {
    const [one = '', two = ''] = await accept({ quotes: [await quoteOf(tenant), await quoteOf(tenant)] })
    const both = steal(
      `select (quipu.settle_payouts(array['${tenant}', '${tenant}'], array[1, 2], array['${one}', '${two}'], array[1, 1],
         array['completed', 'completed'], array[null, null]::text[], array[null, null]::text[], array[null, null]::text[],
         array[now(), now()], array[uuidv7(), uuidv7()], array[null, null]::text[])).*`,
    )
    await expect(both).rejects.toThrow('a tenant is given twice')
    expect(await wallet(tenant)).toEqual([80n, 20n])
  })

  test('keeps the daily limit, whatever holds it names', async () => {
    await harness.sql(`update quipu.wallet set daily_limit_amount = 15 where tenant_id = '${tenant}'`)
    const quotes = [await quoteOf(tenant), await quoteOf(tenant)]
    await expect(accept({ quotes }, { holds: 'array[null, null]::bigint[]' })).rejects.toThrow('not the price')
    expect(await accept({ quotes }, { holds: `'[-5:-4]={10,10}'::bigint[]` })).toHaveLength(1)
    expect(await wallet(tenant)).toEqual([90n, 10n])
  })

  test('is dated within an hour of the database’s clock', async () => {
    const quotes = [await quoteOf(tenant)]
    for (const at of [`'-infinity'`, `now() - interval '61 min'`, `now() + interval '61 min'`])
      await expect(accept({ quotes }, { created: `array[${at}]::timestamptz[]` })).rejects.toThrow(
        "the database's clock",
      )
    const [payout = ''] = await accept({ quotes })
    await harness.sql(`update quipu.wallet set logged_at = '2021-01-01Z' where tenant_id = '${tenant}'`)
    const old = `now() - interval '2 days'`
    await expect(
      settle({ payout }, old, `quipu.uuid_at(uuidv7(), date_trunc('milliseconds', ${old}))`),
    ).rejects.toThrow("long before the database's clock")
    expect(await wallet(tenant)).toEqual([90n, 10n])
  })

  test('has events of the instants of their rows, by which the statement’s run finds them', async () => {
    const events = [
      `quipu.uuid_at(uuidv7(), '2021-01-01Z')`,
      `quipu.uuid_at(uuidv7(), '2100-01-01Z')`,
      'gen_random_uuid()',
    ]
    const quotes = await Promise.all(events.map(() => quoteOf(tenant)))
    const ids = await accept({ quotes })
    for (const [n, payout] of ids.entries()) await settle({ payout }, 'now()', events[n])
    const found = await harness.sql(
      `select from quipu.payout_end e where e.tenant_id = $1 and quipu.uuid_at(e.event_id, e.ended_at) = e.event_id`,
      [tenant],
    )
    expect(found).toHaveLength(events.length)
  })

  test('that ended before it was accepted has an instant', async () => {
    const fresh = await harness.stores.wallets.find(other)
    expect(fresh).toBeDefined()
    const declined = steal(
      `select quipu.insert_ended_payouts(array['${other}'], array['po_null'], array['t'], array['f'], array[uuidv7()],
         array[null::text], array[1]::bigint[], array[now()], array['{}'], array[null::text], array['rejected'],
         array['QR_REFUSED'], array['x'], '{}', array[null::uuid], array[null::text])`,
    )
    await expect(declined).rejects.toThrow("the database's clock")
  })
})

describe('an entry of a deposit', () => {
  /** Adds a transfer of a confirmed block, as a scan would. */
  const transfer = (over: string) => `
    select quipu.advance_scan('tron', 'solid', s.fencing_token, s.block_number, s.block_id,
      jsonb_build_array(jsonb_build_object('number', s.block_number + 1, 'id', 'f', 'at', s.block_at)), '[]',
      jsonb_build_array(jsonb_build_object('deposit_id', 'dep_x', 'tenant_id', a.tenant_id, 'tx_hash', 'x',
        'transfer_index', 0, 'address', a.address, 'from_address', 'T', 'sender', 'x', 'amount', 9,
        'block_number', s.block_number + 1, 'created_at', now(), 'expires_at', now(), 'occurred_at', now(),
        'recorded_at', uuid_extract_timestamp(e.id), 'event_id', e.id) || ${over}), null)
    from (select uuidv7() as id) e, quipu.scan s, quipu.top_up_address a
    where s.view = 'solid' and a.address = $1`

  test('is dated now, so that the check of the last day’s credits finds it', async () => {
    await harness.sql('insert into quipu.test_clock default values')
    const deposits = await depositBuilders(harness.world)
    await deposits.due()
    const { deposit, claim } = await deposits.claimOne()
    await harness.sql('delete from quipu.test_clock')
    const { address } = deposits.topUp
    await harness.sql(`update quipu.wallet set logged_at = '2021-01-01Z' where tenant_id = $1`, [deposits.tenantId])
    const recorded = (days: number) =>
      `(select jsonb_build_object('recorded_at', r.at, 'event_id', quipu.uuid_at(e.id, r.at))
        from (select date_trunc('milliseconds', now() + interval '${days} days') as at) r)`
    for (const over of [
      `'{"created_at": "-infinity"}'::jsonb`,
      `'{"occurred_at": "infinity"}'::jsonb`,
      `'{"expires_at": "infinity"}'::jsonb`,
      `'{"amount": "NaN"}'::jsonb`,
      `'{"block_number": -1}'::jsonb`,
      `'{"block_number": 9223372036854775807}'::jsonb`,
      recorded(-2),
      recorded(2),
    ])
      await expect(steal(transfer(over), [address]), over).rejects.toThrow(
        /the database's clock|deposit_expires_at_check|deposit_amount_check|deposit_first_block_check/,
      )
    for (const days of ['-2', '2'])
      await expect(
        steal(
          `select (quipu.settle_deposits(array[$1], array[$2], array[$3::int], array[null::text], array[null::text],
             array[null::text], array[a.at], array[null::bigint], array[null::bigint], array[quipu.uuid_at(uuidv7(), a.at)],
             array[null::text], null)).*
           from (select date_trunc('milliseconds', now() + interval '${days} days') as at) a`,
          [deposits.tenantId, deposit.id, claim.fencingToken],
        ),
      ).rejects.toThrow("the database's clock")
    expect(await wallet(deposits.tenantId)).toEqual([0n, 0n])
  })
})

describe('what a check finds', () => {
  test('is read, whatever amounts a process gives it', async () => {
    const record = (amount: string) =>
      steal(
        `select quipu.record_differences(jsonb_build_array(jsonb_build_object('id', 'dif_' || gen_random_uuid(),
           'check_name', 'liquidity', 'kind', 'below_floor', 'scope', '', 'subject', 'network', 'detail', 'x',
           'currency', 'BOB', 'expected_amount', 1, 'found_amount', ${amount})), now())`,
      )
    await expect(record(`'NaN'`)).rejects.toThrow('difference_found_amount_check')
    await record('0.5')
    // One row that cannot be read would keep the alerts of all later ones from being raised.
    const changed = await harness.stores.differences.listChanged(0n, new Date(0), 10)
    expect(changed.map(({ kind }) => kind)).toContain('below_floor')
  })

  test('is of a run that began and ended now', async () => {
    const open = (at: string) =>
      steal(`select quipu.open_reconciliation('rcn_x', 'chain', null, null, (now() at time zone 'UTC')::date, null,
        ${at}, 0, null, null) as result`)
    for (const at of [`now() - interval '2 days'`, `now() + interval '2 days'`, 'null'])
      await expect(open(at)).rejects.toThrow("the database's clock")
    expect(await open('now()')).toEqual([{ result: 'opened' }])
    const complete = (at: string) =>
      steal(`select quipu.advance_reconciliation(r.id, r.fencing_token, 1, 1, 0, true, ${at}, null)
        from quipu.reconciliation_run r`)
    await steal(`select quipu.claim_reconciliation('{chain}', 60, null)`)
    for (const at of [`'infinity'`, `now() + interval '2 days'`, `now() - interval '2 days'`])
      await expect(complete(at)).rejects.toThrow("the database's clock")
  })
})

describe('a reconciliation of the role', () => {
  const runMacKeys = [{ id: '1', key: new Uint8Array(32).fill(1) }] as const
  const rates = {
    current: () => Promise.reject(new Unavailable('rate_source', 'no answer')),
    report: async () => ({ sources: [], agreement: null }),
  }
  const portsOf = (alerts: Alert[]) => ({
    ...harness.stores,
    ids: harness.ids,
    now: () => new Date(),
    rates,
    runMacKeys,
    raiseAlert: (alert: Alert) => void alerts.push(alert),
  })
  const emptyOnes = async (ports: ReturnType<typeof portsOf>) =>
    (await findFaults(ports)()).filter(({ code }) => code === 'RECONCILIATION_EMPTY').map(({ detail }) => detail)

  test('does not pass for one that compared the day: it is named, and the day is compared', async () => {
    const alerts: Alert[] = []
    const ports = portsOf(alerts)
    await steal(`select quipu.open_reconciliation('rcn_stolen', 'network', d::timestamp at time zone 'UTC',
      (d + 1)::timestamp at time zone 'UTC', d, null, now(), (extract(epoch from d) * 1000)::bigint, null, null)
      from (select (now() at time zone 'UTC')::date - 2 as d) x`)
    await steal(`select quipu.claim_reconciliation('{network}', 60, null)`)
    expect(
      await steal(`select quipu.advance_reconciliation(r.id, r.fencing_token, (extract(epoch from r.to_at) * 1000)::bigint,
        400, 0, true, now(), '1.00') as done from quipu.reconciliation_run r where r.id = 'rcn_stolen'`),
    ).toEqual([{ done: true }])
    expect(await emptyOnes(ports)).toEqual(['the newest completed run, rcn_stolen, was completed by no process'])
    await scheduleReconciliation(ports, defaultReconciliationTiming)(['network'])
    await scheduleReconciliation(ports, defaultReconciliationTiming)(['network'])
    expect(alerts.map(({ detail }) => detail)).toEqual([expect.stringContaining('rcn_stolen')])
    async function* statement() {}
    const reconcile = reconcileNetwork({ ...ports, network: { statement } }, { leaseSeconds: 60, retrySeconds: 60 })
    const results = []
    do results.push(await reconcile())
    while (results.at(-1)?.type === 'advanced' || results.at(-1)?.type === 'completed')
    const days = results.filter(({ type }) => type === 'completed').map((r) => 'run' in r && r.run.scheduledFor)
    const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10)
    expect(days).toContain(day)
    expect(await emptyOnes(ports)).toEqual([])
  })
})

test('the role becomes no other, makes nothing, runs no program, and reads no statistics of a credential', async () => {
  for (const statement of [
    'set role quipu_owner',
    'set session_replication_role = replica',
    'create schema x',
    'create table public.x ()',
    'select from quipu.wallet for key share',
    'explain select hash from quipu.console_session',
    `copy (select 1) to program 'true'`,
  ])
    await expect(steal(statement), statement).rejects.toThrow(/permission denied/)
  const statistics = await steal(`select from pg_stats where schemaname = 'quipu' and attname = 'hash'
    and tablename in ('operator_token', 'console_session')`)
  expect(statistics).toEqual([])
})

test('invents neither a sign-in nor a second factor: it has no key for their MACs', async () => {
  const hash = `repeat('5e', 32)`
  for (const mac of ['null', `''`, `'1.'`, `'1.' || ${hash}`, `'9.' || ${hash}`]) {
    const call = `select quipu.sign_in('opt_forged', 'ben', 'admin', repeat('a1', 32), ${hash}, ${mac}, '{}', now(),
      now() + interval '1 hour') as opened`
    expect(await steal(call), mac).toEqual([{ opened: false }])
  }
  expect(await harness.sql(`select from quipu.operator_token where id = 'opt_forged'`)).toEqual([])
  const by = presentedBy('ben')
  await harness.sql('insert into quipu.test_clock default values on conflict do nothing')
  await harness.sql(
    `insert into quipu.second_factor (person, secret, created_at, confirmed_at) values ('ben', '1.s', now(), now())`,
  )
  await harness.sql('delete from quipu.test_clock')
  const open = (factor: string | null) =>
    steal(`select quipu.open_console_session(${hash}, $1, now(), now() + interval '1 hour', '{}', $2) as result`, [
      by,
      factor,
    ])
  for (const factor of [null, '{}', '{"step": 5}', '{"step": 5, "mac": "1.00"}', '{"step": 5, "mac": null}'])
    expect(await open(factor), String(factor)).toEqual([{ result: 'needs_second_factor' }])
  const renewed = `select quipu.renew_second_factor('ben', secret, '1.spoilt') as renewed, person from quipu.second_factor`
  expect(await steal(renewed)).toEqual([{ renewed: true, person: 'ben' }])
  expect(await open('{"step": 6, "mac": "1.00"}')).toEqual([{ result: 'needs_second_factor' }])
})
