import { expect, test } from 'vitest'
import { adminWith } from '../harness/admin.fixture.ts'
import { chainEnvironment } from '../harness/chain.fixture.ts'
import { expectCreditedOnce, openDepositHarness, topUpAddressOf } from '../harness/deposit-harness.fixture.ts'
import type { Program } from '../harness/process.fixture.ts'
import { operatorToken } from '../harness/tenant.fixture.ts'
import { openWebhookHarness } from '../harness/webhook-harness.fixture.ts'

const first = '0f'.repeat(32)

type Step = { readonly step: string; readonly value: string }

/** The setting that `quipu-admin secrets rotate` names next, and which step that is. */
const nextStep = (
  setting: 'WEBHOOK_SECRET_KEY' | 'ADDRESS_MAC_KEY',
  operatorUrl: string,
  ring: string,
): Promise<Step> =>
  adminWith({ QUIPU_OPERATOR_URL: operatorUrl, QUIPU_OPERATOR_TOKEN: operatorToken, [setting]: ring }).json<Step>(
    'secrets',
    'rotate',
    setting,
    '--interval',
    '1',
  )

/** Stops programs. Killed instead, a worker may have sent what it has not recorded: that is sent twice. */
async function stopAll(programs: readonly Pick<Program, 'signal' | 'ended'>[]): Promise<void> {
  for (const program of programs) program.signal('SIGTERM')
  expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual(programs.map(() => 0))
}

const stepsOfRotation = ['add', 'promote', 'renew']
const ringsOfRotation = ['…', '1:…,2:…', '2:…,1:…', '2:…']
const withoutKeys = (ring: string): string => ring.replaceAll(/[0-9a-f]{64}/g, '…')

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
    await stopAll(before)
    before = [api, worker]
    if (steps.includes('renew')) break
    const { step, value } = await nextStep('WEBHOOK_SECRET_KEY', api.operatorUrl, ring)
    steps.push(step)
    rings.push(value)
  }
  expect(steps).toEqual(stepsOfRotation)
  expect(rings.map(withoutKeys)).toEqual(ringsOfRotation)
  expect(rings.at(-1)).not.toContain(first)
  expect(harness.receiver.rejections).toEqual([])
  const times = Array.from(harness.receiver.arrivals.values(), ({ length }) => length)
  expect(times).toEqual(Array.from({ length: sent }, () => 1))
})

test(
  'a rotation of ADDRESS_MAC_KEY as the command says, process by process: every deposit is credited once',
  { tags: 'long' },
  async () => {
    await using harness = await openDepositHarness()
    const { chain, sender } = harness
    const { ADDRESS_MAC_KEY: oldest } = await chainEnvironment(chain)
    const rings = [oldest]
    const steps: string[] = []
    let statuses: string[] = []
    let before: Pick<Program, 'signal' | 'ended'>[] = []
    for (const ring of rings) {
      const more = { ADDRESS_MAC_KEY: ring }
      const api = await harness.startApi(more)
      const to = await topUpAddressOf(api)
      // The processes of the former step still run.
      chain.transfer({ from: sender, to, value: 5_000_000n })
      harness.solidify()
      const worker = await harness.startWorker(more)
      chain.transfer({ from: sender, to, value: 7_000_000n })
      harness.solidify()
      statuses = [...statuses, 'credited', 'credited']
      await harness.untilDeposits(api, ...statuses)
      await stopAll(before)
      before = [api, worker]
      if (steps.includes('renew')) {
        await expectCreditedOnce(expect, harness, api)
        break
      }
      const { step, value } = await nextStep('ADDRESS_MAC_KEY', api.operatorUrl, ring)
      steps.push(step)
      rings.push(value)
    }
    expect(steps).toEqual(stepsOfRotation)
    expect(rings.map(withoutKeys)).toEqual(ringsOfRotation)
    expect(rings.at(-1)).not.toContain(oldest)
  },
)
