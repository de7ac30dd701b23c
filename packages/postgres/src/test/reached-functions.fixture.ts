// A setup file of Vitest that records which SQL functions each test calls: `mutate:sql` runs only the tests that reach
// the function that it changes.
import { appendFileSync } from 'node:fs'
import pg from 'pg'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'

type Query = (this: pg.Client, statement: unknown, ...rest: unknown[]) => unknown

const file = process.env['QUIPU_REACHED_FUNCTIONS']
/** What the file calls outside of its tests, for all of them. */
const shared = new Set<string>()
const loaded = performance.now()
let started = 0
let testsMs = 0

if (file !== undefined) {
  const called = recordedCalls()
  beforeEach(() => {
    for (const name of called) shared.add(name)
    called.clear()
    started = performance.now()
  })
  afterEach(({ task }) => {
    const ms = Math.round(performance.now() - started)
    testsMs += ms
    record(file, { test: task.fullTestName, ms, called: [...called] })
    called.clear()
  })
  afterAll(() => {
    const ms = Math.round(performance.now() - loaded) - testsMs
    record(file, { test: null, ms, called: [...shared, ...called] })
  })
}

function record(to: string, line: object): void {
  appendFileSync(to, `${JSON.stringify({ file: expect.getState().testPath, ...line })}\n`)
}

/** The names that statements use. Vitest runs this file for each test file, and the driver stays the same. */
function recordedCalls(): Set<string> {
  const prototype = pg.Client.prototype as unknown as { query: Query & { called?: Set<string> } }
  const { query } = prototype
  if (query.called) return query.called
  const called = new Set<string>()
  const recording: Query = function (statement, ...rest) {
    const text = typeof statement === 'string' ? statement : (statement as { text?: string }).text
    // A migration creates all functions.
    if (text !== undefined && !/create function/.test(text))
      for (const [, name = ''] of text.matchAll(/quipu\.(\w+)/g)) called.add(name)
    return query.call(this, statement, ...rest)
  }
  prototype.query = Object.assign(recording, { called })
  return called
}
