import { type EventLoop, mulberry32 } from '@quipu/contracts/simulation'
import { ensureTopUpAddress, idSource, type Stores, type TopUpAddress, type Usdt, usdt } from '@quipu/core'
import {
  defaultProposalSettings,
  type ManageApiKeys,
  manageApiKeys,
  manageProposals,
  type ManageProposalsPorts,
  manageTenants,
} from '@quipu/core/operator'
import { tronAddresses } from '@quipu/tron'
import { encodeEvent } from '@quipu/wire'
import { ana, ben } from './operators.ts'
import { settingsOf, xpub } from './settings.ts'

/** A tenant as its client knows it. */
export type TenantOfWorld = {
  readonly id: string
  readonly topUp: TopUpAddress
  /** The API key that its client uses. */
  key: { readonly id: string; readonly text: string }
}

const tenantCount = 3

/** The tenants, each with a key and a top-up address, before any fault. */
export async function newTenants(stores: Stores, seed: number, loop: EventLoop): Promise<readonly TenantOfWorld[]> {
  const next = mulberry32(seed ^ 0x7e4a)
  const random = (size: number): Uint8Array => Uint8Array.from({ length: size }, () => next() * 256)
  const ports = { ...stores, ids: idSource(random), random, now: loop.now }
  const { ADDRESS_MAC_KEY: addressMacKeys } = settingsOf(0).worker
  if (addressMacKeys === undefined) throw new Error('the key is set')
  const raiseAlert = (): void => undefined
  const topUpPorts = { ...ports, addressSource: tronAddresses(xpub), addressMacKeys, raiseAlert }
  const made: TenantOfWorld[] = []
  for (let n = 1; n <= tenantCount; n++) {
    const technicalContact = { name: 'Rosa Quispe', email: 'rosa@pagos.example' }
    const input = { legalName: `Tenant ${n}`, technicalContact }
    const { id } = await manageTenants(ports).create(ana, input)
    const topUp = await ensureTopUpAddress(topUpPorts, 'tron')(id)
    await fund(ports, id, usdt(BigInt(1_000_000 + Math.floor(next() * 12_000_000))))
    made.push({ id, topUp, key: await newKey(manageApiKeys(ports, 'test'), id) })
  }
  return made
}

/** The reason of the proposals that fund the tenants. */
export const initialFunds = 'funds of the simulation'

/** A credit that two operators have agreed on. */
async function fund(ports: Omit<ManageProposalsPorts, 'encodeEvent'>, tenantId: string, amount: Usdt): Promise<void> {
  const { adjustWallet, approve } = manageProposals({ ...ports, encodeEvent }, defaultProposalSettings)
  const note = { reason: initialFunds, evidence: null }
  const proposed = await adjustWallet(ana, tenantId, { direction: 'in', amount }, note)
  if (proposed.type === 'proposal') await approve(ben, proposed.proposal.id)
}

/** @throws Error when no key was issued */
export async function newKey(keys: Pick<ManageApiKeys, 'issue'>, tenantId: string): Promise<TenantOfWorld['key']> {
  const input = { name: 'till', scopes: ['payouts:write', 'payouts:read'], expiresAt: null } as const
  const issued = await keys.issue(ana, tenantId, input)
  if (issued.type === 'refused') throw new Error(`no key: ${issued.code}`)
  return { id: issued.record.id, text: issued.key }
}
