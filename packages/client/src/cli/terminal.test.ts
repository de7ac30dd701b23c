import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { asking } from './terminal.ts'

/** A terminal on which each question is answered as soon as it is shown. */
function openTerminal(question: string, answer: string) {
  const [input, output] = [new PassThrough(), new PassThrough()]
  let shown = ''
  let isAsked = false
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text
    if (isAsked || !shown.includes(question)) return
    isAsked = true
    setImmediate(() => input.write(`${answer}\r`))
  })
  const { signal } = new AbortController()
  return { ask: asking({ input, output }, signal), shown: () => shown }
}

test('what a person types is shown after the question', async () => {
  const { ask, shown } = openTerminal('Pay? ', ' yes ')
  expect(await ask('Pay? ')).toBe('yes')
  // The line editor draws the line again, with the question.
  expect(shown()).toMatch(/Pay\? [^]*yes/)
})

test('a secret that a person types is not shown', async () => {
  const { ask, shown } = openTerminal('API key: ', 'qpu_test_secret')
  expect(await ask('API key: ', { isSecret: true })).toBe('qpu_test_secret')
  expect(shown()).toMatch(/^[^]*API key: [^]*\n$/)
  expect(shown()).not.toContain('secret')
})
