import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { usdt } from '@quipu/core'
import { expect, onTestFinished, test } from 'vitest'
import type { Chain } from '../ports.ts'
import { type TronWorkerSettings, WorkerSettings } from '../settings/settings.ts'
import { tronChain } from './chain.ts'

type Seen = { readonly name: string; readonly path: string; readonly key: string | undefined }

const token = 'TG3XXyExBkPp9nzdajDZsozEu4BkaSJozs'
const configured = '0'.repeat(64)

type Asked = { readonly id_or_num?: string; readonly value?: string; readonly function_selector?: string }

/** The answer to a question of the check at the start; undefined to any other one. */
const shown = (blockID: string, { id_or_num, value, function_selector }: Asked): object | undefined => {
  if (id_or_num === '0') return { blockID, block_header: { raw_data: { parentHash: configured } } }
  if (value !== undefined) return { contract_address: value }
  if (function_selector !== 'decimals()') return undefined
  return { result: { result: true }, constant_result: ['6'.padStart(64, '0')] }
}

/** Nodes that show their chain and refuse every other request, which they record by their name. */
async function nodes(names: readonly string[], chain = configured) {
  const seen: Seen[] = []
  const urls = await Promise.all(
    names.map(async (name) => {
      const server = createServer((request, response) => {
        const { url = '', headers } = request
        void json(request).then((asked) => {
          const answer = shown(chain, asked as Asked)
          if (answer === undefined) seen.push({ name, path: url, key: headers['tron-pro-api-key']?.toString() })
          response.writeHead(answer ? 200 : 400).end(JSON.stringify(answer))
        })
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
  const { urls, seen } = await nodes(['full', 'solidity', 'other full', 'other solidity'])
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
  const { urls, seen } = await nodes(['full', 'other full'])
  const [full = '', otherFull = ''] = urls
  const { reader, verifier } = chainOf({ TRON_NODE_URL: full, TRON_VERIFIER_URL: otherFull })
  await ask(reader.head('solid'), verifier?.head('solid'))
  expect(seen.map(({ name, key }) => [name, key]).toSorted()).toEqual([
    ['full', undefined],
    ['other full', undefined],
  ])
})

test('a sender that the operator blocks is blocked at both providers', async () => {
  const { urls, seen } = await nodes(['full', 'other full'])
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
  const { urls, seen } = await nodes(['full', 'other full'])
  const [full = '', otherFull = ''] = urls
  const { reader, verifier, checkReader, stop } = chainOf({ TRON_NODE_URL: full, TRON_VERIFIER_URL: otherFull })
  await stop()
  await ask(reader.head('head'), verifier?.head('head'), checkReader.isBlocked('0'.repeat(40)))
  expect(seen).toEqual([])
})

test('a node of another chain is asked for nothing: no scan, deposit, credit, sweep or send is decided by it', async () => {
  const { urls, seen } = await nodes(['full', 'other full'], `${'0'.repeat(16)}${'1'.repeat(48)}`)
  const [full = '', otherFull = ''] = urls
  const { reader, verifier, checkReader, balances, broadcaster, sweepChain } = chainOf({
    TRON_NODE_URL: full,
    TRON_VERIFIER_URL: otherFull,
    TRON_REQUESTS_PER_SECOND: '1000',
    TRON_CHECK_REQUESTS_PER_SECOND: '1000',
  })
  const [account, hash] = ['ab'.repeat(20), 'ab'.repeat(32)]
  const transfer = { txHash: hash, bytes: new Uint8Array([1]), expiresAt: new Date(0) }
  const questions = [reader, verifier].flatMap((each) => [
    each?.head('solid'),
    each?.block('solid', 7),
    each?.blockOf(hash),
    each?.isBlocked(account),
    each?.tokenState(),
  ])
  const answers = await Promise.allSettled([
    ...questions,
    checkReader.isBlocked(account),
    balances.tokenBalances([account]),
    broadcaster.outcome(hash),
    broadcaster.broadcast(transfer),
    sweepChain.tokenBalances([account]),
    sweepChain.cost(account, account, usdt(1n)),
  ])
  expect(answers).toHaveLength(16)
  for (const answer of answers)
    expect(answer).toMatchObject({
      reason: { dependency: 'chain', message: expect.stringContaining('belongs to') as unknown },
    })
  expect(seen).toEqual([])
})
