import type { Page } from '../page.ts'
import { Balances } from './balances.tsx'
import { reportTexts } from './report-texts.ts'
import { Reports } from './reports.tsx'

export const reportPages: readonly Page[] = [
  { path: '/reports', title: reportTexts.title, component: Reports, group: 'reports' },
  { path: '/balances', title: reportTexts.balances, component: Balances, group: 'reports' },
]
