import { newKey, someInstant, credentialOf, presentedBy } from '@quipu/contracts'
import { type ApiKey, usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

/** The values that an approved proposal sets, and which keys and proposals one person issues. */
const harness = useStoreHarness()

const open = `select quipu.open_proposal($1, $2, $3, $1, $4, 'r', null, null, now(),
  now() + interval '1 hour', false, $5) as result`
const approve = `select quipu.approve_proposal($1, $2, $3, now()) as result`

test('approved limits are set or lifted, and the others stay', async () => {
  const dailyLimits = { amount: usdt(100n), count: 10 }
  const { id: tenantId, pricing } = await harness.newTenant({ dailyLimits })
  const approved = async (details: object) => {
    const id = harness.ids.next('prp', someInstant)
    const values = [tenantId, id, 'change_limits', details, presentedBy('ada')]
    expect(await harness.sql(open, values)).toEqual([{ result: 'committed' }])
    const approval = [tenantId, id, presentedBy('ben')]
    expect(await harness.sql(approve, approval)).toEqual([{ result: 'committed' }])
    const { dailyLimits: limits, pricing: terms } =
      (await harness.stores.tenants.find(tenantId)) ?? expect.fail('the tenant is missing')
    return [limits.amount?.minor ?? null, limits.count, terms.paymentCap.minor]
  }
  const cap = pricing.paymentCap.minor
  expect(await approved({ daily_limit_usdt_minor: '700' })).toEqual([700n, 10, cap])
  expect(await approved({ daily_limit_count: '20' })).toEqual([700n, 20, cap])
  expect(await approved({ payment_cap_bob_minor: '9000001' })).toEqual([700n, 20, 9_000_001n])
  expect(await approved({ daily_limit_usdt_minor: 'none' })).toEqual([null, 20, 9_000_001n])
  expect(await approved({ daily_limit_count: 'none' })).toEqual([null, null, 9_000_001n])
})

test('only an admin proposes limits', async () => {
  const { id } = await harness.newTenant()
  const values = [id, `prp_${id}`, 'change_limits', { daily_limit_count: '20' }, presentedBy('ana')]
  expect(await harness.sql(open, values)).toEqual([{ result: 'unauthorized' }])
  expect(await harness.stores.proposals.find(`prp_${id}`)).toBeUndefined()
})

test('an operator issues a live key that only reads; one that pays takes a proposal', async () => {
  const { id } = await harness.newTenant()
  const { apiKeys } = harness.stores
  const live = (scopes: ApiKey['scopes']): ApiKey => ({ ...newKey(harness, id), prefix: 'qpu_live_', scopes })
  expect(await apiKeys.issue(live(['payouts:read']), credentialOf('ana'))).toBe('committed')
  const paying = live(['payouts:read', 'payouts:write'])
  await expect(apiKeys.issue(paying, credentialOf('ada'))).rejects.toThrow(/needs a proposal/)
  expect(await apiKeys.find(paying.id)).toBeUndefined()
})

test('tokens and keys are proposed by their own functions only', async () => {
  const { id } = await harness.newTenant()
  for (const action of ['issue_operator_token', 'issue_api_key']) {
    const values = [id, `prp_${action}`, action, {}, presentedBy('ada')]
    await expect(harness.sql(open, values)).rejects.toThrow(`open_proposal cannot ${action}`)
    expect(await harness.stores.proposals.find(`prp_${action}`)).toBeUndefined()
  }
})
