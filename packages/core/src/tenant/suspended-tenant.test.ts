import { expect, test } from 'vitest'
import { type CreatePayoutPorts, createPayout } from '../payout/create-payout.ts'
import { defaultPayoutSettings } from '../payout/payout-request.ts'
import { processing } from '../payout/payout.fixture.ts'
import { type CreateQuotePorts, createQuote } from '../quote/create-quote.ts'
import { type ResolveQrPorts, resolveQr } from '../quote/resolve-qr.ts'
import { bob } from '../money.ts'
import { tenant } from './tenant.fixture.ts'

/** A call of a clock answers 0; one of a store or the network fails the test. */
const untouched = new Proxy(() => 0, { get: () => () => expect.fail('nothing may be read') })
const ports = new Proxy({}, { get: () => untouched }) as CreatePayoutPorts & CreateQuotePorts & ResolveQrPorts

test('a suspended tenant resolves, quotes and pays nothing, and nothing is read', async () => {
  const [payer, content] = [{ ...tenant, status: 'suspended' } as const, 'a QR']
  const body = { ...processing, content, description: null, fingerprint: 'body-1', keyId: 'key_1' }
  const answers = [
    await resolveQr(ports, { environment: 'sandbox', answerWithinMs: 10 })(payer, { content }),
    await createQuote(ports, { lifeSeconds: 60 })(payer, { target: bob(100n), resolutionId: null }),
    await createPayout(ports, defaultPayoutSettings)(payer, body),
  ]
  for (const answer of answers) expect(answer).toMatchObject({ type: 'refused', code: 'AUTHENTICATION_FAILED' })
})
