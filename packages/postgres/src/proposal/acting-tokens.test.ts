import { operatorToken, someInstant, tokenHashOf } from '@quipu/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bootstrapOperatorToken } from '../operator-token/bootstrap-operator-token.ts'
import { openOtherSession, untilWaiting } from '../test/other-session.fixture.ts'
import { type StoreHarness, openStoreHarness } from '../test/stores.fixture.ts'

/** Whose token acts, and until when. */
let harness: StoreHarness
beforeAll(async () => {
  harness = await openStoreHarness()
})
afterAll(() => harness.close())

const open = `select quipu.open_proposal($1, $2, 'adjust_wallet', $1, '{}', 'r', null, null, $3, now(),
  now() + interval '1 hour', false, $4) as result`
const approve = 'select quipu.approve_proposal($1, $2, $3, $4, now()) as result'

/** An open proposal of `ana`. */
const opened = async () => {
  const { id: tenantId } = await harness.newTenant()
  const id = harness.ids.next('prp', someInstant)
  const values = [tenantId, id, 'ana', tokenHashOf('ana')]
  expect(await harness.sql(open, values)).toEqual([{ result: 'committed' }])
  return { tenantId, id }
}
const statusOf = async (id: string) => (await harness.stores.proposals.find(id))?.status

test('a token whose proposal nobody has approved cannot act', async () => {
  const hash = tokenHashOf('carla')
  const propose = `select quipu.propose_operator_token('opt_new', 'carla', 'laptop', 'admin', $1,
    now() + interval '1 day', 'prp_new', 'r', null, null, 'ada', $2, now(), now() + interval '1 hour') as result`
  expect(await harness.sql(propose, [hash, tokenHashOf('ada')])).toEqual([{ result: 'committed' }])

  const { tenantId, id } = await opened()
  const unauthorized = [{ result: 'unauthorized' }]
  expect(await harness.sql(approve, [tenantId, id, 'carla', hash])).toEqual(unauthorized)
  expect(await harness.sql(approve, [null, 'prp_new', 'carla', hash])).toEqual(unauthorized)
  expect(await harness.sql(open, [tenantId, 'prp_own', 'carla', hash])).toEqual(unauthorized)
  expect([await statusOf(id), await statusOf('prp_new')]).toEqual(['open', 'open'])
  expect(await statusOf('prp_own')).toBeUndefined()
})

test('nobody opens or approves in the name of another person', async () => {
  const { tenantId, id } = await opened()
  const asAda: readonly (string | null)[] = [tenantId, id, 'ada', tokenHashOf('ben')]
  await expect(harness.sql(approve, [...asAda])).rejects.toThrow(/is of ben, not of ada/)
  await expect(harness.sql(open, [...asAda])).rejects.toThrow(/is of ben, not of ada/)
  await expect(harness.sql(approve, asAda.with(2, null))).rejects.toThrow(
    /is of ben, not of nobody/,
  )
  expect(await statusOf(id)).toBe('open')
})

test('a revocation waits for an approval that its token is making', async () => {
  const made = operatorToken('zoe', 'admin')
  await bootstrapOperatorToken(harness.stores.url, made)
  const { tenantId, id } = await opened()
  await using holder = await openOtherSession(harness.stores.url)
  await using approver = await openOtherSession(harness.stores.url)
  await using admin = await openOtherSession(harness.stores.url)
  await holder.sql('begin')
  await holder.sql('select from quipu.proposal where id = $1 for update', [id])
  const approving = approver.sql(approve, [tenantId, id, 'zoe', made.hash])
  await untilWaiting(harness.sql, 1, approving)
  const revoke = 'select quipu.revoke_operator_token($1, $2, now()) as revoked'
  const revoking = admin.sql(revoke, [made.token.id, tokenHashOf('ada')])
  await untilWaiting(harness.sql, 2, approving, revoking)
  await holder.sql('rollback')
  expect(await approving).toEqual([{ result: 'committed' }])
  expect(await revoking).toEqual([{ revoked: true }])
  expect(await statusOf(id)).toBe('approved')
})
