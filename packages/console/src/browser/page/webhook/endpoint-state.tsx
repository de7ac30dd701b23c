import type { OperatorEndpointJson } from '@quipu/wire'
import type { VNode } from 'preact'
import { State } from '../../ui/state.tsx'
import { endpointStateTexts } from './webhook-texts.ts'

const tones = { active: 'ok', paused: 'warn', failing: 'bad', slow: 'info' } as const

/** Whether an endpoint receives, and how well. */
export function EndpointState({ of }: { readonly of: OperatorEndpointJson }): VNode {
  const states = [
    of.status,
    ...(of.failing_since === null ? [] : (['failing'] as const)),
    ...(of.is_slow && of.failing_since === null ? (['slow'] as const) : []),
  ]
  return (
    <span class="row-actions">
      {states.map((state) => (
        <State key={state} of={state} tones={tones} texts={endpointStateTexts} />
      ))}
    </span>
  )
}
