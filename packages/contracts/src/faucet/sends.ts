import {
  type Account,
  type ClaimedSend,
  defaultFaucetLimits,
  type FaucetCommitted,
  type FaucetDraft,
  type FaucetJudge,
  type FaucetLimits,
  type FaucetSend,
  type FaucetStore,
  judgeFaucet,
  MAX_MINOR,
  type Usdt,
  usdt,
} from '@quipu/core'
import { accountOf, hashOf, testAddresses } from '../funding/addresses.ts'
import { someInstant } from '../given.ts'
import type { World } from '../harness.ts'

export type SendWish = Partial<Omit<FaucetDraft, 'transfer'>> & {
  readonly txHash?: string
  /** None refuses unless said otherwise. */
  readonly limits?: Partial<FaucetLimits>
  /** Instead of the limits. */
  readonly judge?: FaucetJudge
  readonly leaseSeconds?: number
}

/** Limits that refuse nothing. */
export const noLimits: FaucetLimits = {
  perRequest: usdt(MAX_MINOR),
  perTenant: usdt(MAX_MINOR),
  requestsPerTenant: 1_000_000,
  perAddress: usdt(MAX_MINOR),
  shared: usdt(MAX_MINOR),
  spacingSeconds: 0,
  windowSeconds: defaultFaucetLimits.windowSeconds,
}

/** 25 USDT to somebody, with a key and a transaction of its own. */
export function draftOf({ ids }: World, tenantId: string, wish: SendWish = {}): FaucetDraft {
  const id = wish.id ?? ids.uuid(someInstant)
  const account = wish.account ?? accountOf('a wallet')
  return {
    id,
    tenantId,
    key: wish.key ?? `key of ${id}`.replaceAll(' ', '-'),
    fingerprint: wish.fingerprint ?? 'v1:body',
    chain: 'tron',
    account,
    address: wish.address ?? testAddresses.format(account),
    amount: wish.amount ?? usdt(25_000_000n),
    transfer: {
      txHash: wish.txHash ?? hashOf(id),
      bytes: new TextEncoder().encode(`{"of" : "${id}",\n\t"note": "ñ \\u00e9"} `),
      expiresAt: new Date(someInstant.getTime() + 90_000),
    },
  }
}

/** Asks the store for a send. Its limits are of 24 hours, its lease 100 s unless said otherwise. */
export function commitSend(
  world: World,
  tenantId: string,
  wish: SendWish = {},
): Promise<FaucetCommitted> {
  const draft = draftOf(world, tenantId, wish)
  const limits = { ...noLimits, ...wish.limits }
  const judge = wish.judge ?? judgeFaucet(limits, draft.amount)
  return world.faucet.commit(draft, judge, limits, wish.leaseSeconds ?? 100)
}

/** A send that was accepted. */
export async function newSend(
  world: World,
  tenantId: string,
  wish: SendWish = {},
): Promise<FaucetSend> {
  const committed = await commitSend(world, tenantId, wish)
  if (committed.type !== 'committed') throw new Error(`the send is ${committed.type}`)
  return committed.send
}

/** The only send that is due. */
export async function claimOne(faucet: FaucetStore, leaseSeconds = 100): Promise<ClaimedSend> {
  const [claimed, ...others] = await faucet.claimDue(10, leaseSeconds)
  if (claimed === undefined || others.length > 0) throw new Error('there is not one send due')
  return claimed
}

/** A send that ended so, and when it did there was no other. */
export async function endedSend(
  world: World,
  tenantId: string,
  status: 'confirmed' | 'failed',
  wish: SendWish = {},
): Promise<FaucetSend> {
  const send = await newSend(world, tenantId, { ...wish, leaseSeconds: 0 })
  const { claim } = await claimOne(world.faucet)
  if ((await world.faucet.settle(claim, status)) !== 'committed') throw new Error('a stale claim')
  return { ...send, status }
}

/** Compared as plain arrays: a subclass of Uint8Array is as good. */
export const plainSend = (send: FaucetSend | undefined): unknown =>
  send && { ...send, transfer: { ...send.transfer, bytes: [...send.transfer.bytes] } }

/** What counts, in micro-USDT; `requests` are the tenant’s. */
export async function countedFor(
  { faucet }: World,
  tenantId: string,
  account: Account = accountOf('a wallet'),
): Promise<{ tenant: bigint; requests: number; address: bigint; shared: bigint }> {
  const { usage } = await faucet.usage(tenantId, account, noLimits.windowSeconds)
  const sum = (uses: readonly { readonly amount: Usdt }[]) =>
    uses.reduce((total, { amount }) => total + amount.minor, 0n)
  return {
    tenant: sum(usage.tenant),
    requests: usage.tenant.length,
    address: sum(usage.address),
    shared: sum(usage.shared),
  }
}
