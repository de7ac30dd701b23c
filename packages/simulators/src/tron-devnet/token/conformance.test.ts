import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { addressWord, callData, selectorOf, uintWord } from './abi.ts'
import { labelledAddress, toBase58, type Address } from '../account/address.ts'
import { runCall } from '../transaction/execute.ts'
import { startMachine, type Machine } from './machine.fixture.ts'
import { createState, type State } from '../state.ts'
import { uintMax, type TokenInfo } from './token.ts'
import { scriptOf } from '../admin/control-values.ts'

const owner = labelledAddress('owner')
const people = [owner, ...['alice', 'bruno', 'carla'].map(labelledAddress)]
const anyone = fc.constantFrom(...people)
const someone = fc.oneof({ weight: 9, arbitrary: anyone }, { weight: 1, arbitrary: fc.constant(`41${'0'.repeat(40)}`) })
const amount = fc.oneof(
  { weight: 8, arbitrary: fc.bigInt({ min: 0n, max: 2_000n }) },
  { weight: 1, arbitrary: fc.constantFrom(uintMax, uintMax - 1n, 2n ** 255n) },
)
const rate = fc.bigInt({ min: 0n, max: 10_001n })

const call = (signature: string, ...args: fc.Arbitrary<bigint | Address>[]) =>
  fc.tuple(...args).map((values) => ({
    signature,
    data: callData(
      signature,
      values.map((value) => (typeof value === 'bigint' ? value : { address: value })),
    ),
  }))

const calls = fc.record({
  from: fc.oneof({ weight: 1, arbitrary: fc.constant(owner) }, { weight: 2, arbitrary: anyone }),
  call: fc.oneof(
    { weight: 5, arbitrary: call('transfer(address,uint256)', someone, amount) },
    { weight: 3, arbitrary: call('transferFrom(address,address,uint256)', anyone, someone, amount) },
    { weight: 2, arbitrary: call('approve(address,uint256)', anyone, amount) },
    { weight: 2, arbitrary: call('issue(uint256)', amount) },
    call('redeem(uint256)', amount),
    call('addBlackList(address)', anyone),
    call('removeBlackList(address)', anyone),
    call('destroyBlackFunds(address)', anyone),
    call('setParams(uint256,uint256)', rate, amount),
    call('pause()'),
    { weight: 2, arbitrary: call('unpause()') },
    call('deprecate(address)', anyone), // To the pair's successor: a call of anybody else reverts.
    call('noSuchFunction()'),
  ),
})

const reads = [
  ...['name()', 'symbol()', 'decimals()', 'totalSupply()', 'owner()', 'getOwner()'].map(selectorOf),
  ...['paused()', 'deprecated()', 'basisPointsRate()', 'maximumFee()'].map(selectorOf),
  ...people.flatMap((address) =>
    ['balanceOf(address)', 'isBlackListed(address)', 'getBlackListStatus(address)'].map((name) =>
      callData(name, [{ address }]),
    ),
  ),
  ...people.flatMap((address) =>
    people.map((spender) => callData('allowance(address,address)', [{ address }, { address: spender }])),
  ),
]

let machine: Machine
beforeAll(async () => {
  machine = await startMachine()
})

/** One token twice: as bytecode in the EVM, and as the devnet's implementation. */
async function pairOf() {
  const contract = await machine.deploy('ReferenceToken', owner)
  const upgraded = await machine.deploy('UpgradedToken', owner)
  const token: TokenInfo = { contract, owner, name: 'Tether USD', symbol: 'USDT', decimals: 6 }
  const state = createState()
  const tokens = new Map([[contract, token]])
  return {
    contract,
    upgraded,
    ledger: (from: Address, data: string) => ledgerCall(state, tokens, from, contract, data),
    state,
    tokens,
  }
}

function ledgerCall(
  state: State,
  tokens: ReadonlyMap<Address, TokenInfo>,
  owner: Address,
  contract: Address,
  data: string,
) {
  const start = state.mark()
  const ran = runCall(state, tokens, { owner, contract, data, callValueSun: 0 })
  const succeeded = ran.result === 'SUCCESS'
  if (!succeeded) state.revertTo(start)
  return { succeeded, answer: ran.answer, logs: ran.logs }
}

