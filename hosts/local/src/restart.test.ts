import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { askJson } from './ask-json.ts'
import { run, until } from './process.fixture.ts'
import { available, isRunning, openHome, tenants } from './start.fixture.ts'
import { closedQr, tenantAt } from './tenant.fixture.ts'

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s stops everything, and the next start goes on where it stopped',
  async (signal) => {
    await using home = await openHome()
    const first = await home.started()
    const before = await home.local()
    const tenant = tenantAt(before.base_url, before.api_key)
    const paid = await tenant.order(await qrOf(before))
    await tenant.pay(paid)
    const late = await tenant.order(await qrOf(before, 'late'))
    const { json } = await tenant.pay(late)
    expect(json).toMatchObject({ status: 'processing' })
    const { id } = json as { id: string }
    const postgres = await home.postgresPid()

    const asked = Date.now()
    first.signal(signal)
    expect(await first.ended).toBe(0)
    expect(Date.now() - asked).toBeLessThan(20_000)
    expect(first.output()).toMatch(/Stopping\.\nStopped\.\n$/)
    expect(isRunning(postgres)).toBe(false)

    await home.started()
    expect(await home.local()).toEqual(before)
    await until('the late payment is completed', async () => {
      const answer = await tenant.get(`/v1/payouts/${id}`)
      return (answer.json as { status: string }).status === 'completed'
    })
    expect(await available(before)).toBe('979.593294') // Two payments of 10.203353.
  },
)

test('kill -9 breaks nothing: the next start has the same tenant, key and balance', async () => {
  await using home = await openHome()
  const first = await home.started()
  const before = await home.local()
  const tenant = tenantAt(before.base_url, before.api_key)
  const order = await tenant.order(await qrOf(before))
  const answer = await tenant.pay(order)

  await first.kill()
  await home.started()

  expect(await home.local()).toEqual(before)
  expect(await tenants(before)).toHaveLength(1)
  expect(await available(before)).toBe('989.796647')
  expect(await tenant.pay(order)).toMatchObject({ status: 201, json: answer.json })
})

test('without a start the demo starts everything for itself, and leaves nothing behind', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'quipu-alone-'))
  const nowhere = path.join(folder, 'nowhere')
  const demo = run('local/src/demo.ts', {
    QUIPU_DATA_DIR: nowhere,
    QUIPU_BLOCK_MS: '200',
    TMPDIR: folder,
  })

  expect(await demo.ended).toBe(0)
  expect(demo.output()).toContain(`Nothing answers on ${nowhere}`)
  expect(demo.output()).toMatch(/19 of 19 as expected/)
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})

/** A QR of BOB 100.00, from the network that runs there. */
async function qrOf(
  { base_url, api_key }: { base_url: string; api_key: string },
  scenario: 'paid' | 'late' = 'paid',
): Promise<string> {
  const path = '/v1/sandbox/qr-codes'
  const headers = { 'x-api-key': api_key }
  const { json } = await askJson(base_url, {
    method: 'POST',
    path,
    headers,
    body: closedQr(scenario),
  })
  return (json as { content: string }).content
}
