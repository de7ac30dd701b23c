import { testServerUrl } from '@quipu/embedded-postgres/testing'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Elements } from './array-elements.ts'
import { arrayParameters, type Column, namedArguments, rowsOf } from './array-parameters.ts'
import { clientConfig } from '../connection/connection.ts'

let client: pg.Client
beforeAll(async () => {
  client = new pg.Client({ ...clientConfig({ url: await testServerUrl() }) })
  await client.connect()
})
afterAll(() => client.end())

const int4 = { min: -(2 ** 31), max: 2 ** 31 - 1 }
const anyElement: { readonly [Type in keyof Elements]: fc.Arbitrary<Elements[Type]> } = {
  text: fc.string({ unit: 'binary' }).filter((text) => !text.includes('\u0000')),
  uuid: fc.uuid(),
  int4: fc.integer(int4),
  int8: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  float8: fc.double({ noNaN: true }).filter((value) => !Object.is(value, -0)),
  bool: fc.boolean(),
  timestamptz: fc.date({
    min: new Date('1900-01-01T00:00:00Z'),
    max: new Date('9999-12-31T00:00:00Z'),
    noInvalidDate: true,
  }),
}

/** The parameters of one array whose elements are the items. */
const arrayOf = (type: keyof Elements) =>
  arrayParameters<never>({ echo: [type, (item: never) => item] as Column<never> })

const echoes = (type: keyof Elements, element: fc.Arbitrary<unknown>): Promise<void> => {
  const parameters = arrayOf(type)
  return fc.assert(
    fc.asyncProperty(fc.array(fc.option(element)), async (values) => {
      const { rows } = await client.query<{ echo: unknown }>({
        name: `echo_${type}`,
        text: `select echo from ${rowsOf(parameters, 'e')} order by place`,
        values: [...parameters.encode(values as never[])],
      })
      expect(rows.map(({ echo }) => echo)).toEqual(values)
    }),
    { numRuns: 50 },
  )
}

test.each(Object.keys(anyElement) as (keyof Elements)[])(
  'the server returns an array of %s as it was written, with its nulls',
  (type) => echoes(type, anyElement[type]),
)

test.each([0, 31, 32, 33, 20_000])(
  'the server returns texts of %i characters, ASCII or not, as they were written',
  async (length) => {
    const texts = ['a'.repeat(length), `${'a'.repeat(length)}é`, 'é'.repeat(length), `😀${'\u0001'.repeat(length)}`]
    const { names, types, encode } = arrayOf('text')
    expect([names, types]).toEqual([['echo'], ['text[]']])
    const { rows } = await client.query<{ echo: string }>('select unnest($1::text[]) as echo', [
      ...encode(texts as never[]),
    ])
    expect(rows.map(({ echo }) => echo)).toEqual(texts)
  },
)

test.each([
  ['uuid', 'not-a-uuid', 'not a UUID: not-a-uuid'],
  ['uuid', '01a206a2-eba6-71b9-9ec9-1ee08267070g', 'not a UUID'],
  ['uuid', '01a206a2-eba6-71b9-9ec911ee082670700', 'not a UUID'],
  ['uuid', '01a206a2-eba6-71b9-9ec9-1ee08267070é', 'not a UUID'],
  ['int4', 2 ** 31, 'not an int4: 2147483648'],
  ['int4', Number.NaN, 'not an int4: NaN'],
  ['int8', 2n ** 63n, 'not an int8: 9223372036854775808'],
  ['timestamptz', new Date(Number.NaN), 'NaN'],
] as const)(
  'a value that is no %s is refused before it is sent, where it would fail its whole batch',
  (type, value, error) => {
    expect(() => arrayOf(type).encode([value as never])).toThrow(error)
  },
)

test('a batch that fails, or that follows, does not change the arrays of another', () => {
  const { encode } = arrayOf('uuid')
  const [one] = encode(['01a206a2-eba6-71b9-9ec9-1ee082670700' as never])
  const before = one?.toString('hex')
  expect(() => encode(['x' as never])).toThrow('not a UUID')
  encode(['ffffffff-ffff-ffff-ffff-ffffffffffff' as never])
  expect(one?.toString('hex')).toBe(before)
})

test('tenants are sent once and ascending, and each item has the place of its own', async () => {
  type Item = { readonly tenantId: string; readonly id: number }
  const { names, types, encode } = arrayParameters<Item>({ ids: ['int4', ({ id }) => id] }, ({ tenantId }) => tenantId)
  expect(names.map((name, n) => `${name} ${types[n]}`)).toEqual([
    'tenant_ids text[]',
    'tenant_indexes int4[]',
    'ids int4[]',
  ])
  const items = ['b', 'a', 'b', 'c', 'a'].map((tenantId, id) => ({ tenantId, id }))
  const { rows } = await client.query('select $1::text[] as tenants, $2::int4[] as places, $3::int4[] as ids', [
    ...encode(items),
  ])
  expect(rows).toEqual([{ tenants: ['a', 'b', 'c'], places: [2, 1, 2, 3, 1], ids: [0, 1, 2, 3, 4] }])
})

test('the server refuses an array of another name or type than the function has', async () => {
  await client.query('create function pg_temp.echo(texts text[]) returns text[] language sql return texts')
  const call = (name: string, type: keyof Elements, value: unknown) => {
    const { names, encode } = arrayParameters<never>({ [name]: [type, () => value] as Column<never> })
    return client.query(`select pg_temp.echo(${namedArguments(names)}) as echo`, [...encode([0 as never])])
  }
  expect((await call('texts', 'text', 'a')).rows).toEqual([{ echo: ['a'] }])
  await expect(call('names', 'text', 'a')).rejects.toThrow('does not exist')
  await expect(call('texts', 'int4', 1)).rejects.toThrow('binary data has array element type')
})
