import { describe, expect, test } from 'vitest'
import { usdt } from '@quipu/core'
import { useResource } from '../../fixtures/resource.ts'
import { balanceOf, type ChainDriver, chainTimeout, type OpenChainDriver, send, signed } from './chain-driver.ts'

/** The contract of a `Broadcaster` and a `TransferSigner`, on any chain that a driver moves. */
export function broadcasterContract(name: string, open: OpenChainDriver): void {
  describe(`broadcaster on ${name}`, chainTimeout, () => {
    const driver = useResource(open)
    prepareContract(driver)
    broadcastContract(driver)
    outcomeContract(driver)
  })
}

const one = usdt(1n)

function prepareContract(driver: () => ChainDriver): void {
  test('a transfer that can be paid has a fee limit', async () => {
    const { broadcaster, signer, newAccount } = driver()
    const limit = await broadcaster.prepare(signer.account, newAccount(), one)
    expect(typeof limit === 'bigint' && limit > 0n).toBe(true)
  })

  test('more tokens than the account has are insufficient', async () => {
    const h = driver()
    const balance = (await balanceOf(h, h.signer.account)) ?? 0n
    const more = usdt(balance * 2n)
    const { broadcaster, signer } = h
    expect(await broadcaster.prepare(signer.account, h.newAccount(), more)).toBe('insufficient')
  })

  test('an account with tokens and without TRX is insufficient', async () => {
    const h = driver()
    const poor = h.newAccount()
    await h.until('solid', (await send(h, poor, 5n)).txHash)
    expect(await h.broadcaster.prepare(poor, h.newAccount(), one)).toBe('insufficient')
  })

  test('what the token refuses is refused: a blocked account, a paused token', async () => {
    const h = driver()
    const blocked = h.newAccount()
    await h.until('solid', (await send(h, blocked, 5n)).txHash)
    await h.setBlacklisted(blocked, true)
    expect(await h.broadcaster.prepare(blocked, h.newAccount(), one)).toBe('refused')
    await h.setPaused(true)
    const { account } = h.signer
    expect(await h.broadcaster.prepare(account, h.newAccount(), one)).toBe('refused')
    await h.setPaused(false)
    expect(await h.broadcaster.prepare(account, h.newAccount(), one)).toBeTypeOf('bigint')
  })

  test('every account but the zero account and the token’s contract can receive', () => {
    const { broadcaster, tokenContract, newAccount, signer } = driver()
    expect(broadcaster.canReceive('0'.repeat(40))).toBe(false)
    expect(broadcaster.canReceive(tokenContract)).toBe(false)
    expect(broadcaster.canReceive(newAccount())).toBe(true)
    expect(broadcaster.canReceive(signer.account)).toBe(true)
  })
}

function broadcastContract(driver: () => ChainDriver): void {
  test('the same bytes can be sent again, pending and mined, and move the tokens once', async () => {
    const h = driver()
    const to = h.newAccount()
    const transfer = await signed(h, to, 3n)
    expect(await h.broadcaster.broadcast(transfer)).toBe('accepted')
    const again = async (): Promise<void> =>
      expect(['accepted', 'duplicate']).toContain(await h.broadcaster.broadcast(transfer))
    await again()
    await h.until('head', transfer.txHash)
    await again()
    await h.until('solid', transfer.txHash)
    await again()
    expect(await balanceOf(h, to)).toBe(3n)
  })

  test('two equal transfers are two, and both move tokens', async () => {
    const h = driver()
    const to = h.newAccount()
    const [first, second] = [await signed(h, to, 4n), await signed(h, to, 4n)]
    expect(first.txHash).not.toBe(second.txHash)
    await Promise.all([h.broadcaster.broadcast(first), h.broadcaster.broadcast(second)])
    await h.until('solid', first.txHash)
    await h.until('solid', second.txHash)
    expect(await balanceOf(h, to)).toBe(8n)
  })

  test('an expired transfer is stopped, also when it is sent again', async () => {
    const h = driver()
    const expired = await signed(h, h.newAccount(), 1n, -1)
    expect(await h.broadcaster.broadcast(expired)).toBe('stopped')
    expect(['stopped', 'duplicate']).toContain(await h.broadcaster.broadcast(expired))
  })
}

function outcomeContract(driver: () => ChainDriver): void {
  test('a transfer is absent until it is solid, then confirmed', async () => {
    const h = driver()
    const transfer = await signed(h, h.newAccount(), 1n)
    const before = await h.broadcaster.outcome(transfer.txHash)
    expect(before).toMatchObject({ type: 'absent' })
    if (before.type === 'absent') expect(before.through.at.getTime()).toBeLessThan(transfer.expiresAt.getTime())
    await h.broadcaster.broadcast(transfer)
    const number = await h.until('head', transfer.txHash)
    if ((await h.reader.head('solid')).number < number)
      expect(await h.broadcaster.outcome(transfer.txHash)).toMatchObject({ type: 'absent' })
    await h.until('solid', transfer.txHash)
    expect(await h.broadcaster.outcome(transfer.txHash)).toEqual({ type: 'confirmed' })
  })

  test('a transfer that moved nothing has failed', async () => {
    const h = driver()
    const balance = (await balanceOf(h, h.signer.account)) ?? 0n
    const transfer = await send(h, h.newAccount(), balance * 2n)
    await h.until('solid', transfer.txHash)
    expect(await h.broadcaster.outcome(transfer.txHash)).toEqual({ type: 'failed' })
  })

  test('the block up to which a transfer is absent is an earlier solid block, and grows', async () => {
    const h = driver()
    const { txHash } = await signed(h, h.newAccount(), 1n)
    const through = async (): Promise<number> => {
      const outcome = await h.broadcaster.outcome(txHash)
      if (outcome.type !== 'absent') throw new Error(`it is ${outcome.type}`)
      const { number, id } = outcome.through
      expect((await h.reader.ref('solid', number))?.id).toBe(id)
      return number
    }
    const first = await through()
    await h.until('solid', (await send(h, h.newAccount(), 1n)).txHash)
    expect(await through()).toBeGreaterThan(first)
  })

  test('after a fork the same bytes repeat the transfer', async () => {
    const h = driver()
    const to = h.newAccount()
    const transfer = await send(h, to, 6n)
    await h.until('head', transfer.txHash)
    await h.fork?.(transfer.txHash)
    expect(['accepted', 'duplicate']).toContain(await h.broadcaster.broadcast(transfer))
    await h.until('solid', transfer.txHash)
    expect(await balanceOf(h, to)).toBe(6n)
  })
}
