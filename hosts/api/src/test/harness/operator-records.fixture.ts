import { randomBytes } from 'node:crypto'
import { addressDifference } from '@quipu/contracts'
import { idSource } from '@quipu/core'
import type { TestApi } from './api.fixture.ts'
import { depositMaker } from './deposits.fixture.ts'
import { hangingPayout, wronglyPaid } from './hanging-payout.fixture.ts'
import { sendRequest } from './http-client.fixture.ts'
import { viewedRecords } from './viewed-records.fixture.ts'

/** Makes for each operation of the operator API what it reads or changes, as Olivia. */
export async function operatorRecords(api: TestApi): Promise<void> {
  const makeDeposit = depositMaker(api.stores, api.clock.now)
  // An address without an open review is swept.
  const swept = await api.tenant()
  await swept.get('/v1/wallets')
  await makeDeposit({ tenantId: swept.id, value: 500_000_000n })
  const [topUp] = await api.stores.addresses.list(swept.id)
  api.sweepChain.give(topUp?.account ?? '', 500_000_000n)
  api.clock.step(1_000)
  const tenant = await api.tenant()
  await tenant.get('/v1/wallets')
  // One that is credited, and two in review.
  for (const value of [25_000_000n, 500_000n, 600_000n]) await makeDeposit({ tenantId: tenant.id, value })
  await viewedRecords(api, tenant)
  await api.deliver()
  const adjustments = `${api.operatorUrl}/operator/v1/tenants/${tenant.id}/adjustments`
  const body = { direction: 'in', amount: '5.00', reason: 'Fee charged twice.' }
  await api.operator('POST', new URL(adjustments).pathname, body)
  api.clock.step(1_000)
  await sendRequest(adjustments, 'POST', { token: 'operators', body }) // The newest.
  await hangingPayout(api, tenant, 'sending')
  delete api.hooks.sending
  // The newest payout in `processing` is one that only evidence settles: the network was queried.
  api.clock.step(1_000)
  const paid = await wronglyPaid(api, tenant)
  await api.operator('POST', `/operator/v1/payouts/${paid.id}/query`)
  const found = await addressDifference({ ids: idSource(randomBytes), ...api.stores }, tenant.id)
  await api.stores.differences.record([found], api.clock.now())
}
