import { Unavailable, usdt } from '@quipu/core'
import type { ChainAccount, SignedTransfer } from '@quipu/core/adapter'
import type { RefusalCode } from '@quipu/simulators'
import { expect, test } from 'vitest'
import { tronAddressFormat } from '../address/address.ts'
import { tronBroadcaster, type TronBroadcasterOptions } from './broadcaster.ts'
import { accountAt, alice, bruno, carla, startFixture, vmError } from '../devnet.fixture.ts'
import { localTransferSigner } from './transfer-signer.ts'

const amount = usdt(1_500_000n)
/** Energy of a transfer to an account with and without tokens. */
const energy = { toHolder: 64_285n, toEmpty: 130_285n }
const price = 100n

async function start(options: Partial<TronBroadcasterOptions> = {}) {
  const fixture = await startFixture()
  const { devnet, node, reader } = fixture
  const { tokenContract } = devnet
  const signer = localTransferSigner({ tokenContract, privateKey: 'a5'.repeat(32) })
  const from = tronAddressFormat.format(signer.account)
  let sent = 0
  return {
    ...fixture,
    signer,
    from,
    broadcaster: tronBroadcaster({ node, tokenContract, replicaLagBlocks: 2, ...options }),
    fund(funds: { sun?: bigint; energy?: number; micros?: bigint }) {
      devnet.fund(from, { sun: funds.sun ?? 0n, energy: funds.energy ?? 0 })
      devnet.setTokenBalance(from, funds.micros ?? 50_000_000n)
      fixture.solidify()
    },
    async sign(to: ChainAccount = accountAt(alice), seconds = 90): Promise<SignedTransfer> {
      const reference = await reader.head('solid')
      const at = devnet.head().timestamp
      return signer.sign({
        to,
        amount,
        feeLimit: 30_000_000n,
        reference,
        at: new Date(at + sent++),
        expiresAt: new Date(at + seconds * 1_000),
      })
    },
  }
}

const rich = { sun: 1_000_000_000n }

test('the fee limit is 30% above the simulation, at the chain’s price', async () => {
  const { devnet, broadcaster, signer, fund } = await start()
  fund(rich)
  const to = accountAt(alice)
  expect(await broadcaster.prepare(signer.account, to, amount)).toBe((energy.toEmpty * price * 13n) / 10n)
  devnet.setTokenBalance(alice, 1n)
  devnet.setEnergyPrice(210)
  expect(await broadcaster.prepare(signer.account, to, amount)).toBe((energy.toHolder * 210n * 13n) / 10n)
})

test('the fee limit is capped, and a transfer above the cap is refused', async () => {
  const needed = energy.toEmpty * price
  const capped = await start({ feeLimitMax: needed + 1n })
  capped.fund(rich)
  const { signer } = capped
  expect(await capped.broadcaster.prepare(signer.account, accountAt(alice), amount)).toBe(needed + 1n)
  const exact = await start({ feeLimitMax: needed })
  exact.fund(rich)
  expect(await exact.broadcaster.prepare(signer.account, accountAt(alice), amount)).toBe(needed)
  const low = await start({ feeLimitMax: needed - 1n })
  low.fund(rich)
  expect(await low.broadcaster.prepare(signer.account, accountAt(alice), amount)).toBe('refused')
})

const limit = (energy.toEmpty * price * 13n) / 10n

test.each([
  ['the TRX for all of it', { sun: limit }, limit],
  ['a sun less', { sun: limit - 1n }, 'insufficient'],
  ['energy for all of it and no TRX to speak of', { sun: 1n, energy: 170_000 }, limit],
  ['energy for half and TRX for the rest', { sun: limit / 2n + 1n, energy: 84_686 }, limit],
  ['energy for half and TRX for less', { sun: limit / 2n - 100_000n, energy: 84_686 }, 'insufficient'],
  ['nothing', {}, 'insufficient'],
  ['a micro less than the amount', { ...rich, micros: 1_499_999n }, 'insufficient'],
  ['exactly the amount', { ...rich, micros: 1_500_000n }, limit],
])('an account with %s', async (_, funds, expected) => {
  const { broadcaster, signer, fund } = await start()
  fund(funds)
  expect(await broadcaster.prepare(signer.account, accountAt(alice), amount)).toBe(expected)
})

test('without free bandwidth TRX for the bytes is required too', async () => {
  const { devnet, broadcaster, signer, fund } = await start()
  fund({ sun: limit })
  const used = { freeNetUsed: 500, freeNetLimit: 600 }
  devnet.addFaults({ kind: 'rewrite', on: 'getaccountresource', rewrite: () => used })
  expect(await broadcaster.prepare(signer.account, accountAt(alice), amount)).toBe('insufficient')
  fund({ sun: 400_000n })
  expect(await broadcaster.prepare(signer.account, accountAt(alice), amount)).toBe(limit)
})

