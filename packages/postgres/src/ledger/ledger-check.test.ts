import { bob, manageKeys, manageTenants, scopes, usdt } from '@quipu/core'
import { creditingDeposit, funding, laterInstant, paid, someInstant } from '@quipu/core/testing'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { closeBooks } from './close-books.ts'
import { clientConfig, withConnection } from '../connection/connection.ts'
import { rowsReadBy } from '../test/reach.fixture.ts'
import { type Bench, openBench, sqlOf } from '../test/stores.fixture.ts'

let bench: Bench
beforeEach(async () => {
  bench = await openBench()
})
afterEach(() => bench.close())

const now = () => new Date()
const operator = () => manageTenants({ tenants: bench.stores.tenants, ids: bench.ids, now })
const keys = () => manageKeys({ ...bench.stores, ids: bench.ids, random: randomBytes, now }, 'test')

/** A tenant as an operator makes one, of the pricing that the quotes of these tests are of. */
async function newTenant(): Promise<string> {
  const technicalContact = { name: 'Rosa', email: 'rosa@pagos.example' }
  const input = { legalName: 'Pagos', technicalContact, pricing: { marginBps: 150 } }
  return (await operator().create('ana', input)).id
}

const adjust = (tenantId: string, minor: bigint): Promise<string> =>
  bench.stores.wallets.adjust({
    id: bench.ids.uuid(now()),
    tenantId,
    direction: 'in',
    amount: usdt(minor),
    reason: 'funds',
    actor: 'ana',
  })

async function issueKey(tenantId: string): Promise<string> {
  const made = await keys().issue('ana', tenantId, { name: 'k', scopes, expiresAt: null })
  if (made === undefined || made === 'already_expired') throw new Error('it never expires')
  return made.record.id
}

async function pay(tenantId: string, isPaid: boolean): Promise<void> {
  const payout = await bench.applied(await bench.newQuote(tenantId))
  const answer = isPaid ? paid(payout) : ({ type: 'refused_payment' } as const)
  const committed = await bench.stores.payouts.commit(bench.settling(payout, answer, { at: now() }))
  expect(committed === 'committed' || typeof committed === 'object').toBe(true)
}

/** Checks everything once: so many slices that each wallet has had its turn, and the whole audit log. */
async function checkAll(postings = 100): Promise<void> {
  const { ledgerCheck } = bench.stores
  for (let n = 0; n < 5; n++) await ledgerCheck.wallets({ wallets: 10, postings, everySeconds: 0 })
  for (let last: bigint | null = 0n; last !== null;) last = await ledgerCheck.auditLog(last, 3)
}

const found = async (): Promise<readonly string[]> =>
  (await bench.stores.ledgerCheck.differences(0n)).map(
    ({ subject, detail }) => `${subject}: ${detail}`,
  )

test('while money moves in every way, prices and keys change and books are closed, nothing is ever found', async () => {
  const { ledgerCheck } = bench.stores
  const tenants = await Promise.all([1, 2, 3].map(newTenant))
  for (const tenantId of tenants) await adjust(tenantId, 10_000_000_000n)
  let isMoving = true
  let slices = 0
  const checking = async (): Promise<void> => {
    let last: bigint | null = 0n
    while (isMoving) {
      slices += await ledgerCheck.wallets({ wallets: 2, postings: 7, everySeconds: 0 })
      last = await ledgerCheck.auditLog(last ?? 0n, 5)
    }
  }
  const closing = async (): Promise<void> => {
    while (isMoving) await closeBooks(bench.stores.url, { size: 9 })
  }
  const watching = [checking(), checking(), closing()]
  const moving = tenants.flatMap((tenantId, lane) => [
    ...[0, 1, 2, 3].map(async () => {
      for (let n = 0; n < 25; n++) await pay(tenantId, (n + lane) % 3 > 0)
    }),
    (async () => {
      for (let n = 0; n < 20; n++) await adjust(tenantId, 5n)
    })(),
    (async () => {
      for (let n = 0; n < 10; n++) {
        const keyId = await issueKey(tenantId)
        await operator().changePricing('ana', tenantId, { paymentCap: bob(100n + BigInt(n)) })
        await keys().revoke('ana', keyId)
        await (n % 2 === 0
          ? operator().suspend('ana', tenantId)
          : operator().resume('ana', tenantId))
      }
    })(),
  ])
  await Promise.all(moving)
  isMoving = false
  await Promise.all(watching)
  await checkAll()
  expect(await bench.sql('select * from quipu.ledger_difference')).toEqual([])
  expect(slices).toBeGreaterThan(20)
  const [swept] = await bench.sql(`select count(*) as n from quipu.closing`)
  expect(Number(swept?.['n'])).toBeGreaterThan(10)
}, 60_000)

