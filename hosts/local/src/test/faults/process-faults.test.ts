import { afterAll, describe, test } from 'vitest'
import { openDepositHarness } from '../harness/deposit-harness.fixture.ts'
import { rateServer } from '../harness/listener.fixture.ts'
import { openPayoutHarness } from '../harness/payout-harness.fixture.ts'
import { until } from '../harness/process.fixture.ts'
import { alertGateway } from './alert-gateway.fixture.ts'
import { openConsole } from './console.fixture.ts'
import { alertAfter, alertLines, learnedFrom, printMeasured } from './faults.fixture.ts'

// Each fault that no row has: a missing process, a clock, a scan, a check, a source of the rate.

afterAll(printMeasured)

// Each waits for settings that cannot be short, so all wait at once.
describe.concurrent('faults of processes', () => {
  test(
    'a missing worker: alerted by the API until another one has replaced it',
    { tags: 'long' },
    async ({ expect }) => {
      await using gateway = await alertGateway()
      await using harness = await openPayoutHarness()
      const api = await harness.startApi({ ...gateway.env, PROCESS_MISSING_SECONDS: '15' })
      const learned = learnedFrom(api.operatorUrl)
      await using open = await openConsole(api.operatorUrl, '/')
      const stopped = await harness.startWorker()
      const killed = await harness.startWorker()
      const workers = async () => (await learned.processes()).filter(({ program }) => program === 'worker')
      const [, id] = /"process":"(prc_\w+)"/.exec(killed.output()) ?? []
      await until('both workers are recorded', async () => (await workers()).length === 2)
      stopped.signal('SIGTERM')
      await stopped.ended
      expect((await workers()).map((each) => each.id)).toEqual([id])

      // A busy machine may start the workers so late that their absence is alerted as well.
      const before = api.output().length
      const alerts = () => alertLines(api.output().slice(before)).map(({ alert }) => alert)
      const missing = { alert: 'PROCESS_MISSING', subject: id ?? '' }
      await alertAfter('a missing worker', () => killed.kill(), api, missing)
      await until('the lack of workers is alerted', () => alerts().includes('NO_WORKER'))
      expect(await learned.faults()).toEqual(['PROCESS_MISSING', 'NO_WORKER'])
      expect(await learned.metric('quipu_processes{program="worker"}')).toBe(0)
      expect(await learned.metric('quipu_processes_missing{program="worker"}')).toBe(1)
      for (const code of ['PROCESS_MISSING', 'NO_WORKER']) await open.shows(code)
      expect(await gateway.got('NO_WORKER', 'raised')).toMatchObject({
        severity: 'page',
        subject: 'worker',
        ended_at: null,
      })

      await harness.startWorker()
      await api.untilOutput(/"fault":"PROCESS_MISSING".*has ended/)
      expect(await learned.faults()).toEqual([])
      expect(alerts()).toEqual(['PROCESS_MISSING', 'NO_WORKER'])
      for (const code of ['PROCESS_MISSING', 'NO_WORKER']) await gateway.got(code, 'resolved')
    },
  )

  test('a scan that has halted, and a ledger check that has', async ({ expect }) => {
    await using gateway = await alertGateway()
    await using harness = await openDepositHarness()
    const { chain, database } = harness
    const settings = { ...gateway.env, SCAN_BEHIND_SECONDS: '5', LEDGER_UNCHECKED_SECONDS: '5' }
    const api = await harness.startApi(settings)
    const learned = learnedFrom(api.operatorUrl)
    await harness.startWorker({ LEDGER_CHECK_SECONDS: '1' })
    chain.mine()
    const behind = 'quipu_scan_behind_seconds{chain="tron",view="head"}'
    const head = { alert: 'SCAN_BEHIND', subject: 'tron head', isStanding: true, gateway }
    const noBlock = () => learned.untilMetric(behind, (value) => value > 0)
    await alertAfter('a scan halted', noBlock, api, head)
    await learned.untilMetric('quipu_faults_open{code="SCAN_BEHIND"}', (value) => value > 0)
    await expect.poll(learned.faults).toContain('SCAN_BEHIND')

    const locked = Promise.withResolvers<() => Promise<void>>()
    const lock = async () => locked.resolve(await database.lockTable('ledger_check'))
    const unchecked = { alert: 'LEDGER_UNCHECKED', subject: 'ledger', isStanding: true, gateway }
    await alertAfter('a ledger check halted', lock, api, unchecked)
    await learned.untilMetric('quipu_faults_open{code="LEDGER_UNCHECKED"}', (value) => value > 0)
    await expect.poll(learned.faults).toContain('LEDGER_UNCHECKED')
    await learned.untilMetric('quipu_ledger_unchecked_seconds', (value) => value > 5)
    await (
      await locked.promise
    )()
    await api.untilOutput(/"fault":"LEDGER_UNCHECKED".*has ended/)
    await gateway.got('LEDGER_UNCHECKED', 'resolved')
    const mining = setInterval(() => chain.mine(), 200)
    await gateway.got('SCAN_BEHIND', 'resolved', 'tron head').finally(() => clearInterval(mining))
  })

  // Sources are polled every 30 s and read every 15 s: each fault takes up to 50 s.
  test('a wrong source of the rate, and one that does not answer', async ({ expect }) => {
    await using gateway = await alertGateway()
    await using resources = new AsyncDisposableStack()
    const harness = resources.use(await openPayoutHarness())
    const [broker, exchange] = [resources.use(await rateServer()), resources.use(await rateServer())]
    const sources = Object.entries({ broker, exchange }).map(([name, { url }]) => ({
      name,
      url,
      bid_path: 'bid',
      time_path: 'time',
    }))
    const api = await harness.startApi({
      ...gateway.env,
      RATE_SOURCE: 'composite',
      RATE_SOURCES: JSON.stringify(sources),
      RATE_FAULT_SECONDS: '1',
    })
    const learned = learnedFrom(api.operatorUrl)
    await learned.untilMetric('quipu_rate_available', (value) => value === 1)

    const misquote = () => void (exchange.bid = '12.0000')
    await alertAfter('a rate source wrong', misquote, api, {
      alert: 'RATE_SOURCES_DISAGREE',
      subject: 'rates',
      detail: /broker bids 9\.9500, exchange bids 12\.0000/,
      gateway,
    })
    expect(await learned.faults()).toEqual(expect.arrayContaining(['RATE_SOURCES_DISAGREE']))
    expect(await learned.metric('quipu_rate_spread_bps')).toBeGreaterThan(200)

    await alertAfter('a rate source that does not answer', () => exchange.stop(), api, {
      alert: 'RATE_SOURCE_FAILED',
      subject: 'exchange',
      gateway,
    })
    expect(await learned.metric('quipu_rate_source_usable{source="exchange"}')).toBe(0)
    expect(await learned.metric('quipu_rate_available')).toBe(0)
    await gateway.got('RATE_SOURCES_DISAGREE', 'resolved')
  })
})