test.each([
  [{ NetUsed: 100, NetLimit: 500 }, true],
  [{ NetUsed: 100, NetLimit: 499 }, false],
  [{ freeNetUsed: 200, freeNetLimit: 600 }, true],
  [{ freeNetUsed: 201, freeNetLimit: 600 }, false],
])('one allowance of bandwidth has to cover all of it: %j', async (used, isCovered) => {
  const { devnet, broadcaster, signer, fund } = await start()
  fund({ sun: limit })
  devnet.addFaults({ kind: 'rewrite', on: 'getaccountresource', rewrite: () => used })
  expect(await broadcaster.prepare(signer.account, accountAt(alice), amount)).toBe(isCovered ? limit : 'insufficient')
})

test.each([
  [
    'a token that answers false instead of reverting needs the balance',
    '/constant_result/0',
    (amount.minor - 1n).toString(16).padStart(64, '0'),
    'insufficient',
  ],
  [
    'an account without a readable balance cannot send',
    '/result/message',
    Buffer.from('REVERT opcode executed').toString('hex'),
    'refused',
  ],
])('%s', async (_, at, to, expected) => {
  const { devnet, broadcaster, signer, fund } = await start()
  fund(rich)
  devnet.addFaults({
    kind: 'alter',
    on: 'triggerconstantcontract',
    where: { function_selector: 'balanceOf(address)' },
    at,
    to,
  })
  expect(await broadcaster.prepare(signer.account, accountAt(alice), amount)).toBe(expected)
})

const ofTransfer = { function_selector: 'transfer(address,uint256)' }

test.each([
  ['a failed assert', 'IllegalOperationException : Invalid operation code: opCode[fe];'],
  ['a jump of an old compiler', `BadJumpDestinationException : Operation with pc isn't 'JUMPDEST'`],
  ['a limit of the node', 'OutOfEnergyException : Not enough energy for SSTORE'],
])('a transfer whose simulation ends in %s is refused', async (_, exception) => {
  const { devnet, broadcaster, signer, fund } = await start()
  fund(rich)
  const on = { on: 'triggerconstantcontract', where: ofTransfer }
  devnet.addFaults({ kind: 'alter', ...on, at: '/result', to: vmError(exception) })
  expect(await broadcaster.prepare(signer.account, accountAt(alice), amount)).toBe('refused')
  fund({ micros: 1n })
  expect(await broadcaster.prepare(signer.account, accountAt(alice), amount)).toBe('insufficient')
  expect(devnet.requests('triggerconstantcontract')).toHaveLength(3)
})

test('a simulation for which the node has no time is asked for again', async () => {
  const { devnet, broadcaster, signer, fund } = await start()
  fund(rich)
  const on = { on: 'triggerconstantcontract', where: ofTransfer }
  const to = vmError('OutOfTimeException : CPU timeout for SWAP1 operation executing')
  devnet.addFaults({ kind: 'alter', ...on, at: '/result', to, times: 3 })
  expect(await broadcaster.prepare(signer.account, accountAt(alice), amount)).toBe(limit)
  devnet.addFaults({ kind: 'alter', ...on, at: '/result', to })
  await expect(broadcaster.prepare(signer.account, accountAt(alice), amount)).rejects.toThrow('CPU timeout for SWAP1')
})

test('a node without a price is Unavailable', async () => {
  const { devnet, broadcaster, signer, fund } = await start()
  fund(rich)
  devnet.addFaults({ kind: 'rewrite', on: 'getchainparameters', rewrite: () => ({ chainParameter: [] }) })
  await expect(broadcaster.prepare(signer.account, accountAt(alice), amount)).rejects.toThrow('no getEnergyFee')
})

test('a node without energy in its simulation is Unavailable', async () => {
  const { devnet, broadcaster, signer, fund } = await start()
  fund(rich)
  devnet.addFaults({ kind: 'alter', on: 'triggerconstantcontract', at: '/energy_used' })
  await expect(broadcaster.prepare(signer.account, accountAt(alice), amount)).rejects.toThrow('no energy')
})

test('after a lost answer the same bytes are sent again and move tokens once', async () => {
  const { devnet, broadcaster, solidify, fund, sign } = await start()
  fund(rich)
  devnet.addFaults({ kind: 'drop', when: 'after', on: 'broadcasttransaction', times: 1 })
  expect(await broadcaster.broadcast(await sign())).toBe('duplicate')
  expect(devnet.requests('broadcasttransaction')).toHaveLength(2)
  solidify()
  expect(devnet.tokenBalance(alice)).toBe(amount.minor)
})

const codes: Readonly<Record<RefusalCode, 'duplicate' | 'stopped' | 'unavailable'>> = {
  DUP_TRANSACTION_ERROR: 'duplicate',
  SIGERROR: 'stopped',
  CONTRACT_VALIDATE_ERROR: 'stopped',
  CONTRACT_EXE_ERROR: 'stopped',
  BANDWITH_ERROR: 'stopped',
  TOO_BIG_TRANSACTION_ERROR: 'stopped',
  TRANSACTION_EXPIRATION_ERROR: 'stopped',
  TAPOS_ERROR: 'stopped',
  SERVER_BUSY: 'unavailable',
  NO_CONNECTION: 'unavailable',
  NOT_ENOUGH_EFFECTIVE_CONNECTION: 'unavailable',
  BLOCK_UNSOLIDIFIED: 'unavailable',
  OTHER_ERROR: 'unavailable',
}

