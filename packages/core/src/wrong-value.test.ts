import { describe, expect, test } from 'vitest'
import { addMoney, bob, compareMoney, parseMoney, subtractMoney, usdt } from './money.ts'
import { formatRate, parseRate } from './quote/rate.ts'

describe('values of another type are refused by name', () => {
  test.each<readonly [() => unknown, string]>([
    [() => usdt(1.5 as never), 'usdt: expected a bigint of micro-USDT, got the number 1.5'],
    [() => usdt('1' as never), 'usdt: expected a bigint of micro-USDT, got the string "1"'],
    [() => usdt(undefined as never), 'usdt: expected a bigint of micro-USDT, got undefined'],
    [() => bob(null as never), 'bob: expected a bigint of centavos, got null'],
    [() => bob(bob(1n) as never), 'bob: expected a bigint of centavos, got an object'],
    [() => parseMoney('BOB', 1.5 as never), 'parseMoney: expected a decimal number as a string, got the number 1.5'],
    [() => parseRate(98_007n as never), 'parseRate: expected a decimal number as a string, got the bigint 98007'],
    [() => formatRate(9.8 as never), 'formatRate: expected a bigint of ten-thousandths of a BOB, got the number 9.8'],
    ...([addMoney, subtractMoney, compareMoney] as const).map(
      (operation) =>
        [
          () => operation(usdt(1n), bob(1n) as never),
          `${operation.name}: expected two amounts of one currency, got USDT and BOB`,
        ] as const,
    ),
  ])('%s', (make, message) => {
    expect(make).toThrow(new TypeError(message))
  })
})
