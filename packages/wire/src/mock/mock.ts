import type { Usdt } from '@quipu/core'
import { z } from 'zod'
import { time } from '../json/answer.ts'
import { integer, members } from '../json/fields.ts'
import { instantToJson } from '../json/instant.ts'
import { positiveUsdt, readUsdt } from '../json/money.ts'
import { durationText } from '../text/number-text.ts'
import { mapParsed, parse, type Parsed } from '../json/parsed.ts'
import type { ZodOpenApiPathsObject } from 'zod-openapi'
import { deposit } from '../deposit/deposit.ts'
import { depositToJson } from '../deposit/deposit-to-json.ts'
import { at } from '../openapi/example.ts'
import { deposits } from '../openapi/funding-example.ts'
import { operation } from '../openapi/operation.ts'
import { created, ok } from '../openapi/answers.ts'

/** The prefix of every key of the example server. @source spec §1 */
export const mockKeyPrefix = 'qpu_mock_'

const yearSeconds = 365 * 86_400

/** Delays and limits of the example server, in seconds. */
export const mockTime = {
  /** From a transfer to its confirmation. */
  confirmSeconds: 3,
  /** The most that one request may advance a clock. */
  advanceSecondsMax: yearSeconds,
  /** The most that a clock may be ahead of real time. */
  aheadSecondsMax: 10 * yearSeconds,
} as const

/** The body of `POST /v1/mock/clock/advance`, on the example server. */
const clockAdvanceRequest = members({
  seconds: integer(1, mockTime.advanceSecondsMax).meta({
    description: `By how much this key’s clock is advanced, at most ${durationText(mockTime.advanceSecondsMax)} at once.`,
    examples: [3],
  }),
}).meta({ id: 'ClockAdvanceRequest' })

/** The body of `POST /v1/mock/deposits`, on the example server. */
const mockDepositRequest = members({
  amount: positiveUsdt.meta({ description: 'In USDT.', examples: ['25.00'] }),
}).meta({ id: 'MockDepositRequest' })

/** Reads the body of `POST /v1/mock/clock/advance`. @returns the seconds */
export const parseClockAdvance = (body: unknown): Parsed<number> =>
  mapParsed(parse(clockAdvanceRequest, body), ({ seconds }) => seconds)

/** Reads the body of `POST /v1/mock/deposits`. @returns the amount */
export const parseMockDeposit = (body: unknown): Parsed<Usdt> =>
  mapParsed(parse(mockDepositRequest, body), ({ amount }) => readUsdt(amount))

const mockClock = z
  .object({
    now: time.meta({ description: 'The time of this key’s clock.' }),
    offset_seconds: z.int().min(0).meta({ description: 'By how much it is ahead of real time.' }),
  })
  .meta({ id: 'MockClock' })
export type MockClockJson = z.output<typeof mockClock>

export const mockClockToJson = (now: Date, offsetSeconds: number): MockClockJson => ({
  now: instantToJson(now),
  offset_seconds: offsetSeconds,
})

const tag = 'Example server'

const advance = operation({
  id: 'advanceClock',
  tag,
  summary: { en: 'Advance this key’s clock', es: 'Adelantar el reloj de esta clave' },
  description: {
    en: `Each key has a clock of its own: real time plus what it was advanced by, at most ${durationText(mockTime.aheadSecondsMax)} in all. Payouts and deposits that become due are settled before the answer; webhooks are sent after it. Only on the example server.`,
    es: `Cada clave tiene su propio reloj: el tiempo real más lo que se adelantó, como máximo ${durationText(mockTime.aheadSecondsMax, 'es')} en total. Los pagos y depósitos que corresponden se liquidan antes de la respuesta; los webhooks se envían después. Solo en el servidor de ejemplo.`,
  },
  access: { scope: 'wallet:write' },
  body: { schema: clockAdvanceRequest, examples: { seconds: { seconds: 3 } } },
  answers: ok({ en: 'The clock.', es: 'El reloj.' }, mockClock, { clock: mockClockToJson(at(3), 3) }),
  refused: parseClockAdvance({ seconds: 0.5 }),
})

const send = operation({
  id: 'mockDeposit',
  tag,
  summary: { en: 'Send USDT to this key’s top-up address', es: 'Enviar USDT a la dirección de recarga de esta clave' },
  description: {
    en: `The deposit is \`pending\`, and after ${mockTime.confirmSeconds} seconds of the key’s clock \`credited\`; or \`in_review\`, when it is below the minimum or too large to be credited by itself. Only on the example server.`,
    es: `El depósito está \`pending\`, y tras ${mockTime.confirmSeconds} segundos del reloj de la clave \`credited\`; o \`in_review\`, si está por debajo del mínimo o es demasiado grande para acreditarse por sí solo. Solo en el servidor de ejemplo.`,
  },
  access: { scope: 'wallet:write' },
  body: { schema: mockDepositRequest, examples: { amount: { amount: '25.00' } } },
  answers: created({ en: 'The deposit.', es: 'El depósito.' }, deposit, { pending: depositToJson(deposits.pending) }),
  refused: parseMockDeposit({ amount: '-1' }),
})

/** Operations of the example server alone. */
export const mockPaths: ZodOpenApiPathsObject = {
  '/v1/mock/clock/advance': { post: advance },
  '/v1/mock/deposits': { post: send },
}
