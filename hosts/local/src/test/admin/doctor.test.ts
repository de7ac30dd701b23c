import { startQrNetwork, type TronDevnet } from '@quipu/simulators'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { xpubOf } from '../../start/tron.ts'
import { adminWith } from '../harness/admin.fixture.ts'
import { chainEnvironment, mineFreshBlocks, startChain } from '../harness/chain.fixture.ts'
import { rateServer } from '../harness/listener.fixture.ts'
import { type RoleDatabase, roleDatabase } from '../harness/database-role.fixture.ts'
import { run } from '../harness/process.fixture.ts'
import { programsOf } from '../harness/programs.fixture.ts'
import { onboardTenant, operatorToken, tenantAt } from '../harness/tenant.fixture.ts'

type Finding = { readonly check: string; readonly status: string; readonly mend: string | null }

const resources = new AsyncDisposableStack()
let database: RoleDatabase
let healthy: Record<string, string>
let chain: TronDevnet

beforeAll(async () => {
  database = resources.use(await roleDatabase())
  chain = resources.adopt(await startChain(), (it) => it.stop())
  const token = 'the-token-of-the-network'
  const network = resources.adopt(await startQrNetwork({ token, callbackSecret: 'unused' }), (it) => it.stop())
  const env = {
    DATABASE_URL: database.roleUrl,
    QR_NETWORK_URL: network.url,
    QR_NETWORK_IDENTITY: 'simulator',
    QR_NETWORK_TOKEN: token,
    ...(await chainEnvironment(chain)),
  }
  const programs = programsOf(resources, env, async ({ url, operatorUrl }) => ({
    operatorUrl,
    tenant: tenantAt(url, await onboardTenant(operatorUrl)),
  }))
  const { operatorUrl, tenant } = await programs.openApi()
  expect((await tenant.get('/v1/wallets')).status).toBe(200) // Creates the top-up address.
  healthy = {
    ...env,
    RATE_SOURCE: 'fixed',
    RATE_BID: '9.9500',
    QUIPU_OPERATOR_URL: operatorUrl,
    QUIPU_OPERATOR_TOKEN: operatorToken,
  }
})
afterAll(() => resources.disposeAsync())

/** The findings of `doctor --json` that are not ok. */
async function diagnosed(
  change: Record<string, string>,
): Promise<{ code: unknown; findings: Finding[]; faults: Record<string, string> }> {
  mineFreshBlocks(chain) // The doctor checks their age.
  const env = { ...healthy, ...change }
  const { code, output } = await (change['CLOCK_AHEAD_MS'] === undefined
    ? adminWith(env).run('doctor', '--json')
    : diagnosedApart(env))
  const [json = ''] = output.split('\n')
  const { findings } = JSON.parse(json) as { findings: Finding[] }
  const faulty = findings.filter(({ status }) => status !== 'ok')
  expect(faulty.filter(({ mend }) => !mend)).toEqual([])
  return { code, findings, faults: Object.fromEntries(faulty.map((each) => [each.check, each.status])) }
}

/** By a process whose clock is another one. */
async function diagnosedApart(env: Record<string, string>): Promise<{ code: unknown; output: string }> {
  const program = run('admin/src/main.ts', env, ['doctor', '--json'])
  return { code: await program.ended, output: program.output() }
}

test('an installation that works has no failing check, and every area is checked', async () => {
  // On a busy machine a check may exceed its time: then the diagnosis is repeated.
  await expect.poll(async () => (await diagnosed({})).faults).toEqual({ 'chain.agreement': 'warn' })
  const { findings } = await diagnosed({})
  const areas = new Set(findings.map(({ check }) => check.split('.')[0]))
  for (const area of ['settings', 'database', 'clock', 'workers', 'chain', 'addresses', 'network'])
    expect(areas).toContain(area)
  for (const area of ['rates', 'queue', 'api', 'differences', 'keys', 'operators']) expect(areas).toContain(area)
})

