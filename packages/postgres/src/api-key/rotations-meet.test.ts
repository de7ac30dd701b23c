import { newKey, someInstant, credentialOf, presentedBy } from '@quipu/contracts'
import type { ApiKey } from '@quipu/core'
import { expect, test } from 'vitest'
import { openOtherSession, untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()

test('of two rotations of a key at once the earlier end counts', async () => {
  const { apiKeys, audit } = harness.stores
  const { id: tenantId } = await harness.newTenant()
  const old = newKey(harness, tenantId)
  expect(await apiKeys.issue(old, credentialOf('ada'))).toBe('committed')
  const replacing = (overlapSeconds: number): ApiKey => ({
    ...newKey(harness, tenantId),
    replaces: { keyId: old.id, overlapSeconds },
  })
  const [soon, late] = [replacing(3_600), replacing(86_400)]

  await using other = await openOtherSession(harness.stores.url)
  await other.sql('begin')
  const issue = `select quipu.issue_api_key(to_jsonb(k) || jsonb_build_object('id', $2::text, 'hash', $3::text, 'replaces', k.id,
      'overlap_seconds', 3600), $4, $5) as result
    from quipu.api_key k where k.id = $1`
  const values = [old.id, soon.id, soon.hash, presentedBy('ada'), someInstant]
  expect(await other.sql(issue, values)).toEqual([{ result: 'committed' }])
  const issuing = apiKeys.issue(late, credentialOf('ada'))
  await untilWaiting(harness.sql, 1, issuing)
  await other.sql('commit')
  expect(await issuing).toBe('committed')

  const end = new Date(someInstant.getTime() + 3_600_000)
  expect((await apiKeys.find(old.id))?.expiresAt).toEqual(end)
  const [entry] = await audit.list({ subject: old.id, limit: 1 })
  expect(entry).toMatchObject({
    action: 'api_key.rotate',
    before: { expires_at: end.toISOString() },
    after: { expires_at: end.toISOString(), replaced_by: late.id },
  })
})