test('deposits have their source, whether they were credited by themselves or by an operator', async () => {
  const w = { ...bench, ...bench.stores, advance: () => Promise.resolve() }
  const scene = await funding(w)
  await scene.credited()
  const write = creditingDeposit(w, await scene.inReview())
  expect(await w.deposits.commit(write)).toBe('committed')
  const earlier = creditingDeposit(w, await scene.inReview(), someInstant)
  expect(await w.deposits.commit(earlier)).toMatchObject({ redatedTo: laterInstant })
  await checkAll()
  // The audit log tells nothing of the pricing of this tenant, which the test alone has made.
  expect((await found()).filter((each) => !each.startsWith('ten_'))).toEqual([])
})

/** What somebody does to whom triggers are no obstacle. */
async function forge(text: string): Promise<void> {
  await bench.sql(`set session_replication_role = replica; ${text};
    set session_replication_role = origin`)
}

const posting = `insert into quipu.transfer (tenant_id, type, debit, credit, amount, payout_id,
  adjustment_id, deposit_id, available_after, held_after, seq, created_at)`

describe('a forged row is found', () => {
  test.each([
    [
      'a balance',
      'update quipu.wallet set available = available + 1500000',
      /available is .*: 1\.500000 USDT off$/,
    ],
    [
      'a hold that is lower',
      'update quipu.wallet set held = held - 1',
      /held is .*: -0\.000001 USDT off/,
    ],
    [
      'a count of movements',
      'update quipu.wallet set seq = seq + 1',
      /it counts 3 movements instead of 2/,
    ],
    [
      'a closing',
      `insert into quipu.closing select tenant_id, through, 1, 0, 0, 0, 0, 0 from quipu.ledger_check`,
      /the closing is not the sum of the postings before it/,
    ],
    [
      'a posting of the past',
      `${posting} select tenant_id, 'adjustment_in', 'adjustments', 'available', 5, null, 'a', null, 0,
         0, 9, now() - interval '1 day' from quipu.wallet`,
      /postings were added in the past/,
    ],
    [
      'a posting that was removed',
      `delete from quipu.transfer where type = 'adjustment_in'`,
      /postings were added in the past, or removed/,
    ],
    [
      'an adjustment of no operator',
      `${posting} select tenant_id, 'adjustment_in', 'adjustments', 'available', 5, null, 'forged', null,
         0, 0, seq + 1, now() from quipu.wallet;
       update quipu.wallet set available = available + 5, seq = seq + 1`,
      /^forged: an adjustment of 0\.000005 USDT has no entry in the audit log$/,
    ],
    [
      'a credit of no deposit',
      `${posting} select tenant_id, 'deposit', 'deposits', 'available', 5, null, null, 'dep_forged', 0,
         0, seq + 1, now() from quipu.wallet;
       update quipu.wallet set available = available + 5, seq = seq + 1`,
      /^dep_forged: a credit belongs to no credited deposit$/,
    ],
    [
      'a release of what was paid',
      `${posting} select tenant_id, 'release', 'held', 'available', amount, payout_id, null, null, 0, 0,
         null, now() from quipu.transfer where type = 'capture' limit 1;
       update quipu.wallet set available = available + 10203353, held = held - 10203353`,
      /a release belongs to a payout that is completed/,
    ],
    [
      'a price that does not add up',
      'update quipu.quote set principal = 1, fee = source - 1',
      /its quote does not add up/,
    ],
    [
      'a price of another amount',
      'update quipu.quote set source = 1',
      /is not the 0\.000001 USDT of its quote/,
    ],
    [
      'a rate that the tenant’s pricing does not give',
      'update quipu.quote set bid = bid * 2',
      /its quote is not what the tenant’s pricing gives/,
    ],
    [
      'a quote of nobody',
      'update quipu.quote set payout_id = null',
      /its quote is used by no payout/,
    ],
    ['a key of nobody', `update quipu.api_key set id = 'key_x'`, /^key_x: the key has no entry/],
    [
      'a key that can do more',
      `update quipu.api_key set scopes = '{x}'`,
      /the key has other scopes/,
    ],
    [
      'a key that is no longer revoked',
      'update quipu.api_key set revoked_at = null',
      /was revoked and is not/,
    ],
    [
      'a price list',
      'update quipu.tenant set fee_fixed = 1',
      /the tenant is not what the audit log says/,
    ],
    [
      'an entry of the audit log',
      `insert into quipu.audit_log (actor, action, subject, at)
       select 'ana', 'api_key.issue', id, now() from quipu.tenant`,
      /has no change to the entry api_key\.issue in the name of ana/,
    ],
  ])('%s', async (what, text, detail) => {
    const tenantId = await newTenant()
    await adjust(tenantId, 100_000_000n)
    const keyId = await issueKey(tenantId)
    await keys().revoke('ana', keyId)
    await pay(tenantId, true)
    await bench.applied(await bench.newQuote(tenantId))
    // What is compared once must be so after it was forged, and what is compared again before it too.
    if (!/price|rate|quote/.test(what)) await checkAll()
    expect(await found()).toEqual([])
    await forge(text)
    await checkAll()
    expect(await found()).toContainEqual(expect.stringMatching(detail))
  })
})

