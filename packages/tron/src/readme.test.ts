import { expect, onTestFinished, test } from 'vitest'
import { startFixture } from './devnet.fixture.ts'
import { openTron } from './readme.fixture.ts'
import { tronAddressFormat } from './address/address.ts'

const xpub =
  'xpub6CMS8vSuFxKveud4u7VUNaYANi2sMwdausYUZmZiUGsTZGeduv9UoUymhbG4p91Cs5bVEusXP4M2GTSj7mAJyBwBPANKdonoPXVym5LQuuX'

test('the program of the README opens the configured chain, and no other', async () => {
  const { devnet, solidify } = await startFixture()
  solidify() // The genesis block has transactions, and no receipts.
  const answer = await fetch(`${devnet.url}/wallet/getblockbynum?num=0`)
  const { blockID: genesisBlockId } = (await answer.json()) as { blockID: string }
  const chain = { genesisBlockId, tokenContract: devnet.tokenContract, decimals: 6 }
  const keys = { xpub, privateKey: '01'.repeat(32) }

  const opened = await openTron(devnet.url, chain, keys)
  onTestFinished(() => opened.stop())
  const { account, address } = opened.addresses.derive(0)
  expect(tronAddressFormat.parse(address)).toBe(account)
  const { number, id } = await opened.reader.head('solid')
  expect(await opened.reader.block('solid', number)).toMatchObject({ id, number })

  const other = { ...chain, genesisBlockId: '00'.repeat(32) }
  await expect(openTron(devnet.url, other, keys)).rejects.toThrow(/is configured/)
})
