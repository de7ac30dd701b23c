import { expect, test } from 'vitest'
import { requiresStandby } from './standby-names.ts'

test.each(['standby', 'n2', '"n-2"', 'ANY 1 (n2, n3)', 'FIRST 2 (n2,n3)', '2(n2, n3)', '"a*"', '"a "" * b", n2'])(
  '%s requires a standby',
  (names) => {
    expect(requiresStandby(names)).toBe(true)
  },
)

test.each(['', ' ', '\t\n', '*', ' * ', '"*"', 'ANY 1 (*)', 'FIRST 1 (*)', '1(*)', 'any 1("*")', 'FIRST 1 (n2, *)'])(
  '%j requires none: it is empty, or any receiver of the log may confirm',
  (names) => {
    expect(requiresStandby(names)).toBe(false)
  },
)
