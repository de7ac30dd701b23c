import type { Page } from '../page.ts'
import { SweepAddresses } from './addresses.tsx'
import { Sweep } from './sweep.tsx'
import { sweepTexts } from './sweep-texts.ts'
import { Sweeps } from './sweeps.tsx'

export const sweepPages: readonly Page[] = [
  { path: '/sweeps', title: sweepTexts.title, component: Sweeps, group: 'money' },
  { path: '/sweeps/addresses', title: sweepTexts.addresses, component: SweepAddresses, within: '/sweeps' },
  { path: '/sweeps/:id', title: sweepTexts.one, component: Sweep, within: '/sweeps' },
]
