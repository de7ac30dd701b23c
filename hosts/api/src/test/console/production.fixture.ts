import { type TestApi, testApi } from '../harness/api.fixture.ts'
import { depositMaker } from '../harness/deposits.fixture.ts'

/** Records of the pages that need production, or a chain with sweeps. */
export type ProductionSeed = {
  readonly tenant: string
  /** A planned batch of one transfer. */
  readonly batch: string
}

export type Production = {
  readonly api: TestApi
  readonly seed: ProductionSeed
  /** A new tenant's top-up address with USDT 25. @returns its account */
  fundAddress(): Promise<string>
}

/** An API of production over memory: keys need a second admin, and deposits can be swept. */
export async function startProduction(): Promise<Production> {
  const api = await testApi({ ENVIRONMENT: 'production' })
  const deposit = depositMaker(api.stores, api.clock.now)
  const fundAddress = async (): Promise<string> => {
    const tenant = await api.tenant({ funds: 0n })
    await tenant.get('/v1/wallets')
    await deposit({ tenantId: tenant.id, value: 25_000_000n })
    const [topUp] = await api.stores.addresses.list(tenant.id)
    if (!topUp) throw new Error('the tenant has no top-up address')
    api.sweepChain.give(topUp.account, 25_000_000n)
    return topUp.account
  }
  const { id: tenant } = await api.tenant({ funds: 0n })
  await fundAddress()
  return { api, seed: { tenant, batch: await planBatch(api) }, fundAddress }
}

async function planBatch(api: TestApi): Promise<string> {
  const path = '/operator/v1/sweep/batches'
  const reply = await api.operator('POST', path, { threshold: '10.00' })
  return (reply.json as { batch: { id: string } }).batch.id
}
