import { usdt } from '@quipu/core'
import type { TronDevnet } from '@quipu/simulators'
import { tronAddressFormat } from '@quipu/tron'
import type { ExpectStatic } from 'vitest'
import { chainEnvironment, solidLag, startChain } from './chain.fixture.ts'
import { databaseProbe, type DatabaseProbe } from './database-probe.fixture.ts'
import { type RoleDatabase, roleDatabase } from './database-role.fixture.ts'
import { until } from './process.fixture.ts'
import { type ApiUrls, type Programs, programsOf } from './programs.fixture.ts'
import { onboardTenant, type Tenant, tenantAt } from './tenant.fixture.ts'

/** A database and a chain with blocks on command, and the processes that a test starts and kills on them. */
export type DepositHarness = AsyncDisposable &
  Programs<Tenant> & {
    readonly database: DatabaseProbe
    readonly chain: TronDevnet
    /** An account with tokens and TRX. */
    readonly sender: string
    /** Mines until every transfer sent so far is solid. */
    solidify(): void
    /** Waits until the tenant’s deposits have exactly these statuses. @returns the deposits, ordered by status */
    untilDeposits(tenant: Tenant, ...statuses: readonly string[]): Promise<readonly DepositJson[]>
  }

export type DepositJson = {
  readonly id: string
  readonly status: string
  readonly amount: string
  readonly tx_hash: string
  readonly review_code: string | null
}

const sender = tronAddressFormat.format('5e'.repeat(20))

/** @param role  the database to use; a new one by default */
export async function openDepositHarness(role?: RoleDatabase): Promise<DepositHarness> {
  const resources = new AsyncDisposableStack()
  const own = <T extends { stop(): Promise<void> }>(thing: T): T => resources.adopt(thing, () => thing.stop())
  const { url, roleUrl } = role ?? resources.use(await roleDatabase())
  const chain = own(await startChain())
  chain.setTokenBalance(sender, 10n ** 15n)
  chain.mine(solidLag + 1)
  const database = own(databaseProbe(url))
  const env = {
    DATABASE_URL: roleUrl,
    QR_NETWORK_URL: 'http://127.0.0.1:9',
    QR_NETWORK_IDENTITY: 'simulator',
    QR_NETWORK_TOKEN: 'none',
    ...(await chainEnvironment(chain)),
  }
  let apiKey = ''
  const tenantOf = async (api: ApiUrls): Promise<Tenant> => {
    apiKey ||= await onboardTenant(api.operatorUrl)
    return tenantAt(api.url, apiKey)
  }
  return {
    ...programsOf(resources, env, tenantOf),
    database,
    chain,
    sender,
    solidify: () => void chain.mine(solidLag + 2),
    untilDeposits: (tenant, ...statuses) =>
      until(`deposits are ${statuses.join(', ')}`, async () => {
        const deposits = await depositsOf(tenant)
        // Deposits of one block have ids of one instant: their order is random.
        const found = deposits.toSorted((a, b) => (a.status < b.status ? -1 : 1))
        return found.map(({ status }) => status).join() === statuses.toSorted().join() ? found : undefined
      }),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

export async function depositsOf(tenant: Tenant): Promise<readonly DepositJson[]> {
  return ((await tenant.get('/v1/deposits')).json as { data: DepositJson[] }).data
}

export async function topUpAddressOf(tenant: Tenant): Promise<string> {
  const { json } = await tenant.get('/v1/wallets')
  const [topUp] = (json as { top_up_addresses: { address: string }[] }).top_up_addresses
  return topUp?.address ?? ''
}

/**
 * Expects that the balance equals the solid transfers to the address, that each deposit has exactly
 * its two events, and that the reconciliation is balanced.
 */
export async function expectCreditedOnce(
  expect: ExpectStatic,
  { chain, database }: DepositHarness,
  tenant: Tenant,
): Promise<void> {
  const to = await topUpAddressOf(tenant)
  const sent = chain.transfers('solid').filter((transfer) => transfer.to === to)
  const total = sent.reduce((sum, { value }) => sum + value, 0n)
  const credited = (await depositsOf(tenant)).filter(({ status }) => status === 'credited')
  expect(credited.map(({ tx_hash }) => tx_hash).toSorted()).toEqual(sent.map(({ txid }) => txid).toSorted())
  const { json } = await tenant.get('/v1/wallets/reconciliation')
  const decimal = `${usdt(total).minor / 1_000_000n}.${String(total % 1_000_000n).padStart(6, '0')}`
  expect(json).toMatchObject({ balanced: true, credited: decimal, available: decimal })
  const eventsOf = 'select type from quipu.funding_entry where subject_id = $1 order by type'
  for (const { id } of credited)
    expect(await database.query(eventsOf, [id])).toEqual([{ type: 'deposit.credited' }, { type: 'deposit.pending' }])
}
