import { eventsAbout } from '@quipu/contracts'
import { expect } from 'vitest'
import type { TestApi } from './api.fixture.ts'
import type { TestTenant } from './tenant.fixture.ts'

/** The price of BOB 100.00, and a wallet of 1,000 USDT before and after paying it. */
export const price = '10.203353'
export const balanceBefore = '1000.000000'
export const balanceAfter = '989.796647'

type PayoutJson = { readonly completed_at: string | null }

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

type Balance = { readonly available: string; readonly held: string }

export async function walletOf(tenant: TestTenant): Promise<Balance> {
  const { available, held } = (await tenant.get('/v1/wallets')).json as Balance
  return { available, held }
}

export const quoteStatus = async (tenant: TestTenant, id: string): Promise<string> =>
  ((await tenant.get(`/v1/quotes/${id}`)).json as { readonly status: string }).status

export async function eventTypes({ stores }: TestApi, tenant: TestTenant, payoutId: string): Promise<string[]> {
  const events = await eventsAbout(stores, tenant.id, payoutId)
  return events.map(({ type }) => type)
}

/** Expects one event that carries the payout exactly as `GET /payouts/{id}` returns it. */
export async function expectEvent(
  { stores }: TestApi,
  tenant: TestTenant,
  payout: { readonly id: string },
  type: string,
): Promise<void> {
  const [event, ...more] = await eventsAbout(stores, tenant.id, payout.id)
  expect(more).toEqual([])
  const envelope: unknown = JSON.parse(new TextDecoder().decode(event?.body))
  const data = (await tenant.get(`/v1/payouts/${payout.id}`)).json as PayoutJson
  expect(envelope).toEqual({
    id: event?.id,
    type,
    event_version: 1,
    occurred_at: data.completed_at ?? (expect.stringMatching(instant) as string),
    recorded_at: expect.stringMatching(instant) as string,
    data,
  })
}
