import type { Page } from '../page.ts'
import { Run } from './run.tsx'
import { runTexts } from './run-texts.ts'
import { Runs } from './runs.tsx'

export const runPages: readonly Page[] = [
  { path: '/reconciliation', title: runTexts.title, component: Runs, group: 'control' },
  { path: '/reconciliation/:id', title: runTexts.one, component: Run, within: '/reconciliation' },
]
