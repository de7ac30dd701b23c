import { expect, test } from 'vitest'
import { strippingBreaches } from './type-stripping.ts'
import { plant } from './workspace.fixture.ts'

const path = 'packages/core/src/quote/quote.ts'

test.each([
  ['a variable named of in a loop', 'for (const of of [1]) console.log(of)'],
  ['an enum', 'enum Side {}'],
  ['a parameter property', 'class Wrong extends Error { constructor(readonly side: string) { super() } }'],
  ['a namespace', 'namespace side { export const left = 1 }'],
  ['an assertion in angle brackets', 'const side = <string>left'],
])('%s is caught', (_, line) => {
  expect(strippingBreaches([{ path, text: `first\n${line}\n` }])).toEqual([
    expect.stringContaining(`${path}:2: Node cannot strip its types (`),
  ])
})

test('JSX, which only a build reads, is left alone', () => {
  expect(strippingBreaches([{ path: 'hosts/console/src/page.tsx', text: 'const page = <p />' }])).toEqual([])
})

test('a source that Node refuses and the compiler accepts fails the guard', async () => {
  using planted = plant({ [path]: 'for (const of of [1]) console.log(of)\n' })
  const { code, output } = await planted.guard('house rules')
  expect(code).toBe(1)
  expect(output).toContain(`${path}:1: Node cannot strip its types`)
})