test('a difference is noted once, anew when it changes, and is gone when there is none', async () => {
  const tenantId = await newTenant()
  await adjust(tenantId, 100n)
  const all = () =>
    bench.sql('select detail, gone_at is null as is_open from quipu.ledger_difference order by id')
  await forge('update quipu.wallet set available = available + 1')
  await checkAll()
  await adjust(tenantId, 50n)
  await checkAll()
  const [first] = await all()
  expect(first).toMatchObject({ is_open: false })
  await forge('update quipu.wallet set available = available - 1')
  await checkAll()
  expect(await all()).toHaveLength(2)
  expect(await found()).toEqual([])
})

test('a slice reads no more than it may, and the next one goes on where it ended', async () => {
  let ms = Date.now() + 60_000 // Later than the wallet was made.
  await bench.close()
  bench = await openBench({ now: () => new Date(ms++) }) // No two movements are of one instant.
  const tenantId = await newTenant()
  for (let n = 0; n < 30; n++) await adjust(tenantId, 1n)
  const rest = () =>
    bench.sql(`select c.checked_at > '-infinity' as is_checked, c.movements::int as movements
      from quipu.ledger_check c`)
  const slice = 'select quipu.check_ledger(10, 10, 0)'
  // In a session like those of the stores.
  const read = await withConnection(clientConfig({ url: bench.stores.url }), (client) =>
    rowsReadBy(sqlOf(client), '^transfer', () => client.query(slice)),
  )
  expect(read).toBeLessThan(60)
  expect(await rest()).toEqual([{ is_checked: false, movements: 10 }])
  for (let n = 0; n < 3; n++) await bench.sql(slice)
  const [end] = await rest()
  expect(end).toMatchObject({ is_checked: true })
  expect(Number(end?.['movements'])).toBeGreaterThanOrEqual(28)
})
