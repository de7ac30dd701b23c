import { afterAll, beforeAll, expect, test } from 'vitest'
import { localized, runDocument } from './documents-run.fixture.ts'
import { documents, fits, isTranslation, readDocument } from './documents.fixture.ts'
import type { Program } from '../harness/process.fixture.ts'
import { type StartHarness, openStartHarness } from '../harness/start-harness.fixture.ts'

const opened = new AsyncDisposableStack()
let harness: StartHarness
let start: Program
beforeAll(async () => {
  harness = opened.use(await openStartHarness())
  start = await harness.started()
})
afterAll(() => opened.disposeAsync())

test('README.md shows the output of `start`', () => {
  const { blocks } = readDocument('README.md')
  const shown = blocks.find(({ text }) => text.startsWith('Quipu is ready'))
  const printed = start.output()
  const lines = printed.slice(printed.indexOf('Quipu is ready')).split('\n')
  const expected = localized(harness, shown?.text ?? '')
    .trimEnd()
    .split('\n')
  expect(expected.length).toBeGreaterThan(5)
  expect(expected.filter((line, n) => !fits(line, lines[n]))).toEqual([])
})

const runnable = documents()
  .filter((document) => !isTranslation(document))
  .filter(({ blocks }) => blocks.some(({ language, notRun }) => language === 'sh' && notRun === undefined))

const first = ['README.md', 'docs/tutorial.md']
for (const document of runnable) {
  const { file, blocks } = document
  const tags = first.includes(file) ? [] : ['long']
  test(`the commands of ${file} work and print the documented output`, { tags }, async () => {
    for (const { block, output } of await runDocument(document, harness)) {
      const shown = blocks[blocks.indexOf(block) + 1]
      const at = `${file}:${block.line}`
      if (shown?.language === 'json') {
        const printed: unknown = JSON.parse(output)
        expect(fits(JSON.parse(shown.text), printed), `${at} prints ${output}`).toBe(true)
      } else if (shown?.language === 'text') {
        const isSame = shown.text.split('\n').every((line, n) => fits(line, output.split('\n')[n]))
        expect(isSame, `${at} prints ${output}`).toBe(true)
      } else {
        expect(output, at).not.toContain('"request_id"') // Only error answers have one.
      }
    }
  })
}
