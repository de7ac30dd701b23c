import type { Bob } from '@quipu/core'
import type { PaymentOrder } from '@quipu/core/adapter'

/** A call to the network. */
export type NetworkCall =
  | { readonly type: 'read'; readonly content: string }
  | { readonly type: 'pay'; readonly order: PaymentOrder }
  | { readonly type: 'status' | 'cancel'; readonly reference: string }

/** Faults between the caller and the network. Each hook may also delay its call. */
export type NetworkHooks = {
  /** The request. `lost`: never arrives, and the caller cannot know; `refused`: provably not sent. */
  readonly sending?: (call: NetworkCall) => Promise<'arrives' | 'lost' | 'refused'>
  /** The response, after the network has acted. */
  readonly answering?: (call: NetworkCall) => Promise<'arrives' | 'lost'>
  /** The amount that is paid; the order's amount when absent. */
  readonly paying?: (order: PaymentOrder) => Bob
}

export type Carried<T> =
  | { readonly type: 'answered'; readonly answer: T }
  | { readonly type: 'not_sent'; readonly reason: string }
  | { readonly type: 'unknown'; readonly reason: string }

/** Sends a call to the network, which acts, and returns its answer. */
export async function carry<T>(
  { sending, answering }: NetworkHooks,
  call: NetworkCall,
  act: () => T,
): Promise<Carried<T>> {
  const there = (await sending?.(call)) ?? 'arrives'
  if (there === 'refused') return { type: 'not_sent', reason: 'connection refused' }
  if (there === 'lost') return { type: 'unknown', reason: 'the request was lost' }
  const answer = act()
  const back = (await answering?.(call)) ?? 'arrives'
  return back === 'arrives' ? { type: 'answered', answer } : { type: 'unknown', reason: 'the response was lost' }
}
