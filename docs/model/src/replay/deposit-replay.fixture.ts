import { expect } from 'vitest'
import {
  builders,
  eventsAbout,
  type Harness,
  newTopUp,
  testAddresses,
  testMacKeys,
} from '@quipu/contracts'
import {
  defaultDepositRules,
  defaultScanSettings,
  scanHead,
  type ScanSettings,
  scanSolid,
  settleDeposit,
  usdt,
} from '@quipu/core'
import type { ClaimedDeposit } from '@quipu/core/adapter'
import { encodeEvent } from '@quipu/wire'
import { type GatedProcess, gatedProcess } from './gated-process.fixture.ts'
import { amount, type Block, blockId, nodeWith, transferOf } from './chain-node.fixture.ts'
import { OtherOrder } from './other-order.fixture.ts'
import type { OpenReplay, Wrap } from './open-replay.fixture.ts'
import { start } from './stores.fixture.ts'

/** The state of `deposit.qnt`, as its traces have it. */
type State = {
  readonly chain: readonly Block[]
  readonly solid: number
  readonly scans: ReadonlyMap<string, { readonly at: readonly Block[] }>
  readonly deposits: ReadonlyMap<string, Deposit>
  readonly credits: ReadonlyMap<string, number>
  readonly writes: ReadonlyMap<string, { readonly token: number }>
}
type Deposit = { readonly status: string; readonly isClaimable: boolean }
type Picks = {
  readonly p: string
  readonly t: string
  readonly newest: number
  readonly isAnswered: boolean
  readonly hasBlock: boolean
}

/** Longer than all leases and delays. */
const waitSeconds = 301
const leaseSeconds = 100
const passedReads = [
  'claim',
  'at',
  'match',
  'refsAbove',
  'unconfirmed',
  'rewind',
  'renew',
  'yieldClaim',
]
const settings: ScanSettings = {
  ...defaultScanSettings,
  ...{ leaseSeconds, readAhead: 1, blocksPerPoll: 1, firstBlock: 0 },
}
const genesis: Block = { number: 0, id: 0, parent: -1, transfers: [] }
const first: Block = { number: 1, id: 1, parent: 0, transfers: [] }

type Actions = Readonly<Record<string, (picks: Picks) => Promise<void>>>
type Context = Awaited<ReturnType<typeof openDeposits>>

/** The real use cases of deposits over these stores; each step of a trace is taken by them. */
export const depositReplay: OpenReplay = async (world, wrap = (stores) => stores) => {
  const context = await openDeposits(world, wrap)
  const actions = { ...scanActions(context), ...otherActions(context) }
  return async ({ action, picks, state }) => {
    const take = actions[action]
    if (!take) throw new Error(`the replay lacks ${action}`)
    await take(picks as unknown as Picks)
    const known = state as unknown as State
    context.known = known
    await compare(context, known)
  }
}

async function openDeposits(world: Harness, wrap: Wrap) {
  const { ids, newWallet } = builders(world)
  const tenantId = await newWallet(usdt(0n))
  const topUp = await newTopUp(world, tenantId)
  const stores = wrap(world)
  const time = { now: start.getTime() + 3_600_000 }
  const processes = new Map<string, GatedProcess>()
  for (const name of ['scanner 1', 'scanner 2']) processes.set(name, gatedProcess(passedReads))
  const portsWith = (blocks: readonly Block[], gates?: GatedProcess) => ({
    scans: gates?.gate(stores.scans) ?? stores.scans,
    addresses: gates?.gate(stores.addresses) ?? stores.addresses,
    deposits: stores.deposits,
    reader: nodeWith(blocks, topUp),
    ...{ source: testAddresses, format: testAddresses, addressMacKeys: testMacKeys },
    ...{ encodeEvent, ids, now: () => new Date(time.now) },
    raiseAlert: () => undefined,
  })

  // Both scans begin at the first block of the model. The head's scan reads up to one block before the newest.
  await scanSolid(portsWith([genesis]), settings)()
  await scanHead(portsWith([genesis, first, { ...first, number: 2 }]), settings)()
  await scanSolid(portsWith([genesis, first]), settings)()
  const known: Pick<State, 'chain' | 'solid'> = { chain: [first], solid: 1 }
  return {
    ...{ world, stores, tenantId, time, processes, portsWith },
    claims: new Map<string, ClaimedDeposit>(),
    known,
  }
}

