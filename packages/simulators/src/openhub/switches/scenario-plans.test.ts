import { expect, test } from 'vitest'
import { scenarios, type Scenario } from '../../qr-network/qr/scenario.ts'
import { startOpenHubFixture } from '../openhub.fixture.ts'

/** The answer to confirm, and the order's state at once and later. */
const expected: Readonly<Record<Scenario, readonly [answer: string | undefined, now?: string, later?: string]>> = {
  paid: ['00', 'APROBADA'],
  late: ['00', 'EN_PROCESO', 'APROBADA'],
  refused: ['00', 'RECHAZADA'],
  no_liquidity: ['13'],
  limit: ['00', 'RECHAZADA'],
  refused_qr: ['09'],
  lost_answer: ['00', 'APROBADA'],
  short_quote: ['00', 'APROBADA'],
  late_refused: ['00', 'EN_PROCESO', 'RECHAZADA'],
  late_refused_qr: ['00', 'EN_PROCESO', 'RECHAZADA'],
  late_no_liquidity: ['00', 'EN_PROCESO', 'RECHAZADA'],
  late_limit: ['00', 'EN_PROCESO', 'RECHAZADA'],
  late_unsettled: ['00', 'EN_PROCESO'],
  expired: ['02'],
  used: ['14'],
  usd: ['02'],
  pay_then_drop: [undefined, 'APROBADA'],
  pay_then_error: ['96', 'APROBADA'],
  pay_then_garble: [undefined, 'APROBADA'],
  drop_then_nothing: [undefined],
  wrong_amount: ['00', 'APROBADA'],
  wrong_currency: ['00', 'APROBADA'],
}

test.each(scenarios)('a QR of scenario %s', async (scenario) => {
  const { hub, scan, confirm, step } = await startOpenHubFixture()
  const [code, now, later = now] = expected[scenario]
  const { data } = await scan({ scenario })
  expect((await confirm('po_1', data['numeroReferencia'])).body['code']).toBe(code)
  const stateNow = (): string | undefined => hub.ledger().orders[0]?.state
  expect(stateNow()).toBe(now)
  step(3_000)
  await hub.tick()
  expect(stateNow()).toBe(later)
})
