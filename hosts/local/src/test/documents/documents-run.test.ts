import { afterAll, beforeAll, expect, test } from 'vitest'
import { hereIn, runDocument } from './documents-run.fixture.ts'
import { documents, fits, readDocument } from './documents.fixture.ts'
import type { Program } from '../harness/process.fixture.ts'
import { type Home, openHome } from '../harness/start-harness.fixture.ts'

const opened = new AsyncDisposableStack()
let home: Home
let start: Program
beforeAll(async () => {
  home = opened.use(await openHome())
  start = await home.started()
})
afterAll(() => opened.disposeAsync())

test('what `start` prints is what README.md shows', () => {
  const { blocks } = readDocument('README.md')
  const shown = blocks.find(({ text }) => text.startsWith('Quipu is ready'))
  const printed = start.output()
  const lines = printed.slice(printed.indexOf('Quipu is ready')).split('\n')
  const expected = hereIn(home, shown?.text ?? '')
    .trimEnd()
    .split('\n')
  expect(expected.length).toBeGreaterThan(5)
  expect(expected.filter((line, n) => !fits(line, lines[n]))).toEqual([])
})

const runnable = documents().filter(({ blocks }) =>
  blocks.some(({ language, notRun }) => language === 'sh' && notRun === undefined),
)

test.each(runnable)('what $file says to type works, and prints what it shows', async (document) => {
  const { file, blocks } = document
  for (const { block, output } of await runDocument(document, home)) {
    const shown = blocks[blocks.indexOf(block) + 1]
    const at = `${file}:${block.line}`
    if (shown?.language === 'json') {
      const printed: unknown = JSON.parse(output)
      expect(fits(JSON.parse(shown.text), printed), `${at} prints ${output}`).toBe(true)
    } else if (shown?.language === 'text') {
      const isSame = shown.text.split('\n').every((line, n) => fits(line, output.split('\n')[n]))
      expect(isSame, `${at} prints ${output}`).toBe(true)
    } else {
      expect(output, at).not.toContain('"request_id"') // Only errors have one.
    }
  }
})
