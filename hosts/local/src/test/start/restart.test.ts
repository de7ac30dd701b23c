import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askJson } from '../../ask-json.ts'
import { openReceiver } from '../../demo/receiver.ts'
import { micro } from '../../demo/demo-client.ts'
import type { LocalFile } from '../../start/data-folder/local-file.ts'
import { type Program, run, until } from '../harness/process.fixture.ts'
import { available, type StartHarness, isRunning, openStartHarness, tenants } from '../harness/start-harness.fixture.ts'
import { closedQr, type Tenant, tenantAt } from '../harness/tenant.fixture.ts'

describe('restart', () => {
  let harness: StartHarness
  let program: Program
  let before: LocalFile
  let tenant: Tenant
  beforeAll(async () => {
    harness = await openStartHarness()
    program = await harness.started()
    before = await harness.local()
    tenant = tenantAt(before.base_url, before.api_key)
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s stops everything, and the next start continues with the same state',
    async (signal) => {
      const funds = await balance(before)
      const paid = await tenant.order(await qrOf(before))
      await tenant.pay(paid)
      const late = await tenant.order(await qrOf(before, 'late'))
      const { json } = await tenant.pay(late)
      expect(json).toMatchObject({ status: 'processing' })
      const { id } = json as { id: string }
      const postgres = await harness.postgresPid()

      program.signal(signal)
      expect(await program.ended).toBe(0)
      expect(program.output()).toMatch(/Stopping\.\nStopped\.\n$/)
      expect(isRunning(postgres)).toBe(false)

      program = await harness.started()
      expect(await harness.local()).toEqual(before)
      await until('the late payment is completed', async () => {
        const answer = await tenant.get(`/v1/payouts/${id}`)
        return (answer.json as { status: string }).status === 'completed'
      })
      expect(funds - (await balance(before))).toBe(2n * price)
    },
  )

  test('after kill -9 the next start has the same tenant, key and balance', async () => {
    const funds = await balance(before)
    const order = await tenant.order(await qrOf(before))
    const answer = await tenant.pay(order)

    await program.kill()
    program = await harness.started()

    expect(await harness.local()).toEqual(before)
    expect(await tenants(before)).toHaveLength(1)
    expect(funds - (await balance(before))).toBe(price)
    expect(await tenant.pay(order)).toMatchObject({ status: 201, json: answer.json })
  })

  test('with --sqs the next start delivers webhooks through SQS', async () => {
    program.signal('SIGTERM')
    await program.ended
    program = await harness.started('--sqs')
    expect(await harness.local()).toEqual({
      ...before,
      sqs: {
        endpoint: `http://127.0.0.1:${harness.base + 8}`,
        queue_url: expect.stringMatching(/^http:\/\/.+\/quipu-deliveries$/),
      },
    })
    await using receiver = await openReceiver()
    const { json } = await askJson(before.base_url, {
      method: 'POST',
      path: '/v1/webhooks',
      headers: { 'x-api-key': before.api_key },
      body: { url: receiver.url },
    })
    receiver.secret = (json as { secret: string }).secret

    const paid = (await tenant.pay(await tenant.order(await qrOf(before)))).json as { id: string }

    // A payout of the process that was killed may end only now.
    const event = await until('the event has arrived', () =>
      Array.from(receiver.events.values()).find((each) => each.data['id'] === paid.id),
    )
    expect(event).toMatchObject({ type: 'payout.completed' })
  })
})

/** The cost of BOB 100.00 in micro-USDT. */
const price = 10_203_353n
const balance = async (file: LocalFile): Promise<bigint> => micro(await available(file))

test(
  'without a running start the demo starts a temporary one, here with OpenHub, and removes its data',
  { tags: 'long' },
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'quipu-alone-'))
    const nowhere = path.join(folder, 'nowhere')
    const env = { QUIPU_DATA_DIR: nowhere, QUIPU_BLOCK_MS: '200', TMPDIR: folder }
    const demo = run('local/src/demo.ts', env, ['--network=openhub'])

    expect(await demo.ended).toBe(0)
    expect(demo.output()).toContain(`No start is running on ${nowhere}`)
    expect(demo.output()).toContain('All 18 steps ended as expected')
    expect(await readdir(folder)).toEqual([])
    await rm(folder, { recursive: true })
  },
)

/** Issues a QR of BOB 100.00. */
async function qrOf(
  { base_url, api_key }: { base_url: string; api_key: string },
  scenario: 'paid' | 'late' = 'paid',
): Promise<string> {
  const path = '/v1/sandbox/qr-codes'
  const headers = { 'x-api-key': api_key }
  const { json } = await askJson(base_url, { method: 'POST', path, headers, body: closedQr(scenario) })
  return (json as { content: string }).content
}
