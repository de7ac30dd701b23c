import { type Bob, type Currency, type Money, parseMoney, type Usdt } from '@quipu/core'
import { z } from 'zod'
import { matching, members, ruleMessage } from './fields.ts'

const amountOf = (fractionDigits: number, example: string): z.ZodString =>
  z
    .string()
    .regex(new RegExp(`^(?:0|[1-9][0-9]*)\\.[0-9]{${fractionDigits}}$`))
    .meta({ examples: [example] })

/** USDT in an answer, six fraction digits. @source spec §2 Formats */
export const usdtAmount: z.ZodString = amountOf(6, '10.203353')
/** USDT in an answer, possibly negative, six fraction digits. */
export const signedUsdtAmount: z.ZodString = z
  .string()
  .regex(/^-?(?:0|[1-9][0-9]*)\.[0-9]{6}$/)
  .meta({ examples: ['-0.500000'] })
/** BOB in an answer, two fraction digits. @source spec §2 Formats */
export const bobAmount: z.ZodString = amountOf(2, '100.00')
/** BOB per USDT in an answer, four fraction digits. @source spec §2 Formats */
export const rateText: z.ZodString = amountOf(4, '9.8007')

export const usdtMoney = z
  .object({ currency: z.literal('USDT'), amount: usdtAmount })
  .meta({ id: 'UsdtMoney', description: 'An amount of USDT, six fraction digits.' })

export const bobMoney = z
  .object({ currency: z.literal('BOB'), amount: bobAmount })
  .meta({ id: 'BobMoney', description: 'An amount of bolivianos, two fraction digits.' })

/** How many digits an amount of a request may have before the point. */
const wholeDigits = 12

/** An amount above zero in a request. */
function positive(fractionDigits: number): z.ZodString {
  const belowOne = Array.from(
    { length: fractionDigits },
    (_, zeros) => `${'0'.repeat(zeros)}[1-9][0-9]{0,${fractionDigits - zeros - 1}}`,
  )
  const pattern = `^(?:[1-9][0-9]{0,${wholeDigits - 1}}(?:\\.[0-9]{1,${fractionDigits}})?|0\\.(?:${belowOne.join('|')}))$`
  const rule = `must be a decimal string above 0 with at most ${wholeDigits} digits before the point and ${fractionDigits} after it, such as "100.00"`
  return matching(new RegExp(pattern), rule).meta({
    description: `A decimal above 0, at most ${wholeDigits} digits before the point and ${fractionDigits} after it.`,
    examples: ['100.00'],
  })
}

/** BOB in a request: above zero, at most two fraction digits. */
export const positiveBob: z.ZodString = positive(2)
/** USDT in a request: above zero, at most six fraction digits. */
export const positiveUsdt: z.ZodString = positive(6)

/** USDT in a request: zero or more, at most six fraction digits. */
export const usdtOrZero: z.ZodString = matching(
  new RegExp(`^(?:0|[1-9][0-9]{0,${wholeDigits - 1}})(?:\\.[0-9]{1,6})?$`),
  `must be a decimal string of 0 or more with at most ${wholeDigits} digits before the point and 6 after it, such as "0.10"`,
).meta({ examples: ['0.100000'] })

/** A BOB amount of a request with its currency. */
export const bobTarget = members({
  currency: z.literal('BOB', { error: ruleMessage('must be BOB') }),
  amount: positiveBob,
}).meta({ id: 'BobTarget', description: 'The bolivianos that the destination is to receive.' })

/** Converts an amount that its schema has accepted. */
export const readBob = (text: string): Bob => read('BOB', text)
export const readUsdt = (text: string): Usdt => read('USDT', text)

function read<C extends Currency>(currency: C, text: string): Money<C> {
  const money = parseMoney(currency, text)
  if (money === undefined) throw new Error(`the schema accepted "${text}", which is no amount of ${currency}`)
  return money
}
