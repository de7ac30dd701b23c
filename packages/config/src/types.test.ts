import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Outcome } from './command.ts'
import { plant } from './workspace.fixture.ts'

/** Rejections of the compiler → the error's code, and a source with it. */
const plants: Readonly<Record<string, readonly [code: string, text: string]>> = {
  'a wrong type': ['TS2322', `export const wrong: bigint = 1\n`],
  'a switch that misses a case': [
    'TS2366',
    `export function side(of: 'a' | 'b'): number {
  switch (of) {
    case 'a':
      return 1
  }
}\n`,
  ],
  'a case that falls through': [
    'TS7029',
    `export function side(of: number): number {
  let result = 0
  switch (of) {
    case 1:
      result = 1
    default:
      return result
  }
}\n`,
  ],
  'a path without a value': ['TS7030', `export function some(of: number): unknown {\n  if (of > 1) return of\n}\n`],
  'an enum': ['TS1294', `export enum Side {\n  Left,\n}\n`],
  'an export without a type': ['TS9010', `export const size = [1].length\n`],
  'a type imported as a value': [
    'TS1484',
    `import { NetConnectOpts } from 'node:net'\n\nexport type Options = NetConnectOpts\n`,
  ],
  'an element that may be missing': ['TS2322', `export const first = (of: readonly string[]): string => of[0]\n`],
  'a property that may be anything': [
    'TS4111',
    `export const home = (of: Record<string, string>): unknown => of.home\n`,
  ],
  'undefined for an optional member': ['TS2375', `export const open: { until?: number } = { until: undefined }\n`],
  'a parameter without a type': ['TS7006', `export const same = (of): unknown => of\n`],
  'an unused local': ['TS6133', `const unused = 1\n\nexport {}\n`],
  'an unused parameter': ['TS6133', `export const none = (of: number): number => 0\n`],
  'a silent override': ['TS4114', `export class Refused extends Error {\n  name = 'Refused'\n}\n`],
  'an import of a missing file': ['TS2307', `export { gone } from './gone.ts'\n`],
  'a package that is not referenced': ['TS6307', `export { text } from '../../wire/src/index.ts'\n`],
}

const path = (what: string): string => `packages/core/src/${what.replaceAll(' ', '-')}.ts`

const planted = plant(Object.fromEntries(Object.entries(plants).map(([what, [, text]]) => [path(what), text])))
let outcome: Outcome

beforeAll(async () => {
  outcome = await planted.guard('types')
})
afterAll(() => planted[Symbol.dispose]())

test('a workspace with violations fails', () => {
  expect(outcome.code).not.toBe(0)
})

test.each(Object.entries(plants))('%s is caught', (what, [code]) => {
  const found = outcome.output.split('\n').filter((line) => line.startsWith(path(what)))
  expect(found).toContainEqual(expect.stringContaining(`error ${code}`))
})
