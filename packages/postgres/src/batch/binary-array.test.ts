import { testServerUrl } from '@quipu/embedded-postgres/testing'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { binaryArray, type Elements } from './binary-array.ts'
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
  numeric: fc.oneof(
    fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }),
    fc.bigInt({ min: 0n, max: 100_000n }).map((value) => value * 10_000n), // with zeros at the end
  ),
  float8: fc.double({ noNaN: true }).filter((value) => !Object.is(value, -0)),
  bool: fc.boolean(),
  timestamptz: fc.date({
    min: new Date('1900-01-01T00:00:00Z'),
    max: new Date('2200-01-01T00:00:00Z'),
    noInvalidDate: true,
  }),
}

const echoes = (type: keyof Elements, element: fc.Arbitrary<unknown>): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.option(element)), async (values) => {
      const { rows } = await client.query<{ echo: unknown }>({
        name: `echo_${type}`,
        text: `select echo from unnest($1::${type}[]) with ordinality e (echo, place) order by place`,
        values: [binaryArray(type, values as Elements[typeof type][])],
      })
      expect(rows.map(({ echo }) => echo)).toEqual(values)
    }),
    { numRuns: 50 },
  )

test.each(Object.keys(anyElement) as (keyof Elements)[])(
  'the server returns an array of %s as it was written, with its nulls',
  (type) => echoes(type, anyElement[type]),
)

test('the server returns texts that are ASCII alone, short and long, as they were written', () =>
  echoes(
    'text',
    fc.string({ unit: 'binary-ascii', maxLength: 600, size: 'max' }).map((text) => text.replaceAll('\0', '')),
  ))

test('a text that is no UUID is rejected before it is sent, where it would fail its whole batch', () => {
  expect(() => binaryArray('uuid', ['not-a-uuid'])).toThrow('not a UUID: not-a-uuid')
})
