import { expect, test } from 'vitest'
import { writeLines } from './cell.ts'

test.each([
  [true, 'a\t"Bad·[2J"\n{"name":"·2J"}\n'],
  [false, 'a\t"Bad\u001B[2J"\r\n{"name":"\u009B2J"}\n'],
])(
  'CSV and JSON reach a terminal without the control characters of their texts, and a file whole',
  (isTTY, written) => {
    let text = ''
    writeLines({ isTTY, write: (chunk) => (text += chunk) })('a\t"Bad\u001B[2J"\r\n{"name":"\u009B2J"}\n')
    expect(text).toBe(written)
  },
)
