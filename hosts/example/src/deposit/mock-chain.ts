import type { FaucetChain } from '@quipu/api'
import {
  type ChainReader,
  defaultDepositRules,
  type Deposit,
  ensureTopUpAddress,
  settleDeposit,
  type Usdt,
} from '@quipu/core'
import {
  type BlockRef,
  recordEvent,
  openDeposit,
  type ObservedTransfer,
  type ChainView,
} from '@quipu/core/adapter'
import { type Logger, logAlert, systemRandom } from '@quipu/runtime'
import { tronAddressFormat } from '@quipu/tron'
import { mockTime } from '@quipu/wire'
import { currentWorld } from '../key/current-key.ts'
import type { Parts } from '../parts.ts'
import type { World } from '../key/key-state.ts'

/** The chain of the current world, on which nothing real moves. */
export type MockChain = {
  /** Somebody sends USDT to the key's top-up address. @returns the pending deposit */
  send(world: World, amount: Usdt): Promise<Deposit>
  /** Confirms what is old enough, and ends the deposits. */
  confirm(world: World): Promise<void>
}

const leaseSeconds = 30
/** Who sends, as the chain's logs name it. */
const sender = '00'.repeat(19) + 'e1'

export function mockChain(parts: Parts, log: Logger): MockChain {
  const { stores, now, ids } = parts
  const raiseAlert = logAlert(log)
  const ensure = ensureTopUpAddress(
    { ...stores, ...parts.topUps, now, raiseAlert: raiseAlert },
    'tron',
  )
  const settle = settleDeposit(
    {
      ...stores,
      ...parts,
      ...parts.topUps,
      reader: mockReader,
      verifier: mockReader, // As in production, where there are two providers.
      format: tronAddressFormat,
      raiseAlert,
    },
    { rules: defaultDepositRules, serviceAccounts: [] },
  )

  return {
    send: (world, amount) =>
      inTurn(world, async () => {
        const topUp = await ensure(world.caller.tenant.id)
        const at = now()
        const expiresAt = new Date(at.getTime() + 60_000)
        const txHash = randomHex(32)
        const route = { from: sender, to: topUp.account, value: amount.minor }
        const transfer = { txHash, index: 0, ...route, expiresAt }
        const seen = { id: ids.next('dep', at), fromAddress: tronAddressFormat.format(sender), at }
        const step = openDeposit(transfer, topUp, seen)
        const event = recordEvent(parts, { type: step.event, occurredAt: at, data: step.deposit })
        const head = await stores.scans.at('tron', 'head')
        const block = (head?.number ?? 0) + 1
        const observed = { step: { ...step, event }, sender, block, expiresAt }
        await addBlock(parts, 'head', observed)
        const confirmedAt = new Date(at.getTime() + mockTime.confirmSeconds * 1000)
        world.confirming.push({ observed, transfer, at: confirmedAt })
        return step.deposit
      }),
    confirm: (world) =>
      inTurn(world, async () => {
        for (let next = world.confirming[0]; next && next.at <= now(); next = world.confirming[0]) {
          world.confirming.shift()
          await addBlock(parts, 'solid', next.observed)
          world.confirmed.set(next.observed.block, next.transfer)
        }
        for (const claimed of await stores.deposits.claimDue(100, leaseSeconds))
          await settle(claimed)
        world.confirmed.clear()
      }),
  }
}

/** Adds a block that shows one transfer. */
async function addBlock(
  { stores, now }: Pick<Parts, 'stores' | 'now'>,
  view: ChainView,
  observed: ObservedTransfer,
): Promise<void> {
  const claimed = await stores.scans.claim('tron', view, leaseSeconds)
  if (!claimed) throw new Error('the chain of a key does one thing after another')
  const { claim, at: from } = claimed
  const blocks: BlockRef[] = [{ number: observed.block, id: randomHex(32), at: now() }]
  await stores.scans.advance(claim, { from, blocks, observedTransfers: [observed], gone: [] })
  await stores.scans.yieldClaim(claim)
}

/** One thing after another, whatever came of the last. */
function inTurn<T>(world: World, act: () => Promise<T>): Promise<T> {
  const done = world.chainTurn.then(act)
  world.chainTurn = done.then(
    () => undefined,
    () => undefined,
  )
  return done
}

/** Shows the transfers of the current world. The token's issuer has blocked nobody. */
const mockReader: Pick<ChainReader, 'block' | 'isBlocked' | 'tokenState'> = {
  async block(_, number) {
    const transfer = currentWorld().confirmed.get(number)
    if (transfer === undefined) return undefined
    const [id, parentId, transactions] = [randomHex(32), randomHex(32), [transfer.txHash]]
    const { expiresAt: at } = transfer
    return {
      number,
      id,
      parentId,
      at,
      transactions,
      transfers: [transfer],
      unknownTokenRecipients: [],
    }
  },
  isBlocked: async () => false,
  tokenState: async () => 'normal',
}

/** A faucet that answers as the real one does, and sends nothing. */
export const mockFaucetChain = ({ now }: Pick<Parts, 'now'>): FaucetChain => ({
  format: tronAddressFormat,
  reader: { chain: 'tron', head: async () => ({ number: 1, id: randomHex(32), at: now() }) },
  signer: {
    account: sender,
    sign: async ({ expiresAt }) => ({ txHash: randomHex(32), bytes: new Uint8Array(), expiresAt }),
  },
  broadcaster: { prepare: async () => 0n, broadcast: async () => 'accepted' },
})

const randomHex = (bytes: number): string => Buffer.from(systemRandom(bytes)).toString('hex')
