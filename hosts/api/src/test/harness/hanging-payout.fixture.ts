import { bob } from '@quipu/core'
import type { TestApi } from './api.fixture.ts'
import type { Json } from './http-client.fixture.ts'
import type { TestTenant } from './tenant.fixture.ts'

/** A payout of BOB 100.00 in `processing`: the network paid BOB 99.00, and its answer was lost. */
export async function wronglyPaid(api: TestApi, tenant: TestTenant): Promise<Json> {
  api.hooks.paying = () => bob(99_00n)
  return hangingPayout(api, tenant, 'answering')
}

/** A payout in `processing`: its order, or the answer to it, was lost. */
export async function hangingPayout(
  api: TestApi,
  tenant: TestTenant,
  lost: 'sending' | 'answering',
): Promise<Json> {
  api.hooks[lost] = async ({ type }) => (type === 'pay' ? 'lost' : 'arrives')
  const { json } = await tenant.post('/v1/payouts', await tenant.order())
  if (json.status !== 'processing') throw new Error(`the payout is ${json.status}`)
  return json
}
