import type { Page } from '../page.ts'
import { Proposal } from './proposal.tsx'
import { proposalTexts } from './proposal-texts.ts'
import { Proposals } from './proposals.tsx'
import { WaitingCount } from './waiting.tsx'

export const proposalPages: readonly Page[] = [
  { path: '/proposals', title: proposalTexts.title, component: Proposals, group: 'control', count: WaitingCount },
  { path: '/proposals/:id', title: proposalTexts.one, component: Proposal, within: '/proposals' },
]