test('logs and answers equal those of compiled bytecode, call by call', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: 5, maxLength: 25 }), async (sequence) => {
      const { contract, upgraded, ledger } = await pairOf()
      for (const { from, call } of sequence) {
        const { signature } = call
        const isEnd = signature === 'deprecate(address)'
        const data = isEnd ? callData(signature, [{ address: upgraded }]) : call.data
        expect([signature, ledger(from, data)]).toEqual([signature, await machine.call(from, contract, data)])
      }
      for (const data of reads) expect(ledger(owner, data)).toEqual(await machine.call(owner, contract, data))
    }),
    { numRuns: 40 },
  )
})

test('at the limits of uint256 it fails where bytecode does', async () => {
  const { contract, ledger } = await pairOf()
  const [, alice = ''] = people
  const sequence = [
    callData('issue(uint256)', [uintMax]),
    callData('setParams(uint256,uint256)', [2n, 5n]),
    callData('transfer(address,uint256)', [{ address: alice }, 2n ** 255n]),
    callData('transfer(address,uint256)', [{ address: alice }, 2n ** 255n - 1n]),
    callData('issue(uint256)', [10n]),
  ]
  const both = async (data: string) => {
    const plain = ledger(owner, data)
    expect(plain).toEqual(await machine.call(owner, contract, data))
    return plain.succeeded
  }
  const succeeded: boolean[] = []
  for (const data of sequence) succeeded.push(await both(data))
  expect(succeeded).toEqual([true, true, false, true, false])
})

test('a multi-sender logs one Transfer per recipient, as a script does', async () => {
  const { contract, ledger, state, tokens } = await pairOf()
  const sender = await machine.deploy('MultiSender', owner)
  const prepare = [
    callData('issue(uint256)', [100n]),
    callData('approve(address,uint256)', [{ address: sender }, 100n]),
  ]
  for (const data of prepare) {
    ledger(owner, data)
    await machine.call(owner, contract, data)
  }
  const to = people.slice(1)
  const list = (words: string[]) => uintWord(BigInt(words.length)) + words.join('')
  const pay =
    selectorOf('pay(address,address[],uint256[])') +
    [addressWord(contract), uintWord(96n), uintWord(96n + 32n * BigInt(to.length + 1))].join('') +
    list(to.map(addressWord)) +
    list(to.map((_, i) => uintWord(BigInt(i))))
  const real = await machine.call(owner, sender, pay)
  const script = scriptOf({
    transfers: to.map((address, i) => ({ token: contract, from: owner, to: address, value: BigInt(i) })),
  })
  const plain = runCall(state, tokens, { owner, contract: sender, data: '', callValueSun: 0 }, script)
  expect(real.logs).toHaveLength(3)
  expect(plain.logs).toEqual(real.logs)
})

test('a fake token’s log equals a scripted log', async () => {
  const fake = await machine.deploy('FakeToken', owner)
  const [, alice = ''] = people
  const data = callData('transfer(address,uint256)', [{ address: alice }, uintMax])
  const { logs } = scriptOf({ logs: [{ token: toBase58(fake), from: owner, to: alice, value: uintMax }] })
  expect((await machine.call(owner, fake, data)).logs).toEqual(logs)
})

test('a call that runs out of gas fails without logs, in the EVM and in a script', async () => {
  const { contract, state, tokens } = await pairOf()
  const data = callData('issue(uint256)', [1n])
  const real = await machine.call(owner, contract, data, 10_000n)
  const script = scriptOf({ result: 'OUT_OF_ENERGY', logs: [{ from: owner, to: owner, value: 1n }] })
  const plain = runCall(state, tokens, { owner, contract, data, callValueSun: 0 }, script)
  expect([real.succeeded, real.logs, plain.logs]).toEqual([false, [], []])
})
