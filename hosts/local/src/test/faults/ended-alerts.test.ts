import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { screeningList } from '../../start/environment.ts'
import { json } from 'node:stream/consumers'
import { chainEnvironment, solidLag, startChain } from '../harness/chain.fixture.ts'
import { listener } from '../harness/listener.fixture.ts'
import { treasury } from '../harness/sweeps.fixture.ts'
import { openWebhookHarness } from '../harness/webhook-harness.fixture.ts'
import { alertGateway } from './alert-gateway.fixture.ts'
import { learnedFrom } from './faults.fixture.ts'
import { causes, chainSender, type MailGateway, peopleAt, type World } from './ended-alerts.fixture.ts'

const documented = readFileSync(new URL('../../../../../docs/operations/alerts.md', import.meta.url), 'utf8')

test.each(causes)('$cause: the alerts are documented with their time', ({ codes, within }) => {
  const row = documented.split('\n').find((line) => line.startsWith('| ') && line.includes(`\`${codes[0]}\``))
  for (const each of [...codes, within]) expect(row).toContain(each)
})

test(
  'each alert of a running installation is at the gateway, and ends there by a command',
  { tags: 'long' },
  async () => {
    await using gateway = await alertGateway()
    await using resources = new AsyncDisposableStack()
    const chain = resources.adopt(await startChain(), (started) => started.stop())
    chain.setTokenBalance(chainSender, 10n ** 15n)
    chain.mine(solidLag + 1)
    const mail: MailGateway & { received: unknown[] } = { answers: false, received: [] }
    const mails = resources.use(
      await listener(async (request, response) => {
        const notice = await json(request)
        if (mail.answers) mail.received.push(notice)
        response.writeHead(mail.answers ? 202 : 503).end()
      }),
    )
    await using harness = await openWebhookHarness({
      ...gateway.env,
      ...(await chainEnvironment(chain)),
      SWEEP_TREASURY_ADDRESS: treasury,
      SWEEP_EXPIRES_HOURS: '1',
      SCREENING_FILE: screeningList,
      NETWORK_LIQUIDITY_FLOOR_BOB: '1000.00',
      NETWORK_LIQUIDITY_SECONDS: '1',
      WEBHOOK_ATTEMPTS: '1',
      WEBHOOK_ALERT_SECONDS: '0',
      DEPOSIT_AUTO_LIMIT: '30.000000',
      REVIEW_ALERT_USDT: '35.000000',
      NOTICES_BEHIND_SECONDS: '15',
      TENANT_NOTICE_URL: mails.url,
      TENANT_NOTICE_SECRET: 'a-secret-of-the-mail-gateway-'.repeat(2),
    })
    const api = await harness.startApi()
    await harness.startWorker()
    const people = peopleAt(api.operatorUrl)
    const [tenant] = await harness.database.query<{ id: string }>('select id from quipu.tenant')
    await people.agree(`/tenants/${tenant?.id}/adjustments`, { direction: 'in', amount: '500.000000', reason: 'funds' })
    const endpoint = { id: await harness.register(api), secret: harness.receiver.secret }
    harness.receiver.secret = 'another secret'
    const world: World = { harness, tenant: api, endpoint, people, chain, operatorUrl: api.operatorUrl, mail }

    const planted = []
    for (const cause of causes) planted.push({ ...cause, subject: await cause.plant(world) })
    const raised = await Promise.all(
      planted.map(async (each) => {
        const alerts = await Promise.all(each.codes.map((code) => gateway.got(code, 'raised', each.subject)))
        return { ...each, alerts }
      }),
    )
    // A paused endpoint is no longer failing; nothing else ends by itself.
    const over = gateway.alerts.filter(({ status }) => status === 'resolved').map(({ code }) => code)
    expect(over.filter((code) => code !== 'WEBHOOK_FAILING')).toEqual([])
    for (const { end, alerts } of raised.toReversed()) await end(world, alerts[0]?.subject ?? '')
    for (const { alerts, isOnce } of raised)
      for (const { id, code, subject } of isOnce ? [] : alerts)
        expect(await gateway.got(code, 'resolved', subject)).toMatchObject({ id })
    expect(gateway.unsigned).toBe(0)
    expect(mail.received[0]).toMatchObject({
      type: 'api_key.issued',
      recipients: [{ name: 'Ana Quispe', email: 'ana@example.com' }],
      api_key: { prefix: 'qpu_test_', replaces: null },
    })
    const { data } = await learnedFrom(api.operatorUrl).alerts()
    for (const { alerts } of raised)
      for (const { id, code } of alerts)
        expect(data).toContainEqual(expect.objectContaining({ id, code, status: 'resolved' }))
  },
)