/** Blocks up to a number, with the one before the first of the model. */
const upTo = ({ known }: Context, newest: number): readonly Block[] => [
  genesis,
  ...known.chain.slice(0, newest),
]

function scanActions(context: Context): Actions {
  const { processes, portsWith } = context
  const gatesOf = (name: string): GatedProcess => {
    const gates = processes.get(name)
    if (!gates) throw new Error(`no process ${name}`)
    return gates
  }
  const scan = async (of: typeof scanHead, p: string, newest: number): Promise<void> => {
    const gates = gatesOf(p)
    await gates.start(of(portsWith(upTo(context, newest), gates), settings), () => undefined)
  }
  return {
    readsSolid: ({ p, newest }) => scan(scanSolid, p, newest),
    readsHead: ({ p, newest }) => scan(scanHead, p, newest),
    rewindsHead: ({ p }) => scan(scanHead, p, context.known.chain.length),
    writesBlock: ({ p, isAnswered }) => gatesOf(p)[isAnswered ? 'pass' : 'lose']('advance'),
  }
}

function otherActions(context: Context): Actions {
  const { stores, claims, processes, portsWith, time, world } = context
  return {
    claimsDeposit: async ({ p, t }) => {
      const [claimed] = await stores.deposits.claimDue(1, leaseSeconds)
      if (!claimed) throw new Error('no deposit is due')
      if (claimed.deposit.txHash !== transferOf(t, '').txHash) throw new OtherOrder()
      claims.set(p, claimed)
    },
    settlesDeposit: async ({ p, hasBlock }) => {
      const claimed = claims.get(p)
      if (!claimed) throw new Error(`${p} has no claim`)
      claims.delete(p)
      const ports = portsWith(upTo(context, hasBlock ? context.known.solid : 0))
      await settleDeposit(ports, { rules: defaultDepositRules, serviceAccounts: [] })(claimed)
    },
    crashes: async ({ p }) => {
      processes.get(p)?.crash()
      claims.delete(p)
    },
    timePasses: async () => {
      time.now += waitSeconds * 1000
      await world.advance(waitSeconds)
    },
    // The chain is the model's: the code sees it by its nodes only.
    blockIsMade: async () => undefined,
    chainForks: async () => undefined,
    blockBecomesSolid: async () => undefined,
  }
}

async function compare(context: Context, state: State): Promise<void> {
  const stored = Array.from(state.deposits).filter(([, { status }]) => status !== 'Unseen')
  const credited = Array.from(state.credits.values()).reduce((sum, each) => sum + each, 0)
  const at = (view: string): string | undefined => {
    const block = state.scans.get(view)?.at.at(-1)
    return block && blockId(block.id)
  }
  expect(await realState(context)).toEqual({
    deposits: new Map(
      stored.map(([name, { status }]) => [transferOf(name, '').txHash, shown[status]]),
    ),
    available: BigInt(credited) * amount,
    solid: at('Solid'),
    head: at('Head'),
    writes: Array.from(state.writes, ([name, { token }]) => [name, token > 0 ? 'advance' : '']),
  })
  if (stored.every(([, { isClaimable }]) => !isClaimable))
    expect(await context.world.deposits.claimDue(1, leaseSeconds)).toEqual([])
}

async function realState({ world, tenantId, processes }: Context) {
  const { items } = await world.deposits.list(tenantId, { limit: 10 })
  const found = await Promise.all(
    items.map(async ({ id, txHash, status }) => {
      const events = await eventsAbout(world, tenantId, id)
      return [txHash, [status, events.map(({ type }) => type)]] as const
    }),
  )
  return {
    deposits: new Map(found),
    available: (await world.wallets.find(tenantId))?.available.minor,
    solid: (await world.scans.at('tron', 'solid'))?.id,
    head: (await world.scans.at('tron', 'head'))?.id,
    writes: Array.from(processes, ([name, gates]) => [name, gates.waiting().join()]),
  }
}

const shown: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  InPending: ['pending', ['deposit.pending']],
  Credited: ['credited', ['deposit.pending', 'deposit.credited']],
  InReview: ['in_review', ['deposit.pending', 'deposit.in_review']],
}
