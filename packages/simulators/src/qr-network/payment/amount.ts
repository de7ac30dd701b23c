import { z } from 'zod'

/** Formats centavos as bolivianos with two fraction digits: 10000n is `"100.00"`. */
export function formatBob(minor: bigint): string {
  const digits = minor.toString().padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Parses `"100.00"`, `"100.5"` or `"100"` as centavos; at most 12 integer digits. */
export const BobAmount: z.ZodType<bigint, string> = z
  .string()
  .regex(/^(0|[1-9]\d{0,11})(\.\d{1,2})?$/, 'must be a decimal amount such as "100.00"')
  .transform(parseBob)

/** A `BobAmount` above zero. */
export const PositiveBobAmount: z.ZodType<bigint, string> = BobAmount.refine((minor) => minor > 0n, {
  message: 'must be greater than zero',
})

function parseBob(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(2, '0'))
}
