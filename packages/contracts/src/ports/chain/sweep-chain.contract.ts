import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { useResource } from '../../fixtures/resource.ts'
import { balanceOf, type ChainDriver, chainTimeout, type OpenChainDriver, orderOf, send } from './chain-driver.ts'

/** The contract of a `SweepChain` and a `BalanceReader`, on any chain that a driver moves. */
export function sweepChainContract(name: string, open: OpenChainDriver): void {
  describe(`sweep chain on ${name}`, chainTimeout, () => {
    const driver = useResource(open)
    balancesContract(driver)
    costContract(driver)
    signingContract(driver)
  })
}

function balancesContract(driver: () => ChainDriver): void {
  test('balances are those of solid blocks, one for each account, also without tokens', async () => {
    const h = driver()
    const [to, empty] = [h.newAccount(), h.newAccount()]
    const { txHash } = await send(h, to, 9n)
    const number = await h.until('head', txHash)
    if ((await h.reader.head('solid')).number < number) expect(await balanceOf(h, to)).toBe(0n)
    await h.until('solid', txHash)
    const { balances, from, through, unread } = await h.sweeps.tokenBalances([to, empty, to])
    expect(balances).toEqual(
      new Map([
        [to, 9n],
        [empty, 0n],
      ]),
    )
    expect(unread).toEqual([])
    expect(from).toBeLessThanOrEqual(through)
  })
}

function costContract(driver: () => ChainDriver): void {
  test('an account without TRX is missing what the transfer needs', async () => {
    const h = driver()
    const poor = h.newAccount()
    await h.until('solid', (await send(h, poor, 5n)).txHash)
    const cost = await h.sweeps.cost(poor, h.signer.account, usdt(5n))
    expect(cost?.trxMissing).toBe(cost?.trxNeeded)
    expect([cost?.energy, cost?.energyFee, cost?.feeLimit].every((each) => each && each > 0n)).toBe(true)
  })

  test('a transfer of more than the account has, or of a blocked one, would revert', async () => {
    const h = driver()
    const account = h.newAccount()
    await h.until('solid', (await send(h, account, 5n)).txHash)
    expect(await h.sweeps.cost(account, h.signer.account, usdt(6n))).toBeUndefined()
    await h.setBlacklisted(account, true)
    expect(await h.sweeps.cost(account, h.signer.account, usdt(5n))).toBeUndefined()
  })
}

const halfADay = 12 * 3_600

function signingContract(driver: () => ChainDriver): void {
  test('a transfer that is signed elsewhere within 12 hours moves the tokens', async () => {
    const h = driver()
    const { account } = h.signer
    const to = h.newAccount()
    const unsigned = await h.sweeps.build(account, await orderOf(h, to, 2n, halfADay))
    const transfer = h.sweeps.join(unsigned, account, await h.signOffline(unsigned.rawHex))
    if (!transfer) throw new Error('the signature was refused')
    expect(transfer.txHash).toBe(unsigned.txHash)
    expect(await h.broadcaster.broadcast(transfer)).toBe('accepted')
    await h.until('solid', transfer.txHash)
    expect(await h.broadcaster.outcome(transfer.txHash)).toEqual({ type: 'confirmed' })
    expect(await balanceOf(h, to)).toBe(2n)
  })

  test('a signature of other bytes, of another account, or none is refused', async () => {
    const h = driver()
    const { account } = h.signer
    const build = async () => h.sweeps.build(account, await orderOf(h, h.newAccount(), 1n, halfADay))
    const [first, second] = [await build(), await build()]
    const signature = await h.signOffline(first.rawHex)
    expect(h.sweeps.join(first, account, signature)).toBeDefined()
    expect(h.sweeps.join(second, account, signature)).toBeUndefined()
    expect(h.sweeps.join(first, h.newAccount(), signature)).toBeUndefined()
    for (const wrong of ['', 'ab'.repeat(64), `${'00'.repeat(64)}1b`])
      expect(h.sweeps.join(first, account, wrong)).toBeUndefined()
  })
}
