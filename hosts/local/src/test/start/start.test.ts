import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { apiKeyScopes } from '@quipu/core'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askJson } from '../../ask-json.ts'
import { localFilePath } from '../../start/data-folder/local-file.ts'
import { type Program, run } from '../harness/process.fixture.ts'
import { available, type StartHarness, openStartHarness, tenants } from '../harness/start-harness.fixture.ts'

describe('start', () => {
  let harness: StartHarness
  let program: Program
  beforeAll(async () => {
    harness = await openStartHarness()
    program = await harness.started()
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  test('local.json has every URL and credential, and only its owner can read it', async () => {
    const { dataDir, base } = harness
    expect(await harness.local()).toEqual({
      base_url: `http://127.0.0.1:${base}`,
      api_key: expect.stringMatching(/^qpu_test_[0-9a-f]{40}$/),
      tenant_id: expect.stringMatching(/^ten_[0-9A-Z]{26}$/),
      operator_url: `http://127.0.0.1:${base + 1}`,
      operator_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      second_operator_token: expect.stringMatching(/^[0-9a-f]{64}$/),
      example_url: `http://127.0.0.1:${base + 2}`,
      tron: {
        url: `http://127.0.0.1:${base + 3}`,
        admin_url: `http://127.0.0.1:${base + 7}`,
        token_contract: expect.stringMatching(/^T.{33}$/),
        wallet: { address: expect.stringMatching(/^T.{33}$/), private_key: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
      qr_network: { name: 'http', url: `http://127.0.0.1:${base + 4}`, admin_url: `http://127.0.0.1:${base + 5}` },
      database_url: expect.stringMatching(/^postgres:\/\/.+\/quipu$/),
    })
    for (const file of [localFilePath(dataDir), path.join(dataDir, 'secrets.json')]) {
      expect((await stat(file)).mode & 0o777).toBe(0o600)
    }
  })

  test('API and worker connect as a role with process rights only', async () => {
    const client = new pg.Client((await harness.local()).database_url)
    await client.connect()
    const { rows } = await client.query(
      `select distinct usename as name,
         array(select r.rolname::text from pg_roles r
           where pg_has_role(usename, r.oid, 'member') and r.rolname <> usename) as roles
       from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and backend_type = 'client backend'`,
    )
    await client.end()
    expect(rows).toEqual([{ name: 'quipu_app', roles: ['quipu_process'] }])
  })

  test('the demo tenant has one credited deposit of 1,000 USDT, a margin of 150 bps and a key with every scope', async () => {
    const file = await harness.local()
    expect(await available(file)).toBe('1000.000000')
    const key = { 'x-api-key': file.api_key }
    const request = { method: 'GET', path: '/v1/deposits', headers: key }
    expect((await askJson(file.base_url, request)).json).toMatchObject({
      data: [{ status: 'credited', amount: '1000.000000', from_address: file.tron.wallet.address }],
    })
    expect(await tenants(file)).toMatchObject([{ id: file.tenant_id, margin_bps: 150 }])
    const headers = { authorization: `Bearer ${file.operator_token}` }
    const keysPath = `/operator/v1/tenants/${file.tenant_id}/api-keys`
    const keys = await askJson(file.operator_url, { method: 'GET', path: keysPath, headers })
    expect(keys.json).toMatchObject({ data: [{ scopes: apiKeyScopes }] })
  })

  test('the printed shell lines pay a QR', async () => {
    const printed = program.output()
    const lines = printed.slice(printed.indexOf('  API='), printed.indexOf('See every outcome'))

    const { stdout } = await promisify(execFile)('sh', ['-c', lines])

    const [payout, list, wallet] = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(payout).toMatchObject({
      status: 'completed',
      source: { currency: 'USDT', amount: '2.550839' },
      target: { currency: 'BOB', amount: '25.00' },
    })
    expect(list.data).toEqual([payout])
    expect(wallet).toMatchObject({ available: '997.449161', held: '0.000000' })
  })

  test('a second start on the same folder is refused and names the first one', async () => {
    const second = harness.start({ QUIPU_PORT_BASE: '9' })

    expect(await second.ended).toBe(1)
    expect(second.output()).toContain(
      `Quipu is already running on ${harness.dataDir} at http://127.0.0.1:${harness.base} (process ${program.pid})`,
    )
    expect(await available(await harness.local())).toBe('997.449161')
  })

  test('a start on ports in use names them and suggests others', async () => {
    const other = harness.start({ QUIPU_DATA_DIR: path.join(harness.dataDir, 'other') })

    expect(await other.ended).toBe(1)
    const { base } = harness
    expect(other.output()).toContain(
      `Ports ${[0, 1, 2, 3, 4, 5, 7, 9].map((more) => base + more).join(', ')} of 127.0.0.1 are in use.`,
    )
    expect(other.output()).toMatch(/QUIPU_PORT_BASE=\d+ npx -y pnpm@12 start/)
  })

  test('the demo runs against it, and every step ends as expected', async () => {
    const demo = run('local/src/demo.ts', harness.env)

    expect(await demo.ended, demo.output()).toBe(0)
    expect(demo.output()).toContain(`Running the demo against http://127.0.0.1:${harness.base}`)
    expect(demo.output()).toMatch(/All 19 steps ended as expected/)
    expect(demo.output()).not.toContain('\u001B[')
  })

  test('the demo fails when a step ends otherwise', { tags: 'long' }, async () => {
    const { qr_network } = await harness.local()
    const body = { wrong_amount: 1 }
    await askJson(qr_network.admin_url, { method: 'POST', path: '/sim/faults', body })
    const demo = run('local/src/demo.ts', harness.env)

    expect(await demo.ended).toBe(1)
    expect(demo.output()).toMatch(/✗ {2}4 paid: .* 201 processing/)
    expect(demo.output()).toMatch(/[1-9] of 19 steps did not end as expected/)
  })
})