const nowhere = 'http://127.0.0.1:1'

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['a setting that is wrong', { WORKER_CONCURRENCY: 'many' }, { 'settings.worker': 'fail' }],
  ['another extended public key', { TRON_XPUB: xpubOf({ tron_seed: '6f'.repeat(32) }) }, { addresses: 'fail' }],
  ['another key of the MACs', { ADDRESS_MAC_KEY: '6f'.repeat(32) }, { addresses: 'fail' }],
  ['a provider that is gone', { TRON_NODE_URL: nowhere }, { 'chain.node': 'fail' }],
  ['a provider of another chain', { TRON_GENESIS_BLOCK: 'shasta' }, { 'chain.node': 'fail' }],
  [
    'a second provider that is gone',
    { TRON_VERIFIER_URL: nowhere },
    { 'chain.verifier': 'fail', 'chain.agreement': 'fail' },
  ],
  ['a token that the network refuses', { QR_NETWORK_TOKEN: 'other' }, { network: 'fail' }],
  [
    'rate sources that are gone',
    {
      RATE_SOURCE: 'composite',
      RATE_SOURCES: JSON.stringify(['a', 'b'].map((name) => ({ name, url: `${nowhere}/${name}`, bid_path: 'bid' }))),
    },
    { 'rates.source_1': 'fail', 'rates.source_2': 'fail', rates: 'fail' },
  ],
  [
    'a queue that is gone',
    {
      SQS_QUEUE_URL: `${nowhere}/1/q`,
      SQS_ENDPOINT: nowhere,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'x',
      AWS_SECRET_ACCESS_KEY: 'x',
    },
    { queue: 'fail' },
  ],
  [
    'a key of the MACs that was deleted before its addresses were renewed',
    { ADDRESS_MAC_KEY: `2:${'6f'.repeat(32)}` },
    { addresses: 'fail', 'keys.ADDRESS_MAC_KEY': 'fail' },
  ],
  ['an API that is gone', { QUIPU_OPERATOR_URL: nowhere }, { api: 'fail' }],
  ['an operator token that is unknown', { QUIPU_OPERATOR_TOKEN: 'x' }, { 'api.token': 'fail' }],
  [
    'a clock that is a minute ahead',
    { CLOCK_AHEAD_MS: '60000' },
    { clock: 'fail', 'clock.node': 'fail', 'clock.network': 'fail' },
  ],
  [
    'a clock that is a minute behind',
    { CLOCK_AHEAD_MS: '-60000' },
    {
      clock: 'fail',
      'clock.node': 'fail',
      'clock.network': 'fail',
      'chain.node.head': 'fail',
      'chain.node.solid': 'fail',
    },
  ],
])('finds %s', async (_, change, expected) => {
  const diagnose = async () => {
    const { code, faults } = await diagnosed(change)
    const failing = Object.entries(faults).filter(([, status]) => status === 'fail')
    return { code, failing: failing.map(([check]) => check).sort() }
  }
  // On a busy machine another check may exceed its time: then the diagnosis is repeated.
  await expect.poll(diagnose).toEqual({ code: 1, failing: Object.keys(expected).sort() })
})

/** Rate sources with these bids, as settings. */
async function ratesOf(...bids: readonly string[]): Promise<Record<string, string>> {
  const sources = await Promise.all(
    bids.map(async (bid, index) => ({
      name: `source ${index + 1}`,
      url: resources.use(await rateServer(bid)).url,
      bid_path: 'bid',
    })),
  )
  return { RATE_SOURCE: 'composite', RATE_SOURCES: JSON.stringify(sources) }
}

test('finds a rate source that lies, and names it when a third one shows which', async () => {
  const honest = await diagnosed(await ratesOf('9.95', '9.97'))
  expect(honest.faults).not.toHaveProperty('rates')
  const two = await diagnosed(await ratesOf('9.95', '12.00'))
  expect(two.faults).toMatchObject({ rates: 'fail' })
  expect(two.faults).not.toHaveProperty(['rates.source_2'])
  const three = await diagnosed(await ratesOf('9.95', '12.00', '9.97'))
  expect(three.faults).toMatchObject({ rates: 'fail', 'rates.source_2': 'fail' })
  expect(three.faults).not.toHaveProperty(['rates.source_1'])
})

const wallet = `set session_replication_role = replica; update quipu.wallet set created_at =`
const endpoint = `insert into quipu.webhook_endpoint
  (id, tenant_id, url, status, paused_at, secrets, created_at, updated_at)
  select 'we_dead', id, 'https://dead.example', 'paused', now(), '[]', now(), now() from quipu.tenant limit 1`
