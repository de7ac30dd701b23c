import { openWebhookHarness, type WebhookHarness } from '../harness/webhook-harness.fixture.ts'
import { chainEnvironment, solidLag, startChain } from '../harness/chain.fixture.ts'
import { depositsOf, topUpAddressOf } from '../harness/deposit-harness.fixture.ts'
import { type Program, until } from '../harness/process.fixture.ts'
import type { ApiUrls, WorkerUrl } from '../harness/programs.fixture.ts'
import { closedQr, operatorToken, type Payout, type Tenant } from '../harness/tenant.fixture.ts'
import type { TronDevnet } from '@quipu/simulators'
import { tronAddressFormat } from '@quipu/tron'
import { screeningList } from '../../start/environment.ts'
import { rateServer } from '../harness/listener.fixture.ts'

type Started = Program & ApiUrls & Tenant

/** Two APIs and a worker after one of each kind of work. */
export type Observed = AsyncDisposable & {
  readonly harness: WebhookHarness
  readonly apis: readonly [Started, Started]
  readonly worker: Program & WorkerUrl
  /** Every line that they have written. */
  lines(): readonly Readonly<Record<string, unknown>>[]
  /** Texts that no line may contain. */
  readonly secrets: readonly string[]
}

const ownWallet = tronAddressFormat.format('3b'.repeat(20))
const sender = tronAddressFormat.format('5e'.repeat(20))

/** The metrics of a process as text. */
export async function scrape(url: string): Promise<string> {
  const answer = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${operatorToken}` } })
  if (answer.status !== 200) throw new Error(`${url}/metrics answered ${answer.status}`)
  return answer.text()
}

export async function openObserved(): Promise<Observed> {
  const resources = new AsyncDisposableStack()
  const stop = (it: { stop(): Promise<void> }) => it.stop()
  const chain = resources.adopt(await startChain(), stop)
  chain.setTokenBalance(sender, 10n ** 15n)
  chain.mine(solidLag + 1)
  const broker = resources.adopt(await rateServer(), stop)
  const exchange = resources.adopt(await rateServer(), stop)
  const sources = Object.entries({ broker, exchange }).map(([name, { url }]) => ({
    name,
    url,
    bid_path: 'bid',
    time_path: 'time',
  }))
  const chainSettings = await chainEnvironment(chain)
  const settings = {
    ...chainSettings,
    RATE_SOURCE: 'composite',
    RATE_SOURCES: JSON.stringify(sources),
    LEDGER_CHECK_SECONDS: '1',
    AUDIT_CHECKPOINT_KEY: 'a5'.repeat(32),
    LOG_LEVEL: 'debug',
    NETWORK_LIQUIDITY_FLOOR_BOB: '1.00',
    SCREENING_FILE: screeningList,
  }
  const harness = resources.use(await openWebhookHarness(settings))
  const apis = [await harness.startApi(), await harness.startApi()] as const
  const [api] = apis
  const worker = await harness.startWorker()
  const output = (): string => [...apis, worker].map((program) => program.output()).join('\n')

  const contents = await workThrough(harness, chain, { api, worker })
  await until('the liquidity is read', async () =>
    /^quipu_network_liquidity_bob /m.test(await scrape(worker.workerUrl)),
  )
  return {
    harness,
    apis,
    worker,
    lines: () =>
      output()
        .split('\n')
        .filter((line) => line.startsWith('{') && line.endsWith('}'))
        .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>),
    secrets: [
      operatorToken,
      harness.receiver.secret,
      ...contents,
      'whsec_',
      'the-token-of-the-network',
      'the secret of the callbacks',
      '0f'.repeat(32),
      '5e'.repeat(32),
      'a5'.repeat(32),
      chainSettings.TRON_XPUB,
      'postgres://',
      'v1=',
    ],
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Brings about one unit of work of each kind. @returns the contents of the QRs that were paid */
async function workThrough(
  harness: WebhookHarness,
  chain: TronDevnet,
  { api, worker }: { readonly api: Started; readonly worker: Program },
): Promise<readonly string[]> {
  await harness.register(api)
  chain.transfer({ from: sender, to: await topUpAddressOf(api), value: 25_000_000n })
  chain.mine(solidLag + 2)
  await until('the deposit is credited', async () =>
    (await depositsOf(api)).some(({ status }) => status === 'credited'),
  )
  const asked = await api.askFaucet({ key: 'once', body: { chain: 'tron', address: ownWallet, amount: '1.00' } })
  if (asked.status !== 201) throw new Error(`the faucet answered ${JSON.stringify(asked)}`)
  const contents = (['paid', 'late'] as const).map((scenario) => harness.network.issueQr(closedQr(scenario)).content)
  const [paid, late] = await Promise.all(
    contents.map(async (content) => (await api.pay(await api.order(content))).json as Payout),
  )
  if (paid?.status !== 'completed' || late?.status !== 'processing')
    throw new Error(`unexpected payouts: ${JSON.stringify([paid, late])}`)
  await worker.untilOutput(/"unit":"payout".*"result":"completed"/)
  await worker.untilOutput(/"unit":"faucet_send"/)
  chain.mine(solidLag + 2)
  // So that no worker finds it due in a later test.
  await worker.untilOutput(/"unit":"faucet_send".*"result":"confirmed"/)
  await worker.untilOutput(/"unit":"deliveries".*"result":"delivered"/)
  return contents
}
