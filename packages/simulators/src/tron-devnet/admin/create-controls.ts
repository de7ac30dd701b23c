import { Refusal } from '../../json-server.ts'
import { callData } from '../token/abi.ts'
import { createdKey, energyKey, energyPriceKey, trxKey } from '../account/accounts.ts'
import { labelledAddress, toBase58, type Address } from '../account/address.ts'
import type { Block } from '../chain/block.ts'
import type { BlockRef, ChainControls, ForkRequest, Level } from './controls.ts'
import type { Devnet } from '../devnet.ts'
import { logsOf, transferOf } from '../chain/logs.ts'
import { addressOf, scriptOf, tokenOf } from './control-values.ts'
import type { Script } from '../transaction/script.ts'
import { balanceKey, feeMaxKey, feeRateKey } from '../token/token.ts'
import { transactionOf, type ContractCall } from '../transaction/transaction.ts'
import type { View } from '../chain/view.ts'

export const createControls = (devnet: Devnet): ChainControls => ({
  ...blockControls(devnet),
  ...stateControls(devnet),
  ...transactionControls(devnet),
  ...readControls(devnet),
})

type Part<K extends keyof ChainControls> = Pick<ChainControls, K>

const refOf = ({ number, id, timestamp }: Block): BlockRef => ({ number, id, timestamp })

const viewOf = ({ chain }: Devnet, level: Level = 'head'): View =>
  chain.view(level === 'solid' ? chain.solid() : undefined)

function blockControls(devnet: Devnet): Part<'mine' | 'fork' | 'restart' | 'stallSolid' | 'head' | 'pending'> {
  const { chain, record, mineBlock } = devnet
  return {
    mine(count = 1, { empty = false } = {}) {
      for (let i = 0; i < count; i++) mineBlock(empty ? [] : undefined)
      return refOf(chain.head())
    },
    fork(depth, request = {}) {
      fork(devnet, depth, request)
      return refOf(chain.head())
    },
    restart() {
      record({ type: 'rewound', depth: chain.head().number - chain.solid(), drop: 'all' })
      record({ type: 'forgotten', txids: [...chain.pending.keys()] })
      return refOf(chain.head())
    },
    stallSolid: (stalled = true) => record({ type: 'stalled', stalled }),
    head: (level) => refOf(viewOf(devnet, level).head),
    pending: () => [...chain.pending.keys()],
  }
}

function fork({ chain, record, mineBlock }: Devnet, depth: number, request: ForkRequest): void {
  const { drop = [], blocks = depth + 1, into = 0, reverse = false } = request
  const base = chain.head().number - depth
  if (base < chain.solid()) throw new Refusal(409, 'SOLID', `Block ${chain.solid()} is solid: no fork can replace it.`)
  record({ type: 'rewound', depth, drop })
  for (let i = 0; i < blocks; i++) {
    const txids = i === into ? [...chain.pending.keys()] : []
    mineBlock(reverse ? txids.reverse() : txids)
  }
}

function stateControls({
  chain,
  record,
}: Devnet): Part<'fund' | 'setTokenBalance' | 'setTokenFee' | 'setEnergyPrice' | 'deployToken'> {
  const set = (key: string, value: bigint): void => record({ type: 'overridden', key, set: value })
  const add = (key: string, value: bigint): void => record({ type: 'overridden', key, add: value })
  return {
    fund(address, { sun = 0n, energy = 0 }) {
      const who = addressOf(address)
      if (chain.data.read(createdKey(who)) === 0n) set(createdKey(who), BigInt(chain.head().timestamp))
      add(trxKey(who), sun)
      add(energyKey(who), BigInt(energy))
    },
    setTokenBalance(address, value, token) {
      const key = balanceKey(tokenOf(token), addressOf(address))
      add(key, value - chain.data.read(key))
    },
    setTokenFee({ rate, max }, token) {
      set(feeRateKey(tokenOf(token)), rate)
      set(feeMaxKey(tokenOf(token)), max)
    },
    setEnergyPrice: (sun) => set(energyPriceKey, BigInt(sun)),
    deployToken(info = {}) {
      const { name = 'Tether USD', symbol = 'USDT', decimals = 6, asserts = false } = info
      const contract = labelledAddress(`token ${chain.tokens.size}`)
      const owner =
        info.owner === undefined ? labelledAddress(`token owner ${chain.tokens.size}`) : addressOf(info.owner)
      record({ type: 'token', token: { contract, name, symbol, decimals, owner, asserts } })
      return toBase58(contract)
    },
  }
}

function transactionControls(devnet: Devnet): Part<'transfer' | 'call' | 'scriptTx'> {
  const submit = submitterOf(devnet)
  const trigger = (owner: Address, contract: Address, data: string): ContractCall => ({
    type: 'TriggerSmartContract',
    owner,
    contract,
    callValueSun: 0,
    data,
  })
  return {
    transfer({ from, to, value, token }) {
      const data = callData('transfer(address,uint256)', [{ address: addressOf(to) }, value])
      return submit(trigger(addressOf(from), tokenOf(token), data))
    },
    call(method, args = [], { from, token, expiresInMs } = {}) {
      const contract = tokenOf(token)
      const words = args.map((arg) => (typeof arg === 'bigint' ? arg : { address: addressOf(arg) }))
      const owner = from === undefined ? devnet.chain.tokens.get(contract)?.owner : addressOf(from)
      if (owner === undefined) throw new Refusal(404, 'NO_TOKEN', 'There is no such token.')
      return submit(trigger(owner, contract, callData(method, words)), null, expiresInMs)
    },
    scriptTx(request) {
      const owner = addressOf(request.from ?? labelledAddress('sender of scripts'))
      const contract = addressOf(request.contract ?? labelledAddress('scripted contract'))
      return submit(trigger(owner, contract, ''), scriptOf(request), request.expiresInMs)
    },
  }
}

type Submit = (call: ContractCall, script?: Script | null, expiresInMs?: number) => string

const hourMs = 3_600_000

/** Adds pending transactions, each with its own id. */
function submitterOf({ chain, timers, record }: Devnet): Submit {
  let last = 0
  return (call, script = null, expiresInMs = hourMs) => {
    const { id, timestamp } = chain.head()
    for (;;) {
      last = Math.max(timers.now(), last + 1)
      const { txid, hex } = transactionOf({
        refBlockBytes: id.slice(12, 16),
        refBlockHash: id.slice(16, 32),
        expiration: timestamp + expiresInMs,
        timestamp: last,
        feeLimitSun: 1_000_000_000,
        memo: '',
        permissionId: 0,
        call,
      })
      // A stepped clock can have the same time after a restart.
      if (chain.pending.has(txid) || chain.data.included.has(txid)) continue
      record({ type: 'accepted', hex, signatures: [], script })
      return txid
    }
  }
}

function readControls(devnet: Devnet): Part<'tokenBalance' | 'trxBalance' | 'transfers'> {
  return {
    tokenBalance: (address, level, token) => viewOf(devnet, level).read(balanceKey(tokenOf(token), addressOf(address))),
    trxBalance: (address, level) => viewOf(devnet, level).read(trxKey(addressOf(address))),
    transfers: (level) =>
      Array.from(logsOf(viewOf(devnet, level)), transferOf)
        .filter((transfer) => transfer !== null)
        .map(({ txid, index, block, contract, from, to, value }) => ({
          txid,
          index,
          block,
          contract: toBase58(contract),
          from: toBase58(from),
          to: toBase58(to),
          value,
        })),
  }
}
