import { credentialOf, newKey, someInstant } from '@quipu/contracts'
import type { ApiKey } from '@quipu/core'
import { sha256 } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { openTransaction, untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

async function managingKey(tenantId: string): Promise<ApiKey> {
  const key: ApiKey = { ...newKey(harness, tenantId), scopes: ['keys:write'] }
  expect(await harness.stores.apiKeys.issue(key, credentialOf('ada'))).toBe('committed')
  return key
}

const by = ({ hash }: ApiKey) => ({ hash, address: null, at: someInstant })
const rotated = (old: ApiKey) => {
  const id = harness.ids.next('key', someInstant)
  return { id, hash: sha256(id), lastFour: 'beef', replaces: { keyId: old.id, overlapSeconds: 0 } }
}
const rotation = 'select quipu.rotate_own_api_key($1, $2, $3) as result'
const revocation = 'select quipu.revoke_own_api_key($1, $2, $3) as result'

test('a key that rotates itself away revokes nothing that waits for it', async () => {
  const { apiKeys, url } = harness.stores
  const { id: tenantId } = await harness.newTenant()
  const [key, other] = [await managingKey(tenantId), await managingKey(tenantId)]
  const { id, hash, lastFour, replaces } = rotated(key)
  const first = await openTransaction(url)
  const next = { id, hash, last_four: lastFour, replaces: replaces.keyId, overlap_seconds: 0 }
  expect(await first.sql(rotation, [{ key_hash: key.hash }, next, someInstant])).toEqual([{ result: 'committed' }])
  const revoking = apiKeys.revokeOwn(other.id, by(key))
  await untilWaiting(harness.sql, 1, revoking)
  await first.commit()
  expect(await revoking).toBe('unauthorized')
  expect((await apiKeys.find(other.id))?.revokedAt).toBeNull()
})

test('a rotation waits for the revocation of the key that it replaces, and is refused', async () => {
  const { apiKeys, url } = harness.stores
  const { id: tenantId } = await harness.newTenant()
  const [key, other] = [await managingKey(tenantId), await managingKey(tenantId)]
  const first = await openTransaction(url)
  const revoked = await first.sql(revocation, [{ key_hash: other.hash }, key.id, someInstant])
  expect(revoked).toEqual([{ result: 'committed' }])
  const next = rotated(key)
  const rotating = apiKeys.rotateOwn(next, by(other))
  await untilWaiting(harness.sql, 1, rotating)
  await first.commit()
  expect(await rotating).toBe('stale')
  expect(await apiKeys.find(next.id)).toBeUndefined()
})

test('a process gives a rotated key no right that the replaced one lacks', async () => {
  const { apiKeys } = harness.stores
  const { id: tenantId } = await harness.newTenant()
  const key = await managingKey(tenantId)
  const { id, hash, lastFour, replaces } = rotated(key)
  const next = { id, hash, last_four: lastFour, replaces: replaces.keyId, overlap_seconds: 0 }
  const forged = { name: 'forged', allowed_addresses: ['0.0.0.0/0'], expires_at: '2099-01-01T00:00:00Z' }
  await harness.sql(rotation, [{ key_hash: key.hash }, { ...next, ...forged }, someInstant])
  const { name, allowedAddresses, expiresAt } = key
  expect(await apiKeys.find(id)).toMatchObject({ name, allowedAddresses, expiresAt })
})
