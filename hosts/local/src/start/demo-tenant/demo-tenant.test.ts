import { jsonLog, readSettings } from '@quipu/runtime'
import { ApiSettings, startApi } from '@quipu/api'
import { scopes, sha256 } from '@quipu/core'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import { migrate, postgresStores, type PostgresStores } from '@quipu/postgres'
import { beforeEach, expect, test } from 'vitest'
import { demoTenant } from './demo-tenant.ts'
import type { KeptSecrets, Secrets } from '../data-folder/secrets.ts'

const operatorToken = 'the-token-of-the-operator'
const crash = new Error('killed')
let stores: PostgresStores
let operatorUrl: string
let stop: () => Promise<void>

beforeEach(async () => {
  const { url, drop } = await testDatabase({ templateName: 'quipu_local', migrate })
  stores = postgresStores({ url })
  const settings = readSettings(ApiSettings, {
    DATABASE_URL: url,
    PORT: '0',
    OPERATOR_PORT: '0',
    OPERATOR_TOKENS: `test:admin:${sha256(operatorToken)}`,
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

/** Secrets in memory. @param keeps  how often something can be kept before the process is killed */
function secretsThatLast(keeps: number, given: Partial<Secrets> = {}) {
  let left = keeps
  let kept: Secrets = {
    operator_token: operatorToken,
    ...{ network_token: '', callback_secret: '', tron_seed: '', address_seal_key: '' },
    ...{ faucet_private_key: '', wallet_private_key: '', webhook_secret_key: '' },
    database_password: '',
    ...given,
  }
  const secrets: KeptSecrets = {
    get: () => kept,
    keep: (change) => {
      if (left-- === 0) return Promise.reject(crash)
      kept = { ...kept, ...change }
      return Promise.resolve()
    },
  }
  return secrets
}

const make = (secrets: KeptSecrets) => demoTenant({ operatorUrl, secrets })

/** One tenant, and one key that works: the one that was kept. */
async function expectOneOfAll(secrets: KeptSecrets): Promise<void> {
  const { id, apiKey } = await make(secrets)
  const { items: tenants } = await stores.tenants.list({ limit: 100 })
  const { items: keys } = await stores.apiKeys.list(id, { limit: 100 })
  const live = keys.filter((key) => key.revokedAt === null)
  expect(tenants).toMatchObject([{ id, pricing: { marginBps: 150 } }])
  expect(live).toMatchObject([{ hash: sha256(apiKey), scopes: [...scopes] }])
  expect(secrets.get()).toMatchObject({ tenant_id: id, api_key: apiKey })
}

test.each([
  ['the tenant was created but not kept', 0],
  ['a key was issued but not kept', 1],
])('killed when %s: it is found again', async (_, keeps) => {
  const secrets = secretsThatLast(keeps)
  await expect(make(secrets)).rejects.toBe(crash)

  await expectOneOfAll(secretsThatLast(9, secrets.get()))
})

test('made twice, it is the same tenant with the same key', async () => {
  const secrets = secretsThatLast(9)
  const first = await make(secrets)

  await expectOneOfAll(secrets)
  expect(await make(secrets)).toEqual(first)
})

test('secrets that were lost: the tenant is found by its name and given another key', async () => {
  const first = await make(secretsThatLast(9))

  const secrets = secretsThatLast(9)
  await expectOneOfAll(secrets)
  expect(secrets.get().tenant_id).toBe(first.id)
  expect(secrets.get().api_key).not.toBe(first.apiKey)
})

test('secrets of a database that is gone: a new tenant, once', async () => {
  const secrets = secretsThatLast(9, {
    tenant_id: 'ten_01KAGZ8M88000000000000000A',
    api_key: 'qpu_test_0000000000000000000000000000000000000000',
  })

  await expectOneOfAll(secrets)
})
