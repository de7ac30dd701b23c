import { describe, expect, test } from 'vitest'
import { addMoney, bob, compareMoney, parseMoney, subtractMoney, usdt } from './money.ts'
import { formatRate, parseRate } from './quote/rate.ts'
import { checkPorts, checkSettings, type Shape } from './shape.ts'

type Ports = {
  readonly store: { find(): void; readonly chain: string; optional?(): void }
  readonly now: () => Date
  readonly keys: readonly string[]
  readonly floor: { readonly minor: bigint } | null
  readonly report?: () => void
}

const shape: Shape<Ports> = {
  store: { find: 'function', chain: 'string' },
  now: 'function',
  keys: 'array',
  floor: 'value',
}
const ports: Ports = { store: { find: () => undefined, chain: 'tron' }, now: () => new Date(), keys: [], floor: null }

test('the compiler refuses a shape with too few members, too many, or another kind', () => {
  const shapes: readonly Shape<{ readonly ids: { next(): string }; readonly ms: number }>[] = [
    { ids: { next: 'function' }, ms: 'number' },
    // @ts-expect-error `ms` is missing
    { ids: { next: 'function' } },
    // @ts-expect-error `ids.next` is missing
    { ids: {}, ms: 'number' },
    // @ts-expect-error there is no `ids.uuid`
    { ids: { next: 'function', uuid: 'function' }, ms: 'number' },
    // @ts-expect-error `ms` is a number
    { ids: { next: 'function' }, ms: 'string' },
  ]
  expect(shapes).toHaveLength(5)
})

describe('the message names the first member that is missing or of another kind', () => {
  test.each<readonly [unknown, string]>([
    [undefined, 'the record of ports is missing; pass an object with store, now, keys, floor'],
    [null, 'the record of ports is null; pass an object with store, now, keys, floor'],
    [{}, 'port "store" is missing; pass an object with find, chain'],
    [{ ...ports, store: 7 }, 'port "store" is a number; pass an object with find, chain'],
    [{ ...ports, store: { chain: '' } }, 'port "store.find" is missing; pass a function'],
    [{ ...ports, now: new Date() }, 'port "now" is an object; pass a function'],
    [{ ...ports, keys: 'a secret' }, 'port "keys" is a string; pass an array'],
    [{ ...ports, keys: undefined }, 'port "keys" is missing; pass an array'],
    [{ ...ports, now: [] }, 'port "now" is an array; pass a function'],
    [{ ...ports, floor: undefined }, 'port "floor" is missing; pass a value'],
  ])('%j', (given, message) => {
    const check = (): void => checkPorts<Ports>('pay', given as Ports, shape)
    expect(check).toThrow(new TypeError(`pay: ${message}`))
  })

  test('of settings', () => {
    const check = (): void => checkSettings<{ readonly ms: number }>('pay', { ms: '7' as never }, { ms: 'number' })
    expect(check).toThrow(new TypeError('pay: setting "ms" is a string; pass a number, at least 0'))
  })
})

test('complete ports pass: inherited and optional members, and functions with members', () => {
  expect(() =>
    checkPorts<Ports>('pay', { ...ports, store: Object.create(ports.store) as Ports['store'] }, shape),
  ).not.toThrow()
  const store = Object.assign(() => undefined, { find: () => undefined, chain: 'tron' })
  expect(() => checkPorts<Ports>('pay', { ...ports, store }, shape)).not.toThrow()
})

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