test.each(Object.entries(codes))('a broadcast that is answered %s is %s', async (code, meaning) => {
  const { devnet, broadcaster, fund, sign } = await start()
  fund(rich)
  const transfer = await sign()
  devnet.addFaults({ kind: 'refuse', code: code as RefusalCode })
  const sent = broadcaster.broadcast(transfer)
  if (meaning === 'unavailable') await expect(sent).rejects.toThrow(code)
  else expect(await sent).toBe(meaning)
})

test('an answer for another transaction and an unknown code are Unavailable', async () => {
  const { devnet, broadcaster, fund, sign } = await start()
  fund(rich)
  const transfer = await sign()
  devnet.addFaults({ kind: 'alter', at: '/txid', to: 'f'.repeat(64), times: 1 })
  await expect(broadcaster.broadcast(transfer)).rejects.toThrow('the node answered')
  devnet.addFaults({ kind: 'rewrite', rewrite: () => ({ code: 'NEW_ERROR' }) })
  await expect(broadcaster.broadcast(transfer)).rejects.toBeInstanceOf(Unavailable)
})

test('a 200 with {"Error"} is Unavailable', async () => {
  const { devnet, broadcaster, fund, sign } = await start()
  fund(rich)
  const transfer = await sign()
  devnet.addFaults({ kind: 'busy' })
  await expect(broadcaster.broadcast(transfer)).rejects.toThrow('lack of computing resources')
})

test('a transfer that was never sent is absent through a growing solid block', async () => {
  const { devnet, broadcaster, fund, sign } = await start()
  fund(rich)
  const { txHash, expiresAt } = await sign(accountAt(bruno), 30)
  const throughAt = async (): Promise<Date> => {
    const outcome = await broadcaster.outcome(txHash)
    if (outcome.type !== 'absent') throw new Error(outcome.type)
    const { number, id } = devnet.head('solid')
    expect(outcome.through.number).toBeLessThan(number)
    expect(outcome.through.id).not.toBe(id)
    return outcome.through.at
  }
  expect((await throughAt()).getTime()).toBeLessThan(expiresAt.getTime())
  devnet.mine(30)
  expect((await throughAt()).getTime()).toBeGreaterThanOrEqual(expiresAt.getTime())
})

test('while the solid block is stalled, `through` does not grow', async () => {
  const { devnet, broadcaster, fund, sign } = await start()
  fund(rich)
  const { txHash, expiresAt } = await sign(accountAt(bruno), 30)
  devnet.stallSolid()
  devnet.mine(100)
  const outcome = await broadcaster.outcome(txHash)
  expect(outcome.type === 'absent' && outcome.through.at < expiresAt).toBe(true)
})

test('without a solid block the outcome is Unavailable', async () => {
  const { devnet, broadcaster, fund, sign } = await start()
  fund(rich)
  const { txHash } = await sign()
  devnet.addFaults({ kind: 'empty', on: 'walletsolidity/getblock' })
  await expect(broadcaster.outcome(txHash)).rejects.toThrow('the node has no solid block')
})

test('a transfer missing at a stale replica is not absent at its block', async () => {
  const { devnet, broadcaster, solidify, fund, sign } = await start({ replicaLagBlocks: 5 })
  fund(rich)
  const transfer = await sign(accountAt(carla), 6)
  await broadcaster.broadcast(transfer)
  const block = solidify()
  devnet.mine(4)
  devnet.addFaults({ kind: 'stale', blocks: 5, on: 'walletsolidity/gettransactioninfobyid' })
  const outcome = await broadcaster.outcome(transfer.txHash)
  expect(outcome.type === 'absent' && outcome.through.number < block).toBe(true)
})

test('a transaction that becomes solid during the lookup is absent at an earlier block', async () => {
  const { devnet, broadcaster, solidify, fund, sign } = await start({ replicaLagBlocks: 0 })
  fund(rich)
  const transfer = await sign(accountAt(carla), 60)
  await broadcaster.broadcast(transfer)
  const { number } = devnet.mine()
  devnet.addFaults({ kind: 'hang', when: 'after', on: 'walletsolidity/gettransactioninfobyid', times: 1 })
  const asked = broadcaster.outcome(transfer.txHash)
  await devnet.untilHanging(1) // The node has looked it up, and has not answered.
  solidify()
  devnet.release()
  const outcome = await asked
  expect(outcome.type === 'absent' && outcome.through.number).toBeLessThan(number)
  expect(await broadcaster.outcome(transfer.txHash)).toEqual({ type: 'confirmed' })
})
