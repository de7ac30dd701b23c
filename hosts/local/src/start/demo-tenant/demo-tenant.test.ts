import { jsonLog, readSettings } from '@quipu/runtime'
import { ApiSettings, startApi } from '@quipu/api'
import { apiKeyScopes } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import { postgresStores, type PostgresStores } from '@quipu/postgres'
import { beforeEach, expect, test } from 'vitest'
import { migrateWithOperators, operatorToken } from '../../test/harness/tenant.fixture.ts'
import { demoTenant } from './demo-tenant.ts'
import type { SecretsFile, Secrets } from '../data-folder/secrets.ts'

const crash = new Error('killed')
let stores: PostgresStores
let operatorUrl: string
let stop: () => Promise<void>

beforeEach(async () => {
  const { url, drop } = await testDatabase({ templateName: 'quipu_local', migrate: migrateWithOperators })
  stores = postgresStores({ url })
  const settings = readSettings(ApiSettings, {
    DATABASE_URL: url,
    PORT: '0',
    OPERATOR_PORT: '0',
    DRAIN_SECONDS: '0',
    QR_NETWORK_URL: 'http://127.0.0.1:9',
    QR_NETWORK_TOKEN: 'none',
    RATE_SOURCE: 'fixed',
    RATE_BID: '9.9500',
  })
  const api = await startApi(settings, jsonLog('silent'))
  operatorUrl = api.operatorUrl
  stop = async () => {
    await api.stop()
    await stores.close()
    await drop()
  }
  return () => stop()
})

/** Secrets in memory. @param updates  the number of updates before the simulated crash */
function crashingSecrets(updates: number, initial: Partial<Secrets> = {}) {
  let left = updates
  let stored: Secrets = {
    operator_token: operatorToken,
    second_operator_token: '',
    network_token: '',
    callback_secret: '',
    tron_seed: '',
    address_mac_key: '',
    faucet_private_key: '',
    wallet_private_key: '',
    webhook_secret_key: '',
    database_password: '',
    ...initial,
  }
  const secrets: SecretsFile = {
    get: () => stored,
    update: (change) => {
      if (left-- === 0) return Promise.reject(crash)
      stored = { ...stored, ...change }
      return Promise.resolve()
    },
  }
  return secrets
}

const ensureTenant = (secrets: SecretsFile) => demoTenant({ operatorUrl, secrets })

/** Expects one tenant with one live key, the stored one. */
async function expectOneTenant(secrets: SecretsFile): Promise<void> {
  const { id, apiKey } = await ensureTenant(secrets)
  const { items: tenants } = await stores.tenants.list({ limit: 100 })
  const { items: keys } = await stores.apiKeys.list(id, { limit: 100 })
  const live = keys.filter((key) => key.revokedAt === null)
  expect(tenants).toMatchObject([{ id, pricing: { marginBps: 150 } }])
  expect(live).toMatchObject([{ hash: sha256(apiKey), scopes: [...apiKeyScopes] }])
  expect(secrets.get()).toMatchObject({ tenant_id: id, api_key: apiKey })
}

test.each([
  ['the tenant was created but not stored', 0],
  ['a key was issued but not stored', 1],
])('killed when %s: the next call completes it', async (_, updates) => {
  const secrets = crashingSecrets(updates)
  await expect(ensureTenant(secrets)).rejects.toBe(crash)

  await expectOneTenant(crashingSecrets(9, secrets.get()))
})

test('a second call returns the same tenant and key', async () => {
  const secrets = crashingSecrets(9)
  const first = await ensureTenant(secrets)

  await expectOneTenant(secrets)
  expect(await ensureTenant(secrets)).toEqual(first)
})

test('after lost secrets the tenant is found by its name and gets a new key', async () => {
  const first = await ensureTenant(crashingSecrets(9))

  const secrets = crashingSecrets(9)
  await expectOneTenant(secrets)
  expect(secrets.get().tenant_id).toBe(first.id)
  expect(secrets.get().api_key).not.toBe(first.apiKey)
})

test('with the secrets of another database it creates one new tenant', async () => {
  const secrets = crashingSecrets(9, {
    tenant_id: 'ten_01KAGZ8M88000000000000000A',
    api_key: 'qpu_test_0000000000000000000000000000000000000000',
  })

  await expectOneTenant(secrets)
})
