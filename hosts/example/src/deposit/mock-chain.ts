import type { FaucetChain } from '@quipu/api'
import {
  type ChainReader,
  defaultDepositRules,
  type Deposit,
  ensureTopUpAddress,
  settleDeposit,
  type Usdt,
} from '@quipu/core'
import { type BlockRef, recordEvent, openDeposit, type ObservedTransfer, type ChainView } from '@quipu/core/adapter'
import { type Logger, logAlert } from '@quipu/runtime'
import { systemRandom } from '@quipu/core/system'
import { tronAddressFormat } from '@quipu/tron'
import { mockTime } from '@quipu/wire'
import { currentKey } from '../key/current-key.ts'
import type { KeyPorts } from '../key/key-ports.ts'
import type { KeyState } from '../key/key-state.ts'

/** The simulated chain of the current key. */
export type MockChain = {
  /** Sends USDT to the key's top-up address. @returns the pending deposit */
  send(state: KeyState, amount: Usdt): Promise<Deposit>
  /** Confirms the transfers that are old enough, and settles their deposits. */
  confirm(state: KeyState): Promise<void>
}

const leaseSeconds = 30
/** The sender, as logs of the chain have it. */
const sender = '00'.repeat(19) + 'e1'

export function mockChain(keyPorts: KeyPorts, log: Logger): MockChain {
  const { stores, now, ids } = keyPorts
  const raiseAlert = logAlert(log)
  const ensure = ensureTopUpAddress({ ...stores, ...keyPorts.topUps, now, raiseAlert: raiseAlert }, 'tron')
  const settle = settleDeposit(
    {
      ...stores,
      ...keyPorts,
      ...keyPorts.topUps,
      reader: mockReader,
      verifier: mockReader, // Production requires a second provider.
      format: tronAddressFormat,
      raiseAlert,
    },
    { rules: defaultDepositRules, serviceAccounts: [] },
  )

  return {
    send: (state, amount) =>
      enqueue(state, async () => {
        const topUp = await ensure(state.caller.tenant.id)
        const at = now()
        const expiresAt = new Date(at.getTime() + 60_000)
        const txHash = randomHex(32)
        const route = { from: sender, to: topUp.account, value: amount.minor }
        const transfer = { txHash, index: 0, ...route, expiresAt }
        const seen = { id: ids.next('dep', at), fromAddress: tronAddressFormat.format(sender), at }
        const step = openDeposit(transfer, topUp, seen)
        const event = recordEvent(
          keyPorts,
          { type: step.event, occurredAt: at, data: step.deposit },
          () => step.deposit,
        )
        const head = await stores.scans.at('tron', 'head')
        const block = (head?.number ?? 0) + 1
        const observed = { step: { ...step, event }, sender, block, expiresAt }
        await addBlock(keyPorts, 'head', observed)
        const confirmedAt = new Date(at.getTime() + mockTime.confirmSeconds * 1000)
        state.confirming.push({ observed, transfer, at: confirmedAt })
        return step.deposit
      }),
    confirm: (state) =>
      enqueue(state, async () => {
        for (let next = state.confirming[0]; next && next.at <= now(); next = state.confirming[0]) {
          state.confirming.shift()
          await addBlock(keyPorts, 'solid', next.observed)
          state.confirmed.set(next.observed.block, next.transfer)
        }
        for (const claimed of await stores.deposits.claimDue(100, leaseSeconds)) await settle(claimed)
        state.confirmed.clear()
      }),
  }
}

/** Adds a block that shows one transfer. */
async function addBlock(
  { stores, now }: Pick<KeyPorts, 'stores' | 'now'>,
  view: ChainView,
  observed: ObservedTransfer,
): Promise<void> {
  const claimed = await stores.scans.claim('tron', view, leaseSeconds)
  if (!claimed) throw new Error('the scan is leased: operations of a chain must not overlap')
  const { claim, at: from } = claimed
  const blocks: BlockRef[] = [{ number: observed.block, id: randomHex(32), at: now() }]
  await stores.scans.advance(claim, { from, blocks, observedTransfers: [observed], gone: [] })
  await stores.scans.yieldClaim(claim)
}

/** Runs operations of a chain one after another, also after a failed one. */
function enqueue<T>(state: KeyState, act: () => Promise<T>): Promise<T> {
  const done = state.chainQueue.then(act)
  state.chainQueue = done.then(
    () => undefined,
    () => undefined,
  )
  return done
}

/** Reads the transfers of the current key. No address is blocked. */
const mockReader: Pick<ChainReader, 'block' | 'isBlocked' | 'tokenState'> = {
  async block(_, number) {
    const transfer = currentKey().confirmed.get(number)
    if (transfer === undefined) return undefined
    const [id, parentId, transactions] = [randomHex(32), randomHex(32), [transfer.txHash]]
    const { expiresAt: at } = transfer
    return { number, id, parentId, at, transactions, transfers: [transfer], unknownTokenTransfers: [] }
  },
  isBlocked: async () => false,
  tokenState: async () => 'normal',
}

/** A faucet chain that accepts every transfer and sends none. */
export const mockFaucetChain = ({ now }: Pick<KeyPorts, 'now'>): FaucetChain => ({
  format: tronAddressFormat,
  reader: { chain: 'tron', head: async () => ({ number: 1, id: randomHex(32), at: now() }) },
  signer: {
    account: sender,
    sign: async ({ expiresAt }) => ({ txHash: randomHex(32), bytes: new Uint8Array(), expiresAt }),
  },
  broadcaster: {
    canReceive: (account) => account !== '0'.repeat(40),
    prepare: async () => 0n,
    broadcast: async () => 'accepted',
  },
})

const randomHex = (bytes: number): string => Buffer.from(systemRandom(bytes)).toString('hex')
