import { eventsAbout } from '@quipu/contracts'
import type { TestApi } from './api.fixture.ts'
import type { TestTenant } from './tenant.fixture.ts'

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
