import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { rowToJson } from './row-to-json.ts'

const schema = z.object({ id: z.string(), tenant_id: z.string().nullable(), fee: z.string(), at: z.string() })
const row = { at: new Date(0), fee: usdt(1_500_000n), tenantId: null, secret: 'x', size: 1n }

test('a row has the members of its schema in their order, instants and amounts as text, and no others', () => {
  const json = rowToJson(schema, row, { id: 'a' })
  expect(JSON.stringify(json)).toBe('{"id":"a","tenant_id":null,"fee":"1.500000","at":"1970-01-01T00:00:00.000Z"}')
  expect(rowToJson(schema, row, { id: 'a', fee: '0' })).toEqual({ ...json, fee: '0' })
})

test('the compiler demands what the row lacks, and each bigint, whose unit it does not know', () => {
  // @ts-expect-error the row has no id
  expect(rowToJson(schema, row, {})).not.toHaveProperty('id', expect.anything())
  // @ts-expect-error the size is a bigint
  expect(rowToJson(z.object({ size: z.string() }), row, {})).toEqual({ size: 1n })
})
