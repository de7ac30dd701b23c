import type { TenantJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { State } from '../../ui/state.tsx'
import { tenantStatusTexts } from './tenant-texts.ts'

const tones = { active: 'ok', suspended: 'warn' } as const

export const TenantStatus = ({ of }: { readonly of: TenantJson['status'] }): VNode => (
  <State of={of} tones={tones} texts={tenantStatusTexts} />
)
