import type { PostgresApi } from '../harness/postgres-api.fixture.ts'
import type { TestTenant } from '../harness/tenant.fixture.ts'
import type { ProductionSeed } from './production.fixture.ts'
import { type ControlSeed, script, seedControl } from './seed-control.fixture.ts'

/** As wide as a tenant’s name becomes. */
export const longName = 'Importadora y Distribuidora de Alimentos Santa Cruz de la Sierra S.R.L.'

/** The records that the pages show. */
export type Seed = {
  readonly tenant: TestTenant
  /** Completed. */
  readonly paid: string
  /** In `processing`: the request to the network was lost. */
  readonly hanging: string
  /** Payouts that tests of actions end. */
  readonly acts: PayoutActs
  /** The name of its merchant is a script. */
  readonly scripted: string
  readonly control: ControlSeed
  readonly production: ProductionSeed
}

/** Payouts in `processing`. */
export type PayoutActs = {
  /** The request to the network was lost. */
  readonly cancellable: string
  /** The network reports another amount than it should have paid. */
  readonly disputed: string
}

export async function seedConsole(api: PostgresApi): Promise<Omit<Seed, 'production'>> {
  const tenant = await api.tenant()
  await api.operator('PATCH', `/operator/v1/tenants/${tenant.id}`, { legal_name: longName })
  const payout = async (over: object = {}, qr: object = {}): Promise<string> => {
    const reply = await tenant.post('/v1/payouts', await tenant.order(over, qr))
    const { id } = reply.json as { id?: string }
    if (id === undefined) throw new Error(`a payout got ${JSON.stringify(reply.json)}`)
    return id
  }
  const lost = async (): Promise<string> => {
    await api.simulator.setFaults({ drop_before_paying: 1 })
    return payout()
  }
  const disputed = async (): Promise<string> => {
    await api.simulator.setFaults({ wrong_amount: 1 })
    return payout()
  }
  const paid = await payout({}, { merchant_name: 'Panadería La Paz' })
  const scripted = await payout({}, { merchant_name: script })
  return {
    tenant,
    paid,
    scripted,
    control: await seedControl(api, tenant),
    hanging: await lost(),
    acts: { cancellable: await lost(), disputed: await disputed() },
  }
}
