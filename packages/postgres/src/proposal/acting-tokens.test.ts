import { operatorToken, someInstant, tokenHashOf, presentedBy } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { bootstrapOperatorToken } from '../operator-token/bootstrap-operator-token.ts'
import { openOtherSession, untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'

/** Whose token acts, and until when. */
const harness = useStoreHarness()

const open = `select quipu.open_proposal($1, $2, 'adjust_wallet', $1, '{}', 'r', null, null, now(),
  now() + interval '1 hour', false, $3) as result`
const approve = 'select quipu.approve_proposal($1, $2, $3, now()) as result'

/** An open proposal of `ana`. */
const opened = async () => {
  const { id: tenantId } = await harness.newTenant()
  const id = harness.ids.next('prp', someInstant)
  const values = [tenantId, id, presentedBy('ana')]
  expect(await harness.sql(open, values)).toEqual([{ result: 'committed' }])
  return { tenantId, id }
}
const statusOf = async (id: string) => (await harness.stores.proposals.find(id))?.status

test('a token whose proposal nobody has approved cannot act', async () => {
  const hash = tokenHashOf('carla')
  const propose = `select quipu.propose_operator_token('opt_new', 'carla', 'laptop', 'admin', $1,
    now() + interval '1 day', 'prp_new', 'r', null, null, $2, now(), now() + interval '1 hour') as result`
  expect(await harness.sql(propose, [hash, presentedBy('ada')])).toEqual([{ result: 'committed' }])

  const { tenantId, id } = await opened()
  const unauthorized = [{ result: 'unauthorized' }]
  expect(await harness.sql(approve, [tenantId, id, presentedBy('carla')])).toEqual(unauthorized)
  expect(await harness.sql(approve, [null, 'prp_new', presentedBy('carla')])).toEqual(unauthorized)
  expect(await harness.sql(open, [tenantId, 'prp_own', presentedBy('carla')])).toEqual(unauthorized)
  expect([await statusOf(id), await statusOf('prp_new')]).toEqual(['open', 'open'])
  expect(await statusOf('prp_own')).toBeUndefined()
})

test('a session is one of the token, or nothing is written', async () => {
  const { tenantId, id } = await opened()
  const by = JSON.stringify({ token_hash: tokenHashOf('ben'), session: '5e'.repeat(8) })
  await expect(harness.sql(approve, [tenantId, id, by])).rejects.toThrow(/not one of the operator/)
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
  const approving = approver.sql(approve, [tenantId, id, JSON.stringify({ token_hash: made.hash })])
  await untilWaiting(harness.sql, 1, approving)
  const revoke = 'select quipu.revoke_operator_token($1, $2, now()) as result'
  const revoking = admin.sql(revoke, [made.token.id, presentedBy('ada')])
  await untilWaiting(harness.sql, 2, approving, revoking)
  await holder.sql('rollback')
  expect(await approving).toEqual([{ result: 'committed' }])
  expect(await revoking).toEqual([{ result: 'committed' }])
  // The approval came first, and its token was revoked before the execution.
  expect(await statusOf(id)).toBe('failed')
})