const scan = `insert into quipu.scan
  values ('tron', 'solid', 1, 'b', now() - interval '10 min', 1, now())`
const difference = `insert into quipu.difference
  (id, change, check_name, kind, scope, subject, detail, found_at, last_seen_at)
  values ('dif_1', 1, 'ledger', 'available', '', 'wal_1', 'changed by SQL', now(), now())`

test.each([
  [
    'a worker that is gone',
    { workers: 'fail' },
    `${wallet} now() - interval '1 h'; update quipu.ledger_check set checked_at = now() - interval '6 min'`,
    `${wallet} now()`,
  ],
  ['a scan that has stopped', { 'scans.tron.solid': 'fail' }, scan, 'delete from quipu.scan'],
  [
    'an endpoint that is dead',
    { 'webhooks.endpoints': 'warn' },
    endpoint,
    `set session_replication_role = replica; delete from quipu.webhook_endpoint where id = 'we_dead'`,
  ],
  [
    'an open difference',
    { 'differences.ledger': 'fail' },
    difference,
    `set session_replication_role = replica; delete from quipu.difference where id = 'dif_1'`,
  ],
])('finds %s, until it is mended', async (_, expected, plant, mend) => {
  await database.asOwner(plant)
  try {
    expect((await diagnosed({})).faults).toMatchObject(expected)
  } finally {
    await database.asOwner(mend)
  }
  const [check = ''] = Object.keys(expected)
  expect((await diagnosed({})).faults).not.toHaveProperty([check])
})

test('finds a role with more rights than production allows, and a database that is gone', async () => {
  const superuser = { DATABASE_URL: database.url }
  expect((await diagnosed(superuser)).faults).toMatchObject({ 'database.role': 'warn' })
  const production = await diagnosed({ ...superuser, ENVIRONMENT: 'production' })
  expect(production.faults).toMatchObject({ 'database.role': 'fail', 'settings.api': 'fail' })
  const gone = await diagnosed({ DATABASE_URL: 'postgres://quipu:hush@127.0.0.1:1/quipu' })
  expect(gone.faults).toMatchObject({ database: 'fail', addresses: 'fail' })
  expect(JSON.stringify(gone.findings)).not.toContain('hush')
})

test('finds a server that requires no standby, where one is required', async () => {
  const { code, findings } = await diagnosed({ DATABASE_STANDBY: 'required' })
  expect(code).toBe(1)
  const detail = expect.stringContaining('no standby is required by the server') as string
  expect(findings).toContainEqual(expect.objectContaining({ check: 'database.write', status: 'fail', detail }))
})

test('finds a missing migration, and says which', async () => {
  const [row] = await database.asOwner(`delete from quipu.migration where name = '0011-faucet.sql' returning checksum`)
  try {
    const { code, findings } = await diagnosed({})
    expect(code).toBe(1)
    expect(findings).toContainEqual({
      check: 'database.migrations',
      status: 'fail',
      detail: 'missing: 0011-faucet.sql',
      mend: 'Run `quipu-admin migrate` as the role that owns the database.',
    })
  } finally {
    await database.asOwner(
      `insert into quipu.migration (name, checksum) values ('0011-faucet.sql', '${String(row?.['checksum'])}')`,
    )
  }
})

test('xpub derives the address that the tenant sees, and verify names one that was changed', async () => {
  const admin = adminWith(healthy)
  type Verified = { readonly checked: number; readonly wrong: readonly unknown[] }
  expect(await admin.json<Verified>('xpub', 'verify')).toEqual({ checked: 1, wrong: [] })
  const [stored] = await database.asOwner('select index, address from quipu.top_up_address')
  const { addresses } = await admin.json<{ addresses: unknown[] }>('xpub', 'derive', '0', '--count', '2')
  expect(addresses).toHaveLength(2)
  expect(addresses[0]).toEqual(stored)
  const other = await adminWith({ ...healthy, ADDRESS_MAC_KEY: '6f'.repeat(32) }).run('xpub', 'verify')
  expect(other.code).toBe(1)
  expect(other.output).toContain(String(stored?.['address']))
  expect(other.output).toContain('1 of 1 addresses do not match.')
  const badKey = await adminWith({ TRON_XPUB: 'xpub1' }).run('xpub', 'derive', '0')
  expect(badKey.code).toBe(2)
})
