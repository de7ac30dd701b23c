import { Access } from './access/access.tsx'
import { accessTexts } from './access/access-texts.ts'
import { Audit } from './audit/audit.tsx'
import { auditTexts } from './audit/audit-texts.ts'
import { Network } from './network/network.tsx'
import { networkTexts } from './network/network-texts.ts'
import type { Page } from './page.ts'

/** The pages about who may act, and who has acted; and at which network. */
export const controlPages: readonly Page[] = [
  { path: '/audit', title: auditTexts.title, component: Audit, group: 'control', right: 'auditor' },
  { path: '/network', title: networkTexts.title, component: Network, group: 'control' },
  { path: '/access', title: accessTexts.title, component: Access, group: 'control' },
]
