import { type CreatePayout, type createQuote, quoteLifeSeconds, Unavailable } from '@quipu/core'
import { type Merchant, sandboxBankCode, type SandboxScenario } from '@quipu/core/adapter'

// The scenarios of test QRs that a network cannot show. Only the sandbox has them.

const isOf = (scenario: SandboxScenario, merchant: Merchant | null | undefined): boolean =>
  merchant?.bankCode === sandboxBankCode(scenario)

/** Loses the first answer to the payment of such a QR, once it is made. */
export const losingAnswers =
  (createPayout: CreatePayout): CreatePayout =>
  async (...given) => {
    const answer = await createPayout(...given)
    if (answer.type === 'payout' && !answer.replayed && isOf('lost_answer', answer.payout.qr?.merchant))
      throw new Unavailable('store', 'the test QR loses its first answer')
    return answer
  }

/** Quotes that name such a QR live for the shortest time. */
export const shortQuotes = (lifeSeconds: number): Parameters<typeof createQuote>[1] => ({
  lifeSeconds,
  lifeSecondsOf: ({ merchant }) => (isOf('short_quote', merchant) ? quoteLifeSeconds.min : lifeSeconds),
})
