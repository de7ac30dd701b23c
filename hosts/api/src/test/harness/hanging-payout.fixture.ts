import { bob } from '@quipu/core'
import type { TestApi } from './api.fixture.ts'
import type { TestTenant } from './tenant.fixture.ts'

type HangingPayout = { readonly id: string; readonly status: string }

/** A payout of BOB 100.00 in `processing`: the network paid BOB 99.00, and its answer was lost. */
export async function wronglyPaid(api: TestApi, tenant: TestTenant): Promise<HangingPayout> {
  api.hooks.paying = () => bob(99_00n)
  return hangingPayout(api, tenant, 'answering')
}

/** A payout in `processing`: its order, or the answer to it, was lost. */
export async function hangingPayout(
  api: TestApi,
  tenant: TestTenant,
  lost: 'sending' | 'answering',
): Promise<HangingPayout> {
  api.hooks[lost] = async ({ type }) => (type === 'pay' ? 'lost' : 'arrives')
  const reply = await tenant.post('/v1/payouts', await tenant.order())
  const payout = reply.json as HangingPayout
  if (payout.status !== 'processing') throw new Error(`the payout is ${payout.status}`)
  return payout
}

/** The body that settles a payout of `wronglyPaid`. */
export const settlement = {
  outcome: 'completed',
  paid_amount: '99.00',
  network_payment_id: 'np-1',
  reason: 'The network confirmed BOB 99.00.',
  evidence: { note: 'Letter of the network.', digest: 'c'.repeat(64) },
} as const
