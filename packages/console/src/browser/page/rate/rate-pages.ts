import type { Page } from '../page.ts'
import { rateTexts } from './rate-texts.ts'
import { Rates } from './rates.tsx'

export const ratePages: readonly Page[] = [{ path: '/rates', title: rateTexts.title, component: Rates, group: 'money' }]
