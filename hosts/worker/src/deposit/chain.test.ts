import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Chain } from '../ports.ts'
import { type TronWorkerSettings, WorkerSettings } from '../settings/settings.ts'
import { tronChain } from './chain.ts'

type Seen = { readonly name: string; readonly path: string; readonly key: string | undefined }

/** Nodes that refuse every request, and record it by their name. */
async function nodes(...names: readonly string[]) {
  const seen: Seen[] = []
  const urls = await Promise.all(
    names.map(async (name) => {
      const server = createServer(({ url = '', headers }, response) => {
        seen.push({ name, path: url, key: headers['tron-pro-api-key']?.toString() })
        response.writeHead(400).end()
      }).listen(0, '127.0.0.1')
      onTestFinished(() => {
        server.close()
        server.closeAllConnections()
      })
      await once(server, 'listening')
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }),
  )
  return { urls, seen }
}

const token = 'TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs'

function chainOf(env: Record<string, string>): Chain {
  const required = {
    DATABASE_URL: 'postgres://quipu@localhost/quipu',
    QR_NETWORK_URL: 'http://127.0.0.1:1',
    QR_NETWORK_TOKEN: 'member',
    TRON_TOKEN_CONTRACT: token,
    TRON_GENESIS_BLOCK: '00'.repeat(32),
    TRON_XPUB: 'xpub',
    ADDRESS_MAC_KEY: '0f'.repeat(32),
  }
  const settings = WorkerSettings.parse({ ...required, ...env }) as TronWorkerSettings
  const chain = tronChain(settings, (_labels, call) => call())
  onTestFinished(() => chain.stop())
  return chain
}

/** Each question once; all are refused. */
const ask = async (...questions: readonly (Promise<unknown> | undefined)[]): Promise<void> => {
  const answers = await Promise.allSettled(questions.map(async (question) => question))
  expect(answers.map(({ status }) => status)).toEqual(questions.map(() => 'rejected'))
}

test('each question goes to the node of its provider and view, with that provider’s key', async () => {
  const { urls, seen } = await nodes('full', 'solidity', 'other full', 'other solidity')
  const [full = '', solidity = '', otherFull = '', otherSolidity = ''] = urls
  const { reader, verifier, balances, broadcaster, sweepChain } = chainOf({
    TRON_NODE_URL: full,
    TRON_SOLIDITY_NODE_URL: solidity,
    TRON_API_KEY: 'first',
    TRON_VERIFIER_URL: otherFull,
    TRON_VERIFIER_SOLIDITY_URL: otherSolidity,
    TRON_VERIFIER_API_KEY: 'second',
  })
  const asked = async (question: Promise<unknown> | undefined): Promise<readonly unknown[]> => {
    seen.length = 0
    await ask(question)
    return seen.map(({ name, path, key }) => [name, path.split('/')[1], key])
  }
  const firstFull = ['full', 'wallet', 'first']
  const firstSolid = ['solidity', 'walletsolidity', 'first']
  expect(await asked(reader.head('head'))).toEqual([firstFull])
  expect(await asked(reader.block('solid', 7))).toEqual([firstSolid])
  expect(await asked(verifier?.head('head'))).toEqual([['other full', 'wallet', 'second']])
  expect(await asked(verifier?.block('solid', 7))).toEqual([['other solidity', 'walletsolidity', 'second']])
  expect(await asked(balances.tokenBalances(['ab'.repeat(20)]))).toEqual([firstSolid])
  expect(await asked(sweepChain.tokenBalances(['ab'.repeat(20)]))).toEqual([firstSolid])
  expect(await asked(broadcaster.outcome('ab'.repeat(32)))).toEqual([firstSolid])
})

test('without URLs of solidity nodes each full node is asked for both views', async () => {
  const { urls, seen } = await nodes('full', 'other full')
  const [full = '', otherFull = ''] = urls
  const { reader, verifier } = chainOf({ TRON_NODE_URL: full, TRON_VERIFIER_URL: otherFull })
  await ask(reader.head('solid'), verifier?.head('solid'))
  expect(seen.map(({ name, key }) => [name, key]).toSorted()).toEqual([
    ['full', undefined],
    ['other full', undefined],
  ])
})

test('a sender that the operator blocks is blocked at both providers', async () => {
  const { urls, seen } = await nodes('full', 'other full')
  const [full = '', otherFull = ''] = urls
  const { reader, verifier } = chainOf({
    TRON_NODE_URL: full,
    TRON_VERIFIER_URL: otherFull,
    TRON_BLOCKED_ADDRESSES: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb',
  })
  expect(await reader.isBlocked('0'.repeat(40))).toBe(true)
  expect(await verifier?.isBlocked('0'.repeat(40))).toBe(true)
  expect(seen).toEqual([])
})

test('after a stop no node is asked', async () => {
  const { urls, seen } = await nodes('full', 'other full')
  const [full = '', otherFull = ''] = urls
  const { reader, verifier, checkReader, stop } = chainOf({ TRON_NODE_URL: full, TRON_VERIFIER_URL: otherFull })
  await stop()
  await ask(reader.head('head'), verifier?.head('head'), checkReader.isBlocked('0'.repeat(40)))
  expect(seen).toEqual([])
})
