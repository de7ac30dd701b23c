import { expect, test } from 'vitest'
import { adminWith } from '../harness/admin.fixture.ts'
import type { Program } from '../harness/process.fixture.ts'
import { operatorToken } from '../harness/tenant.fixture.ts'
import { openWebhookHarness } from '../harness/webhook-harness.fixture.ts'

const first = '0f'.repeat(32)

type Step = { readonly step: string; readonly value: string }

/** What `quipu-admin secrets rotate` says to set next, and which step that is. */
const nextStep = (operatorUrl: string, ring: string): Promise<Step> =>
  adminWith({
    QUIPU_OPERATOR_URL: operatorUrl,
    QUIPU_OPERATOR_TOKEN: operatorToken,
    WEBHOOK_SECRET_KEY: ring,
  }).json<Step>('secrets', 'rotate', 'WEBHOOK_SECRET_KEY', '--interval', '1')

test('a rotation of WEBHOOK_SECRET_KEY as the command says, process by process: every event arrives once, signed', async () => {
  await using harness = await openWebhookHarness()
  const rings = [first]
  const steps: string[] = []
  let sent = 0
  let before: Pick<Program, 'signal' | 'ended'>[] = []
  for (const ring of rings) {
    const more = { WEBHOOK_SECRET_KEY: ring }
    const api = await harness.startApi(more)
    if (sent === 0) await harness.register(api)
    // The processes of the former step still run.
    await harness.emitEvents(api, 3)
    const worker = await harness.startWorker(more)
    await harness.emitEvents(api, 3)
    sent += 6
    await harness.receiver.untilArrived(sent)
    // Killed instead, a worker may have sent what it has not recorded: that is sent twice.
    for (const program of before) program.signal('SIGTERM')
    expect(await Promise.all(before.map(({ ended }) => ended))).toEqual(before.map(() => 0))
    before = [api, worker]
    if (steps.includes('renew')) break
    const { step, value } = await nextStep(api.operatorUrl, ring)
    steps.push(step)
    rings.push(value)
  }
  expect(steps).toEqual(['add', 'promote', 'renew'])
  expect(rings.map((ring) => ring.replaceAll(/[0-9a-f]{64}/g, '…'))).toEqual([
    '…',
    '1:…,2:…',
    '2:…,1:…',
    '2:…',
  ])
  expect(rings.at(-1)).not.toContain(first)
  expect(harness.receiver.rejections).toEqual([])
  const times = Array.from(harness.receiver.arrivals.values(), ({ length }) => length)
  expect(times).toEqual(Array.from({ length: sent }, () => 1))
})
