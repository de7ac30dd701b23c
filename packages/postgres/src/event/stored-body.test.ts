import { expect, test } from 'vitest'
import { bodyOf, traceparentOf } from './stored-body.ts'

const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('the bytes of an event are those after its trace', () => {
  const [plain, traced] = [Buffer.from('{"a":"ñ"}'), Buffer.from(`\u001e${trace}{"a":"ñ"}`)]
  expect([bodyOf(plain), traceparentOf(plain)]).toEqual([plain, undefined])
  expect([bodyOf(traced), traceparentOf(traced)]).toEqual([plain, trace])
})

test.each(['', '\u0005', '[]', `\u001e${trace}`, '\u001e{}'])('bytes %j are no event', (text) => {
  expect(() => bodyOf(Buffer.from(text))).toThrow('do not begin with a brace')
})
