import { type TronDevnet } from '@quipu/simulators'
import { type RecordedSpan, type RecordedSpans, recordSpans } from '@quipu/tracing/testing'
import { tronAddressFormat } from '@quipu/tron'
import { expect, test, vi } from 'vitest'
import { chainEnvironment, solidLag, startChain } from '../harness/chain.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { startTestSqs } from '../harness/sqs.fixture.ts'
import { sweepOperator, treasury } from '../harness/sweeps.fixture.ts'
import { operatorToken } from '../harness/tenant.fixture.ts'
import { secrets, tracedService } from './tracing.fixture.ts'

/** Whether a recorded span with its parents has this path of names, from the root on. */
function hasPath(spans: readonly RecordedSpan[], path: string): boolean {
  const byId = new Map(spans.map((span) => [span.spanId, span]))
  const pathTo = ({ name, parentId = '' }: RecordedSpan): string => {
    const parent = byId.get(parentId)
    return parent ? `${pathTo(parent)} > ${name}` : name
  }
  return spans.some((span) => path.endsWith(span.name) && pathTo(span) === path)
}

const untilRecorded = (recorded: RecordedSpans, path: string) =>
  until(`a span ${path}`, () => hasPath(recorded.spans(), path))

/** Mines until the trees of spans have this path. */
const mineUntilRecorded = (recorded: RecordedSpans, chain: TronDevnet, path: string) =>
  until(`a span ${path}`, () => {
    chain.mine()
    return hasPath(recorded.spans(), path)
  })

const ownWallet = tronAddressFormat.format('3b'.repeat(20))
const sender = tronAddressFormat.format('5e'.repeat(20))

const isFrom = (span: RecordedSpan, name: string): boolean => span.name === name && span.parentId === undefined

test('faucet send, deposit, queued delivery, sweep and reconciliation have spans', { tags: 'long' }, async () => {
  await using resources = new AsyncDisposableStack()
  const recorded = resources.adopt(recordSpans(), (it) => it.stop())
  const chain = resources.adopt(await startChain(), (it) => it.stop())
  chain.mine(solidLag + 1)
  const sqs = resources.adopt(await startTestSqs(), (it) => it.stop())
  for (const [name, value] of Object.entries(sqs.env)) if (name.startsWith('AWS_')) vi.stubEnv(name, value)
  resources.defer(() => void vi.unstubAllEnvs())
  const service = resources.use(
    await tracedService({
      ...(await chainEnvironment(chain)),
      ...sqs.env,
      SWEEP_TREASURY_ADDRESS: treasury,
      TRON_CHECK_REQUESTS_PER_SECOND: '1000',
    }),
  )
  const wallet = (await service.ask('GET', '/v1/wallets')).json
  const [{ address }] = (wallet as { top_up_addresses: [{ address: string }] }).top_up_addresses

  chain.setTokenBalance(sender, 10n ** 12n)
  chain.transfer({ from: sender, to: address, value: 25_000_000n })
  // The transfer's block is not solid yet: a deposit whose block is solid at its first scan is never pending.
  chain.mine(solidLag)
  await untilRecorded(recorded, 'scan head blocks > deliver event > POST')
  const body = { chain: 'tron', address: ownWallet, amount: '25.00' }
  await service.ask('POST', '/v1/sandbox/faucet', body, { 'idempotency-key': 'traced' })
  for (const path of [
    'settle faucet send > POST /walletsolidity/gettransactioninfobyid',
    'scan head blocks > POST /wallet/getblockbynum',
    'settle deposit > deliver event > POST',
    'queue deliveries > send deliveries',
    'queue deliveries > send deliveries > process message > claim_delivery',
    'receive messages > receive deliveries',
  ])
    await mineUntilRecorded(recorded, chain, path)
  const named = (name: string) => recorded.spans().filter((span) => span.name === name)
  // A delivery that its message was late for has none, and the span of a message ends after those of its deliveries.
  await until('each delivery of a message is linked to it', () => {
    const messages = new Set(named('process message').map(({ spanId }) => spanId))
    const linked = named('deliver event').flatMap((span) => span.links)
    return linked.length > 0 && linked.every(({ spanId }) => messages.has(spanId))
  })
  const links = named('receive deliveries').flatMap((span) => span.links)
  expect(named('send deliveries').map(({ spanId }) => spanId)).toContain(links[0]?.spanId)
  for (const name of ['settle faucet send', 'settle deposit']) {
    const [first] = named(name)
    expect(first?.attributes).toMatchObject({ 'quipu.tenant.id': expect.stringMatching(/^ten_/) })
  }

  chain.fund(address, { sun: 100_000_000n })
  const database = { query: (text: string) => service.database.asOwner(text) }
  const operator = sweepOperator({ chain, database } as never, service)
  const batch = await operator.plan()
  expect(await operator.importSigned(batch, await operator.sign(batch))).toEqual(['signed'])
  await operator.ask('POST', '/operator/v1/reconciliation-runs', { check: 'chain' })
  for (const path of [
    'settle sweep > POST /wallet/broadcasttransaction',
    'reconcile chain > advance_reconciliation',
    'reconcile network > claim_reconciliation',
  ])
    await mineUntilRecorded(recorded, chain, path)
  const sweep = recorded.spans().find((span) => isFrom(span, 'settle sweep'))
  expect(sweep?.attributes).toMatchObject({ 'quipu.sweep.batch.id': batch })
  const slice = recorded.spans().find(({ attributes }) => attributes['quipu.reconciliation.result'] === 'completed')
  expect(slice?.attributes).toHaveProperty(['quipu.reconciliation.run.id'])
  const text = JSON.stringify(recorded.spans())
  const hidden = [...Object.values(secrets), service.apiKey, operatorToken, address, '25.00']
  expect(hidden.filter((one) => text.includes(one))).toEqual([])
})
