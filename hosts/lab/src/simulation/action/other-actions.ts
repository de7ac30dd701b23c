import { accountOf } from '@quipu/contracts/simulation'
import { usdt } from '@quipu/core'
import { adjustWallet, resolveReview, settleByEvidence } from './propose.ts'
import { sweep } from './sweep.ts'
import { answered, type Fleet } from '../process/fleet.ts'
import { type ActionKind, anyPaymentKind, type Details } from '../scenario/scenario.ts'
import { ana } from '../world/operators.ts'
import { newKey } from '../world/tenants.ts'
import { allPayouts, type World } from '../world/world.ts'

type Act = (world: World, fleet: Fleet, details: Details) => Promise<unknown>

/** The work of each kind of action, but for payments. A client repeats its request until it is answered. */
export const otherActions: Readonly<Record<Exclude<ActionKind, 'pay'>, Act>> = {
  deposit: async ({ chain, tenants }, _, details) => {
    const kind = anyPaymentKind(details)
    chain.send({ tenant: details.nat(tenants.length - 1), kind, at: 0 })
  },
  read_wallet: (world, fleet, details) => {
    const { id } = details.pick(world.tenants)
    return answered(world, fleet, async ({ useCases }) => {
      await useCases.funding.ensureTopUpAddress?.(id)
      return useCases.funding.reconcile(id)
    })
  },
  request_faucet: (world, fleet, details) => {
    const tenant = details.pick(world.tenants)
    const account = accountOf(`wallet ${details.nat(2)}`)
    const [key, amount] = [`key ${details.nat(2)}`, usdt(1_000_000n)]
    const request = { key, fingerprint: account, account, address: account, amount }
    return answered(world, fleet, async ({ useCases }) => useCases.funding.faucet?.request(tenant.id, request))
  },
  register_endpoint: (world, fleet, details) => {
    const { id } = details.pick(world.tenants)
    const url = `https://receiver-${details.nat(5)}.example/hook`
    return answered(world, fleet, async ({ useCases }) =>
      useCases.webhooks?.create(id, { url, events: null, description: null }),
    )
  },
  rotate_secret: onEndpoint(({ useCases }, tenantId, id) => useCases.webhooks?.rotateSecret(tenantId, id, 60)),
  reactivate_endpoint: onEndpoint(({ useCases }, tenantId, id) => useCases.webhooks?.reactivate(tenantId, id)),
  send_test_event: onEndpoint(({ useCases }, tenantId, id) => useCases.webhooks?.test(tenantId, id)),
  rotate_key: async (world, fleet, details) => {
    const tenant = details.pick(world.tenants)
    const old = tenant.key
    const made = await answered(world, fleet, ({ useCases }) => newKey(useCases.tenancy.manageApiKeys, tenant.id))
    if (made === undefined) return
    tenant.key = made
    await answered(world, fleet, ({ useCases }) => useCases.tenancy.manageApiKeys.revoke(ana, old.id))
  },
  suspend_tenant: async (world, fleet, details) => {
    const { id } = details.pick(world.tenants)
    const note = { reason: 'a drill', evidence: null }
    await answered(world, fleet, (api) =>
      api.useCases.tenancy.manageTenants.suspend(ana, id, { cause: 'other', ...note }),
    )
    await world.loop.wait(1_000 + details.nat(20_000))
    await answered(world, fleet, (api) => api.useCases.tenancy.manageTenants.resume(ana, id, note))
  },
  adjust_wallet: adjustWallet,
  resolve_review: resolveReview,
  settle_payout: settleByEvidence,
  sweep,
  query_network: async (world, fleet, details) => {
    const open = (await allPayouts(world)).filter(({ status }) => status === 'processing')
    if (open.length === 0) return
    const { id } = details.pick(open)
    const isCancel = details.chance(0.5)
    await answered(world, fleet, ({ useCases }) => {
      const { query, cancel } = useCases.paying.operatePayouts
      return (isCancel ? cancel : query)(ana, id)
    })
  },
  request_reconciliation: (world, fleet, details) => {
    const check = details.pick(['network', 'chain'] as const)
    const to = new Date(world.loop.now().getTime() - 61_000)
    const period = { from: new Date(to.getTime() - 60_000), to }
    return answered(world, fleet, ({ useCases }) =>
      useCases.funding.requestReconciliation(ana, check === 'network' ? { check, ...period } : { check }),
    )
  },
  pause_quoting: async (world, fleet, details) => {
    const { loop } = world
    await answered(world, fleet, (api) => api.useCases.paying.manageQuoting.pause(ana, 'simulated'))
    await loop.wait(500 + details.nat(5_000))
    await answered(world, fleet, (api) => api.useCases.paying.manageQuoting.resume(ana))
  },
}

type OnEndpoint = (
  api: Parameters<Parameters<typeof answered>[2]>[0],
  tenantId: string,
  id: string,
) => Promise<unknown> | undefined

/** Picks one of a tenant's endpoints. */
function onEndpoint(act: OnEndpoint): Act {
  return async (world, fleet, details) => {
    const tenant = details.pick(world.tenants)
    const { items } = await world.database.stores.webhooks.list(tenant.id, { limit: 100 })
    if (items.length === 0) return
    const { id } = details.pick(items)
    await answered(world, fleet, async (api) => act(api, tenant.id, id))
  }
}
