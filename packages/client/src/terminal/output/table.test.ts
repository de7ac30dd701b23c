import { expect, test } from 'vitest'
import { details } from './details.ts'
import { table } from './table.ts'

test('amounts align to the right, and money is one column', () => {
  const rows = [
    { id: 'a', amount: '5.00', target: { currency: 'BOB', amount: '100.00' }, gone: null },
    { id: 'long', amount: '1000.00', target: { currency: 'BOB', amount: '9.00' }, gone: null },
  ]
  expect(table(rows, ['id', 'amount', 'target', 'gone'], undefined).lines).toEqual([
    'ID     AMOUNT      TARGET  GONE',
    'a        5.00  100.00 BOB  –',
    'long  1000.00    9.00 BOB  –',
  ])
})

test('a long text is cut on a terminal, and whole in a file', () => {
  const rows = [{ reason: 'x'.repeat(60) }]
  expect(table(rows, ['reason'], 80).lines[1]).toBe(`${'x'.repeat(47)}…`)
  expect(table(rows, ['reason'], undefined).lines[1]).toBe('x'.repeat(60))
})

test('the first column stays, however narrow the terminal is', () => {
  expect(table([{ id: 'abcdef', b: 'c' }], ['id', 'b'], 3)).toEqual({ lines: ['ID', 'abcdef'], hidden: ['b'] })
})

test('details follow objects, and show lists of objects as tables', () => {
  const object = { id: 'a', inner: { b: 1, c: [] }, rows: [{ x: 1, deep: { y: 2 } }, { x: 3 }] }
  expect(details(object, undefined)).toEqual(['id       a', 'inner.b  1', 'inner.c  –', '', 'rows (2)', 'X', '1', '3'])
})
