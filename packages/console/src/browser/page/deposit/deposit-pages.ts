import type { Page } from '../page.ts'
import { Deposit } from './deposit.tsx'
import { depositTexts, faucetTexts } from './deposit-texts.ts'
import { Deposits } from './deposits.tsx'
import { FaucetSend, FaucetSends } from './faucet-sends.tsx'

export const depositPages: readonly Page[] = [
  { path: '/deposits', title: depositTexts.title, component: Deposits, group: 'money' },
  { path: '/deposits/:id', title: depositTexts.one, component: Deposit, within: '/deposits' },
  { path: '/faucet-sends', title: faucetTexts.title, component: FaucetSends, group: 'money' },
  { path: '/faucet-sends/:id', title: faucetTexts.one, component: FaucetSend, within: '/faucet-sends' },
]
