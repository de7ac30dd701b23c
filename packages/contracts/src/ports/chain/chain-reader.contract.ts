import { describe, expect, test } from 'vitest'
import { useResource } from '../../fixtures/resource.ts'
import {
  balanceOf,
  blockAt,
  type ChainDriver,
  chainTimeout,
  type OpenChainDriver,
  send,
  signed,
} from './chain-driver.ts'

/** The contract of a `ChainReader`, on any chain that a driver moves. */
export function chainReaderContract(name: string, open: OpenChainDriver): void {
  describe(`chain reader on ${name}`, chainTimeout, () => {
    const driver = useResource(open)
    blocksContract(driver)
    transfersContract(driver)
    tokenContract(driver)
    forkContract(driver)
  })
}

function blocksContract(driver: () => ChainDriver): void {
  test('the solid head is not above the head, and both are blocks', async () => {
    const { reader } = driver()
    const solid = await reader.head('solid')
    const head = await reader.head('head')
    expect(solid.number).toBeLessThanOrEqual(head.number)
    expect(solid.at.getTime()).toBeLessThanOrEqual(head.at.getTime())
    expect(await reader.ref('solid', solid.number)).toEqual(solid)
    expect(await reader.ref('head', solid.number)).toEqual(solid)
  })

  test('a future block is undefined in both views', async () => {
    const { reader } = driver()
    for (const view of ['head', 'solid'] as const) {
      const { number } = await reader.head(view)
      expect(await reader.block(view, number + 1_000)).toBeUndefined()
      expect(await reader.ref(view, number + 1_000)).toBeUndefined()
    }
  })

  test('each block has the id that it is referred to by, and names its parent', async () => {
    const h = driver()
    const { number } = await h.reader.head('solid')
    const block = await blockAt(h, 'solid', number)
    const { id, at } = block
    expect(await h.reader.ref('solid', number)).toEqual({ number, id, at })
    if (number > 1) expect(block.parentId).toBe((await blockAt(h, 'solid', number - 1)).id)
  })
}

function transfersContract(driver: () => ChainDriver): void {
  test('a transfer is in a block of the head, then in the same solid block', async () => {
    const h = driver()
    const to = h.newAccount()
    const { txHash, expiresAt } = await send(h, to, 7n)
    const number = await h.until('head', txHash)
    const found = await blockAt(h, 'head', number)
    expect(found.transactions).toContain(txHash)
    const from = h.signer.account
    expect(found.transfers).toContainEqual({ txHash, index: 0, from, to, value: 7n, expiresAt })
    if ((await h.reader.head('solid')).number < number) expect(await h.reader.block('solid', number)).toBeUndefined()
    const solid = await blockAt(h, 'solid', await h.until('solid', txHash))
    expect(solid.transfers).toContainEqual({ txHash, index: 0, from, to, value: 7n, expiresAt })
  })

  test('a transfer of nothing is one of zero', async () => {
    const h = driver()
    const { txHash } = await send(h, h.newAccount(), 0n)
    const { transfers } = await blockAt(h, 'head', await h.until('head', txHash))
    expect(transfers.filter((each) => each.txHash === txHash)).toMatchObject([{ value: 0n }])
  })

  test('a transfer that failed is a transaction without a transfer', async () => {
    const h = driver()
    const balance = (await balanceOf(h, h.signer.account)) ?? 0n
    const transfer = await signed(h, h.newAccount(), balance * 2n)
    expect(await h.broadcaster.broadcast(transfer)).toBe('accepted')
    const block = await blockAt(h, 'head', await h.until('head', transfer.txHash))
    expect(block.transactions).toContain(transfer.txHash)
    expect(block.transfers.filter(({ txHash }) => txHash === transfer.txHash)).toEqual([])
  })
}

function tokenContract(driver: () => ChainDriver): void {
  test('an account on the token’s blacklist is blocked while it is listed', async () => {
    const h = driver()
    const [listed, other] = [h.newAccount(), h.newAccount()]
    expect(await h.reader.isBlocked(listed)).toBe(false)
    await h.setBlacklisted(listed, true)
    expect(await h.reader.isBlocked(listed)).toBe(true)
    expect(await h.reader.isBlocked(other)).toBe(false)
    await h.setBlacklisted(listed, false)
    expect(await h.reader.isBlocked(listed)).toBe(false)
  })

  test('a token is paused while it is', async () => {
    const h = driver()
    expect(await h.reader.tokenState()).toBe('normal')
    await h.setPaused(true)
    expect(await h.reader.tokenState()).toBe('paused')
    await h.setPaused(false)
    expect(await h.reader.tokenState()).toBe('normal')
  })
}

function forkContract(driver: () => ChainDriver): void {
  test('a fork replaces a block by one of the same number', async () => {
    const h = driver()
    const { txHash } = await send(h, h.newAccount(), 1n)
    const number = await h.until('head', txHash)
    const before = await blockAt(h, 'head', number)
    expect(before.transactions).toContain(txHash)
    if (!h.fork) return // Nobody can fork this chain.
    await h.fork(txHash)
    const after = await blockAt(h, 'head', number)
    expect(after.parentId).toBe(before.parentId)
    expect(after.id).not.toBe(before.id)
    expect(after.transactions).not.toContain(txHash)
    expect((await blockAt(h, 'head', number + 1)).parentId).toBe(after.id)
  })
}
