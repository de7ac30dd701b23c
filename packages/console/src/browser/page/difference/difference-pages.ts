import type { Page } from '../page.ts'
import { Difference } from './difference.tsx'
import { differenceTexts } from './difference-texts.ts'
import { Differences } from './differences.tsx'

export const differencePages: readonly Page[] = [
  { path: '/differences', title: differenceTexts.title, component: Differences, group: 'control' },
  { path: '/differences/:id', title: differenceTexts.one, component: Difference, within: '/differences' },
]
